import { setImmediate as nextRound } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createBeginnings } from './beginnings.ts'

test('so many bytes are handed out in a round, and who waits comes in order', async () => {
  const beginnings = createBeginnings(100)
  const begun: number[] = []
  for (const i of [1, 2, 3, 4, 5]) void beginnings.turn('ann', () => 60).then(() => begun.push(i))
  await Promise.resolve()
  const rounds = [[...begun]]
  while (begun.length < 5) {
    await nextRound()
    rounds.push([...begun])
  }
  expect(rounds).toEqual([
    [1, 2],
    [1, 2, 3, 4],
    [1, 2, 3, 4, 5],
  ])
  await nextRound()
})

test('who is alone waits for nothing, however much it is', async () => {
  const beginnings = createBeginnings(100)
  let isBegun = false
  void beginnings.turn('ann', () => 1_000).then(() => (isBegun = true))
  await Promise.resolve()
  expect(isBegun).toBe(true)
})

test('many who begin with nothing come at once', async () => {
  const beginnings = createBeginnings(100)
  let begun = 0
  for (let i = 0; i < 1_000; i++) void beginnings.turn('ann', () => 0).then(() => begun++)
  await Promise.resolve()
  expect(begun).toBe(1_000)
})

test('owners take turns, however many of one wait', async () => {
  const beginnings = createBeginnings(100)
  const begun: string[] = []
  for (const reader of ['a1', 'a2', 'a3', 'a4', 'b1'])
    void beginnings.turn(reader[0]!, () => 100).then(() => begun.push(reader))
  while (begun.length < 5) await nextRound()
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'a4'])
})
