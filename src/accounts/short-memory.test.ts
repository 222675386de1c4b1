import { expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { createShortMemory } from './short-memory.ts'

function createCounted(max = 10) {
  const clock = createFakeClock()
  const memory = createShortMemory<number>({ forMs: 2_000, max, clock })
  let asked = 0
  return { clock, memory, ask: (id: string) => memory.find(id, async () => ++asked) }
}

test('what is asked again is found out again only when the time is over', async () => {
  const { clock, ask } = createCounted()
  expect(await Promise.all([ask('a'), ask('a')])).toEqual([1, 1])
  await clock.advance(1_999)
  expect(await ask('a')).toBe(1)
  await clock.advance(1)
  expect(await ask('a')).toBe(2)
})

test('what is forgotten is asked about anew, also while its answer is on its way', async () => {
  const { memory, ask } = createCounted()
  const first = ask('ada\ncam')
  await ask('bob\ncam')
  memory.forget('ada\n')
  expect(await ask('ada\ncam')).toBe(3)
  expect(await ask('bob\ncam')).toBe(2)
  expect(await first).toBe(1)
})

test('a failure is not remembered', async () => {
  const { memory, ask } = createCounted()
  await expect(memory.find('a', async () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(await ask('a')).toBe(1)
})

test('beyond its bound it asks about the oldest again', async () => {
  const { ask } = createCounted(2)
  for (const id of ['a', 'b', 'c']) await ask(id)
  expect(await ask('b')).toBe(2)
  expect(await ask('a')).toBe(4)
})
