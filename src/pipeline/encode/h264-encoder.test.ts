import '../../av/polyfill.ts'
import '../../av/input.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Size } from '../../core/detection.ts'
import { TICKS_PER_MS } from '../clock-rate.ts'
import { createH264Encoder, type H264Encoder } from './h264-encoder.ts'
import { createOutputPicturePool, type OutputPicturePool } from './output-picture.ts'

const size = { width: 320, height: 180 }
let pool: OutputPicturePool
let encoder: H264Encoder
let rates: number
beforeEach(() => {
  pool = createOutputPicturePool(1)
  rates = 0
  encoder = createH264Encoder(() => (rates++, 25))
})
afterEach(() => {
  encoder.close()
  pool.close()
})

/** Whether the picture at that time becomes a keyframe. */
async function isKeyframeAt(ptsMs: number, of: Size = size): Promise<boolean> {
  const picture = pool.take(of)
  for (const plane of [picture.planes.y, picture.planes.u, picture.planes.v]) plane.fill(128)
  try {
    const encoded = await encoder.encode(picture, ptsMs * TICKS_PER_MS)
    expect(encoded.ptsMs).toBe(ptsMs)
    return encoded.isKeyframe
  } finally {
    picture.release()
  }
}

test('the first is a keyframe, and one a second', async () => {
  const keyframes = []
  for (const ptsMs of [0, 500, 994, 995, 1500, 2000]) if (await isKeyframeAt(ptsMs)) keyframes.push(ptsMs)
  expect(keyframes).toEqual([0, 995, 2000])
})

test('a keyframe that is asked for begins the next second', async () => {
  await isKeyframeAt(0)
  encoder.requestKeyframe()
  const keyframes = []
  for (const ptsMs of [500, 540, 1000, 1500]) if (await isKeyframeAt(ptsMs)) keyframes.push(ptsMs)
  expect(keyframes).toEqual([500, 1500])
})

test('a reset and another size begin a new sequence, at the rate of that time', async () => {
  await isKeyframeAt(0)
  expect([await isKeyframeAt(40), rates]).toEqual([false, 1])
  encoder.reset()
  expect([await isKeyframeAt(80), rates]).toEqual([true, 2])
  expect([await isKeyframeAt(120, { width: 640, height: 360 }), rates]).toEqual([true, 3])
})
