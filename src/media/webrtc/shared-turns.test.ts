import { setImmediate as nextRound } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createSharedTurns } from './shared-turns.ts'

function piecesOf(name: string, count: number, done: string[]): () => boolean {
  let left = count
  return () => {
    done.push(name)
    return --left > 0
  }
}

test('a little work is done at once', () => {
  const done: string[] = []
  createSharedTurns({ maxSteps: 4, maxMs: 1_000 }).add(piecesOf('a', 3, done))
  expect(done).toEqual(['a', 'a', 'a'])
})

test('much work goes on in the next rounds, a piece of everybody in turn', async () => {
  const done: string[] = []
  const turns = createSharedTurns({ maxSteps: 4, maxMs: 1_000 })
  turns.add(piecesOf('a', 9, done))
  turns.add(piecesOf('b', 3, done))
  expect(done.join('')).toBe('aaaa')
  await nextRound()
  expect(done.join('')).toBe('aaaaabab')
  while (done.length < 12) await nextRound()
  expect(done.join('')).toBe('aaaaabababaa')
})

test('however often somebody asks in a round, there is one share of it', async () => {
  const done: string[] = []
  const turns = createSharedTurns({ maxSteps: 4, maxMs: 1_000 })
  for (let i = 0; i < 20; i++) turns.add(piecesOf(String(i), 10, done))
  expect(done).toHaveLength(4)
  await nextRound()
  expect(done.length).toBeLessThanOrEqual(8)
})
