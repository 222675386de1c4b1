import { afterAll, describe, expect, test } from 'vitest'
import { codedSize, paintedFrame } from '../../../test/builders/painted-frame.ts'
import { type Box, type Size } from '../../core/detection.ts'
import { createGreyScaler } from './grey-scaler.ts'
import { createScaler } from './scaler.ts'

const scaler = createScaler()
afterAll(() => scaler.close())

/** Colours that change slowly, so that neither scaling nor halved chroma can change them much. */
function colourAt(x: number, y: number): [number, number, number] {
  return [40 + 160 * x, 60 + 120 * y, 200 - 100 * x * y]
}

const whole = ({ width, height }: Size): Box => ({ x: 0, y: 0, width, height })

/** The largest difference, in steps of 256, between what was scaled and what was painted there. */
function largestError(bytes: Buffer, target: Size, region: Box, shown: Size): number {
  const picture = codedSize(shown)
  let worst = 0
  for (let y = 0; y < target.height; y++) {
    for (let x = 0; x < target.width; x++) {
      const u = (region.x + ((x + 0.5) * region.width) / target.width) / picture.width
      const v = (region.y + ((y + 0.5) * region.height) / target.height) / picture.height
      colourAt(u, v).forEach((value, channel) => {
        worst = Math.max(worst, Math.abs(bytes[(y * target.width + x) * 3 + channel]! - value))
      })
    }
  }
  return worst
}

const size = { width: 360, height: 240 }
const odd = { width: 359, height: 241 }
const lowerRight = { x: 150, y: 100, width: 210, height: 140 }

describe('createScaler', () => {
  test.each([
    ['yuv420p', size, whole(size)],
    ['yuv420p', size, lowerRight],
    ['yuv420p', odd, whole(odd)],
    ['yuv420p', odd, { x: 150, y: 100, width: 209, height: 141 }],
    ['yuvj420p', size, lowerRight],
    ['yuv422p', size, lowerRight],
    ['yuvj422p', odd, whole(odd)],
    ['yuv444p', size, lowerRight],
    ['nv12', size, lowerRight],
    ['yuv420p10le', size, lowerRight],
    ['yuv422p10le', odd, whole(odd)],
    ['p010le', size, lowerRight],
    ['rgb24', odd, { x: 150, y: 100, width: 209, height: 141 }],
    ['bgr24', size, lowerRight],
    ['rgba', size, lowerRight],
    ['gbrp', size, lowerRight],
    ['rgb48be', size, lowerRight],
    ['yuv440p', size, lowerRight],
  ])('shows %s of %o in its colours, region %o', (format, picture, region) => {
    const frame = paintedFrame(format, picture, colourAt)
    for (const target of [
      { width: 160, height: 107 },
      { width: 101, height: 67 },
      { width: region.width, height: region.height },
    ]) {
      const bytes = Buffer.alloc(target.width * target.height * 3)
      scaler.toRgb(frame, region, { bytes, stride: target.width * 3, size: target })
      expect(largestError(bytes, target, region, picture)).toBeLessThan(7)
    }
    frame.free()
  })

  test('writes nothing beside the target', () => {
    const frame = paintedFrame('yuv420p', odd, colourAt)
    for (const target of [{ width: 101, height: 67 }, odd, { width: 400, height: 300 }]) {
      const stride = target.width * 3 + 50
      const bytes = Buffer.alloc((target.height + 1) * stride, 99)
      scaler.toRgb(frame, whole(odd), { bytes, stride, size: target })
      for (let y = 0; y < target.height; y++)
        expect(bytes.subarray(y * stride + target.width * 3, (y + 1) * stride).every((value) => value === 99)).toBe(
          true,
        )
      expect(bytes.subarray(target.height * stride).every((value) => value === 99)).toBe(true)
    }
    frame.free()
  })

  test.each([
    ['to the right', { x: 200, y: 0, width: 162, height: 240 }],
    ['below', { x: 0, y: 20, width: 360, height: 222 }],
    ['before it', { x: -2, y: 0, width: 100, height: 100 }],
    ['of nothing', { x: 0, y: 0, width: 0, height: 100 }],
    ['with an odd border', { x: 1, y: 0, width: 100, height: 100 }],
    ['with a broken pixel', { x: 0, y: 0, width: 100.5, height: 100 }],
  ])('refuses a region %s', (_name, region) => {
    const frame = paintedFrame('yuv420p', size, colourAt)
    const target = { bytes: Buffer.alloc(100 * 100 * 3), stride: 300, size: { width: 100, height: 100 } }
    expect(() => scaler.toRgb(frame, region, target)).toThrow(/has no even borders inside a picture of 360×240/)
    frame.free()
  })

  test('refuses a target that is too small', () => {
    const frame = paintedFrame('yuv420p', size, colourAt)
    const target = { bytes: Buffer.alloc(100), stride: 300, size: { width: 100, height: 100 } }
    expect(() => scaler.toRgb(frame, whole(size), target)).toThrow('needs 30000 bytes, but there are 100')
    frame.free()
  })

  test('serves more shapes than it keeps ready', () => {
    const frame = paintedFrame('yuv420p', size, colourAt)
    for (let width = 20; width < 90; width++) {
      const target = { width, height: 50 }
      const bytes = Buffer.alloc(width * 50 * 3)
      scaler.toRgb(frame, whole(size), { bytes, stride: width * 3, size: target })
      expect(largestError(bytes, target, whole(size), size)).toBeLessThan(9)
    }
    frame.free()
  })
})

describe('createGreyScaler', () => {
  test.each([
    ['yuv420p', { width: 720, height: 480 }],
    ['nv12', { width: 720, height: 480 }],
    ['yuv422p10le', odd],
    ['p010le', size],
    ['gray', size],
    ['rgb24', size],
    ['gbrp', size],
  ])('shows the brightness of %s of %o', (format, picture) => {
    const frame = paintedFrame(format, picture, colourAt)
    const grey = createGreyScaler(scaler, 200)(frame)
    expect(grey).toMatchObject({ width: 200, stride: 200, height: Math.round((200 * picture.height) / picture.width) })
    for (const [x, y] of [
      [20, 20],
      [100, 60],
      [180, 120],
    ] as const) {
      const [red, green, blue] = colourAt((x + 0.5) / grey.width, (y + 0.5) / grey.height)
      const full = 0.299 * red + 0.587 * green + 0.114 * blue
      // Video keeps its brightness between 16 and 235; motion is estimated from differences, so either will do.
      const isNear = [full, 16 + (full * 219) / 255].some((value) => Math.abs(grey.data[y * 200 + x]! - value) < 4)
      expect(isNear).toBe(true)
    }
    frame.free()
  })

  test('leaves small pictures at their size, and follows a change of it', () => {
    const toGrey = createGreyScaler(scaler, 320)
    const shapes = [
      { width: 160, height: 120 },
      { width: 640, height: 480 },
    ].map((picture) => {
      const frame = paintedFrame('yuv420p', picture, colourAt)
      const { width, height } = toGrey(frame)
      frame.free()
      return { width, height }
    })
    expect(shapes).toEqual([
      { width: 160, height: 120 },
      { width: 320, height: 240 },
    ])
  })
})
