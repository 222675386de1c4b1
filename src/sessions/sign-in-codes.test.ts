import { expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { createSignInCodes } from './sign-in-codes.ts'

test('a key with many codes loses its own oldest and nobody else’s', () => {
  const codes = createSignInCodes(createFakeClock())
  const other = codes.issue('other').code
  const issued = Array.from({ length: 1200 }, () => codes.issue('greedy').code)
  expect(codes.take(other)).toBe('other')
  expect(issued.filter((code) => codes.take(code) === 'greedy')).toEqual(issued.slice(-20))
})

test('of all keys together the oldest goes', () => {
  const codes = createSignInCodes(createFakeClock())
  const [first, second] = Array.from({ length: 1001 }, (_, i) => codes.issue(`key ${i}`).code)
  expect(codes.take(first!)).toBeUndefined()
  expect(codes.take(second!)).toBe('key 1')
})

test('what is too old makes room', async () => {
  const clock = createFakeClock()
  const codes = createSignInCodes(clock)
  const late = codes.issue('a').code
  await clock.advance(15 * 60_000)
  const fresh = Array.from({ length: 20 }, () => codes.issue('a').code)
  expect(codes.take(late)).toBeUndefined()
  expect(codes.take(fresh[0]!)).toBe('a')
})
