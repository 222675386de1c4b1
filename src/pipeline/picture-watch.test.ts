import { beforeEach, expect, test } from 'vitest'
import { createPictureWatch, type PictureWatch } from './picture-watch.ts'

let nowMs: number
let watch: PictureWatch
beforeEach(() => {
  nowMs = 1_000
  watch = createPictureWatch(5_000, () => nowMs)
  watch.start()
})

test('packets without a picture fail after a while, until there is one', () => {
  watch.onDecoded(false)
  nowMs += 4_999
  watch.onDecoded(false)
  expect(watch.isFailing).toBe(false)
  nowMs += 1
  watch.onDecoded(false)
  expect([watch.isFailing, watch.hasPicture]).toEqual([true, false])
  watch.onDecoded(true)
  expect([watch.isFailing, watch.hasPicture]).toEqual([false, true])
})

test('a stream that sends nothing misses nothing', () => {
  watch.onDecoded(true)
  nowMs += 60_000
  expect(watch.isFailing).toBe(false)
  watch.onDecoded(false)
  expect(watch.isFailing).toBe(false)
})

test('a stream that is opened again has its time again', () => {
  watch.onDecoded(true)
  watch.onDecoded(false)
  nowMs += 5_000
  watch.onDecoded(false)
  expect(watch.isFailing).toBe(true)
  watch.start()
  expect([watch.isFailing, watch.hasPicture]).toEqual([false, false])
})

test('what is not decoded, as in a pause, is not missed', () => {
  watch.onDecoded(true)
  watch.onDecoded(false)
  for (let seconds = 0; seconds < 60; seconds++) {
    nowMs += 1_000
    watch.onHeldBack()
    expect(watch.isFailing).toBe(false)
  }
  for (const afterMs of [10, 3_900]) {
    nowMs += afterMs
    watch.onDecoded(false)
    expect(watch.isFailing).toBe(false)
  }
  nowMs += 100
  watch.onDecoded(false)
  expect(watch.isFailing).toBe(true)
})

test('at rest, where few are decoded, those that give no picture count', () => {
  watch.onDecoded(true)
  for (let keyframe = 0; keyframe < 6; keyframe++) {
    expect(watch.isFailing).toBe(false)
    watch.onDecoded(false)
    nowMs += 2_000
    watch.onHeldBack()
  }
  expect(watch.isFailing).toBe(true)
})
