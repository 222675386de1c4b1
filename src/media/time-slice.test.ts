import { setImmediate as nextRound } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTimeSlice } from './time-slice.ts'

const LONG_MS = 60_000

test('a slice is over after so many steps, and the next round begins a new one', async () => {
  const slice = createTimeSlice({ maxSteps: 3, maxMs: LONG_MS })
  for (let round = 0; round < 2; round++) {
    expect([slice, slice, slice, slice].map((it) => it.isOverAfterStep())).toEqual([false, false, true, true])
    await nextRound()
  }
})

test('it is over after so much time, however few the steps were', async () => {
  const slice = createTimeSlice({ maxSteps: 100, maxMs: 20 })
  expect(slice.isOverAfterStep()).toBe(false)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 25)
  expect(slice.isOverAfterStep()).toBe(true)
  await nextRound()
  expect(slice.isOverAfterStep()).toBe(false)
})
