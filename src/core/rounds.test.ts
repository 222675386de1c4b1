import { expect, test } from 'vitest'
import { createRounds } from './rounds.ts'

test('each part has one taken in a round, and its own in the order in which they came', () => {
  const rounds = createRounds<string>()
  for (const piece of ['m1', 'm2', 'm3', 'b1', 'b2']) rounds.add(piece[0], piece)
  const taken = [rounds.take(), rounds.take()]
  rounds.add('c', 'c1')
  while (!rounds.isEmpty) taken.push(rounds.take())
  expect(taken).toEqual(['m1', 'b1', 'm2', 'b2', 'c1', 'm3'])
  expect(rounds.take()).toBeUndefined()
})

test('ten thousand of one part do not stand before the first of another', () => {
  const rounds = createRounds<number>()
  for (let i = 0; i < 10_000; i++) rounds.add('m', i)
  rounds.add('b', -1)
  expect([rounds.take(), rounds.take(), rounds.take()]).toEqual([0, -1, 1])
})
