import '../../av/polyfill.ts'
import { AVCOL_RANGE_JPEG, AVCOL_SPC_YCGCO, avGetPixFmtFromName, Frame } from 'node-av'
import { afterEach, expect, test } from 'vitest'
import '../../av/input.ts'
import { createPictureScaler } from './picture-scaler.ts'

const scaler = createPictureScaler(3)
const held: { release(): void }[] = []
const frames: Frame[] = []
afterEach(() => {
  for (const picture of held.splice(0)) picture.release()
  for (const frame of frames.splice(0)) frame.free()
})

function frameOf(format: string, width: number, height: number, fill: readonly number[]): Frame {
  const frame = new Frame()
  frame.alloc()
  frame.width = width
  frame.height = height
  frame.format = avGetPixFmtFromName(format)
  frame.getBuffer()
  for (const [plane, data] of frame.data!.entries()) data.fill(fill[plane] ?? 0)
  frames.push(frame)
  return frame
}

function scaled(frame: Frame, width: number, height: number) {
  const picture = scaler.scale(frame, { width, height })
  held.push(picture)
  return picture
}

function middle({ y, u, v, width, height, strideY, strideUV }: ReturnType<typeof scaled>['planes']): number[] {
  const colourAt = (height >> 2) * strideUV + (width >> 2)
  return [y[(height >> 1) * strideY + (width >> 1)]!, u[colourAt]!, v[colourAt]!]
}

test.each([
  { name: 'plain video', format: 'yuv420p', fill: [100, 90, 150], seen: [100, 90, 150] },
  { name: 'full range', format: 'yuvj420p', fill: [255, 128, 128], seen: [235, 128, 128] },
  { name: 'colour for every pixel', format: 'yuv444p', fill: [100, 90, 150], seen: [100, 90, 150] },
  { name: 'RGB', format: 'rgb24', fill: [255], seen: [235, 128, 128] },
  { name: 'grey', format: 'gray', fill: [0], seen: [16, 128, 128] },
])('pictures in $name become plain video', ({ format, fill, seen }) => {
  expect(middle(scaled(frameOf(format, 64, 48, fill), 128, 96).planes)).toEqual(seen)
})

test('full range that is only said, not in the format, is heeded', () => {
  const frame = frameOf('yuv420p', 64, 48, [255, 128, 128])
  frame.colorRange = AVCOL_RANGE_JPEG
  expect(middle(scaled(frame, 64, 48).planes)).toEqual([235, 128, 128])
})

test('colour with a meaning that nobody knows is taken as it is', () => {
  const frame = frameOf('yuv420p', 64, 48, [100, 90, 150])
  frame.colorSpace = AVCOL_SPC_YCGCO
  expect(middle(scaled(frame, 128, 96).planes)).toEqual([100, 90, 150])
  expect(frame.colorSpace).toBe(AVCOL_SPC_YCGCO)
})

test('the size may change with every picture, of the input and of the output', () => {
  for (const [width, height] of [[64, 48] as const, [62, 50] as const, [128, 96] as const]) {
    const picture = scaled(frameOf('yuv420p', width + 1, height + 1, [77, 128, 128]), width, height)
    expect([picture.width, picture.height, picture.planes.width]).toEqual([width, height, width])
    expect(middle(picture.planes)[0]).toBe(77)
  }
})

test('memory is used again after the release by every holder', () => {
  const frame = frameOf('yuv420p', 64, 48, [77, 128, 128])
  const first = scaler.scale(frame, { width: 64, height: 48 })
  first.retain()
  first.release()
  const second = scaler.scale(frame, { width: 64, height: 48 })
  expect(second.frame).not.toBe(first.frame)
  first.release()
  const third = scaler.scale(frame, { width: 64, height: 48 })
  expect(third.frame).toBe(first.frame)
  second.release()
  third.release()
  expect(() => third.release()).toThrow('released twice')
  expect(() => third.retain()).toThrow('after its release')
})

test('holding too many is an error', () => {
  const frame = frameOf('yuv420p', 64, 48, [77, 128, 128])
  for (let count = 0; count < 3; count++) scaled(frame, 64, 48)
  expect(() => scaled(frame, 64, 48)).toThrow('release those that are done with')
})

test('a picture that is still held outlives the scaler', () => {
  const own = createPictureScaler()
  const picture = own.scale(frameOf('yuv420p', 64, 48, [77, 128, 128]), { width: 64, height: 48 })
  own.close()
  expect(middle(picture.planes)[0]).toBe(77)
  picture.release()
})
