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
  expect(watch.isFailing).toBe(true)
  watch.start()
  expect([watch.isFailing, watch.hasPicture]).toEqual([false, false])
})
