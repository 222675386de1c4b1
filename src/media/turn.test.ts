import { setImmediate as nextRound } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTurn } from './turn.ts'

const LONG_MS = 60_000

test('a turn is over after so many steps, and the next round begins a new one', async () => {
  const turn = createTurn({ maxSteps: 3, maxMs: LONG_MS })
  for (let round = 0; round < 2; round++) {
    expect([turn, turn, turn, turn].map((it) => it.isOverAfterStep())).toEqual([false, false, true, true])
    await nextRound()
  }
})

test('it is over after so much time, however few the steps were', async () => {
  const turn = createTurn({ maxSteps: 100, maxMs: 20 })
  expect(turn.isOverAfterStep()).toBe(false)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 25)
  expect(turn.isOverAfterStep()).toBe(true)
  await nextRound()
  expect(turn.isOverAfterStep()).toBe(false)
})
