import { expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { createAttemptLimiter } from './attempt-limiter.ts'

test('an address may fail a few times, then waits, then may try once more', async () => {
  const clock = createFakeClock()
  const limiter = createAttemptLimiter({ clock, burst: 3, refillMs: 1000 })
  for (let i = 0; i < 3; i++) {
    expect(limiter.waitMs('a')).toBe(0)
    limiter.recordFailure('a')
  }
  expect(limiter.waitMs('a')).toBe(1000)
  expect(limiter.waitMs('b')).toBe(0)
  await clock.advance(1000)
  expect(limiter.waitMs('a')).toBe(0)
  limiter.recordFailure('a')
  expect(limiter.waitMs('a')).toBe(1000)
})

test('memory is bounded: the oldest address is forgotten', () => {
  const limiter = createAttemptLimiter({ clock: createFakeClock(), burst: 1, maxAddresses: 2 })
  for (const address of ['a', 'b', 'c']) limiter.recordFailure(address)
  expect(limiter.waitMs('a')).toBe(0)
  expect(limiter.waitMs('c')).toBeGreaterThan(0)
})
