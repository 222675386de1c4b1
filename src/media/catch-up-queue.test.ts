import { setImmediate as nextRound } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createCatchUpQueue } from './catch-up-queue.ts'

test('so many bytes are handed out in a round, and readers start in order', async () => {
  const queue = createCatchUpQueue(100)
  const started: number[] = []
  for (const i of [1, 2, 3, 4, 5]) void queue.waitForTurn('ann', () => 60).then(() => started.push(i))
  await Promise.resolve()
  const rounds = [[...started]]
  while (started.length < 5) {
    await nextRound()
    rounds.push([...started])
  }
  expect(rounds).toEqual([
    [1, 2],
    [1, 2, 3, 4],
    [1, 2, 3, 4, 5],
  ])
  await nextRound()
})

test('a single reader waits for nothing, however much it gets', async () => {
  const queue = createCatchUpQueue(100)
  let isStarted = false
  void queue.waitForTurn('ann', () => 1_000).then(() => (isStarted = true))
  await Promise.resolve()
  expect(isStarted).toBe(true)
})

test('many readers with nothing to catch up with start at once', async () => {
  const queue = createCatchUpQueue(100)
  let started = 0
  for (let i = 0; i < 1_000; i++) void queue.waitForTurn('ann', () => 0).then(() => started++)
  await Promise.resolve()
  expect(started).toBe(1_000)
})

test('owners take turns, however many of one wait', async () => {
  const queue = createCatchUpQueue(100)
  const started: string[] = []
  for (const reader of ['a1', 'a2', 'a3', 'a4', 'b1'])
    void queue.waitForTurn(reader[0]!, () => 100).then(() => started.push(reader))
  while (started.length < 5) await nextRound()
  expect(started).toEqual(['a1', 'a2', 'b1', 'a3', 'a4'])
})
