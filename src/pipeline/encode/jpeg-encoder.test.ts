import '../../av/polyfill.ts'
import {
  AVCOL_PRI_BT2020,
  AVCOL_SPC_BT709,
  AVCOL_SPC_UNSPECIFIED,
  AVCOL_SPC_YCGCO,
  AVERROR_ENOMEM,
  CodecContext,
  Frame,
} from 'node-av'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { watchAllocatedFrames } from '../../../test/support/allocated-frames.ts'
import { decodedJpeg } from '../../../test/support/decoded-jpeg.ts'
import { createJpegEncoder } from './jpeg-encoder.ts'
import { createOutputPicturePool } from './output-picture.ts'

const pool = createOutputPicturePool()
const encoder = createJpegEncoder()
afterAll(async () => {
  await encoder.close()
  pool.close()
})

function picture(width: number, height: number, [y, u, v]: readonly [number, number, number]) {
  const taken = pool.take({ width, height })
  taken.planes.y.fill(y)
  taken.planes.u.fill(u)
  taken.planes.v.fill(v)
  return taken
}

/** Its size, and the colour of a pixel in the middle. */
async function decoded(jpeg: Buffer) {
  const { width, height, rgbAt } = await decodedJpeg(jpeg)
  return { width, height, rgb: rgbAt(width / 2, height / 2) }
}

test.each([
  { name: 'white', yuv: [235, 128, 128], rgb: [255, 255, 255] },
  { name: 'black', yuv: [16, 128, 128], rgb: [0, 0, 0] },
  { name: 'red', yuv: [81, 90, 240], rgb: [254, 0, 0] },
] as const)('$name stays $name, though JPEG has another range of brightness', async ({ yuv, rgb }) => {
  const one = picture(320, 180, yuv)
  const seen = await decoded((await encoder.encode(one))!)
  one.release()
  expect(seen).toMatchObject({ width: 320, height: 180 })
  for (const [channel, value] of rgb.entries()) expect(Math.abs(seen.rgb[channel]! - value)).toBeLessThan(5)
})

test('colours of HD video, which are stored in another way, stay what they are', async () => {
  const one = picture(320, 180, [63, 102, 240])
  one.frame.colorSpace = AVCOL_SPC_BT709
  const { rgb } = await decoded((await encoder.encode(one))!)
  one.frame.colorSpace = AVCOL_SPC_UNSPECIFIED
  one.release()
  for (const [channel, value] of [255, 0, 0].entries()) expect(Math.abs(rgb[channel]! - value)).toBeLessThan(6)
})

test('a meaning of colour that nobody knows does no harm', async () => {
  const one = picture(320, 180, [235, 128, 128])
  one.frame.colorSpace = AVCOL_SPC_YCGCO
  one.frame.colorPrimaries = AVCOL_PRI_BT2020
  const { rgb } = await decoded((await encoder.encode(one))!)
  expect(one.frame.colorSpace).toBe(AVCOL_SPC_YCGCO)
  one.frame.colorSpace = AVCOL_SPC_UNSPECIFIED
  one.release()
  expect(Math.min(...rgb)).toBeGreaterThan(250)
})

test('the size may change', async () => {
  for (const [width, height] of [[640, 360] as const, [320, 180] as const, [960, 540] as const]) {
    const one = picture(width, height, [100, 128, 128])
    expect(await decoded((await encoder.encode(one))!)).toMatchObject({ width, height })
    one.release()
  }
})

test('while one is under way there is no other', async () => {
  const one = picture(640, 360, [100, 128, 128])
  const [first, second] = await Promise.all([encoder.encode(one), encoder.encode(one)])
  one.release()
  expect(first).toBeInstanceOf(Buffer)
  expect(second).toBeUndefined()
})

test('closing waits for what is under way', async () => {
  const own = createJpegEncoder()
  const one = picture(640, 360, [100, 128, 128])
  const [jpeg] = await Promise.all([own.encode(one), own.close()])
  expect(jpeg).toBeInstanceOf(Buffer)
  expect(await own.encode(one)).toBeUndefined()
  one.release()
})

test('a lack of memory fails one picture, leaves nothing open, and is over with the next', async () => {
  const one = picture(322, 180, [235, 128, 128])
  const allocated = watchAllocatedFrames()
  const freed = vi.spyOn(CodecContext.prototype, 'freeContext')
  const full = vi.spyOn(Frame.prototype, 'getBuffer').mockReturnValueOnce(AVERROR_ENOMEM)
  onTestFinished(() => [freed, full].forEach((spy) => spy.mockRestore()))
  const fresh = createJpegEncoder()
  const own = allocated()
  await expect(fresh.encode(one)).rejects.toThrow()
  expect(allocated()).toBe(own)
  expect(freed).toHaveBeenCalledTimes(1)
  expect(await fresh.encode(one)).toBeDefined()
  await fresh.close()
  one.release()
  expect(allocated()).toBe(0)
})
