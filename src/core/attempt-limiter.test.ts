import { expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { createAttemptLimiter } from './attempt-limiter.ts'

const tooMany = { code: 'too-many-attempts', status: 429 }

test('an address may fail a few times, then hears of it late, then may fail once more', async () => {
  const clock = createFakeClock()
  const limiter = createAttemptLimiter({ clock, burst: 3, refillMs: 10_000, delayMs: 2_000 })
  for (let i = 0; i < 3; i++) await limiter.recordFailure('a')
  const outcomes: unknown[] = []
  const late = limiter.recordFailure('a').catch((error: unknown) => outcomes.push(error))
  await limiter.recordFailure('b')
  await clock.advance(1_999)
  expect(outcomes).toEqual([])
  await clock.advance(1)
  await late
  expect(outcomes).toMatchObject([{ ...tooMany, retryAfterSeconds: 8 }])
  await clock.advance(8_000)
  await limiter.recordFailure('a')
})

test('a wall clock that is set back or ahead neither prolongs the wait nor ends it', async () => {
  const clock = createFakeClock()
  let offsetMs = 0
  const limiter = createAttemptLimiter({
    clock: { ...clock, now: () => clock.now() + offsetMs },
    burst: 1,
    refillMs: 10_000,
    maxDelayed: 0,
  })
  await limiter.recordFailure('a')
  for (offsetMs of [-3_600_000, 3_600_000])
    await expect(limiter.recordFailure('a')).rejects.toMatchObject({ ...tooMany, retryAfterSeconds: 10 })
})

test('so many answers wait at a time and no more', async () => {
  const clock = createFakeClock()
  const limiter = createAttemptLimiter({ clock, burst: 1, maxDelayed: 2 })
  await limiter.recordFailure('a')
  const held = [1, 2].map(() => limiter.recordFailure('a').catch((error: unknown) => error))
  await expect(limiter.recordFailure('a')).rejects.toMatchObject(tooMany)
  await clock.advance(2_000)
  expect(await Promise.all(held)).toMatchObject([tooMany, tooMany])
  // There is room again.
  let isAnswered = false
  void limiter.recordFailure('a').catch(() => (isAnswered = true))
  await clock.advance(1_999)
  expect(isAnswered).toBe(false)
})

test('memory is bounded: the oldest address is forgotten', async () => {
  const limiter = createAttemptLimiter({ clock: createFakeClock(), burst: 1, maxDelayed: 0, maxAddresses: 2 })
  for (const address of ['a', 'b', 'c']) await limiter.recordFailure(address)
  await limiter.recordFailure('a')
  await expect(limiter.recordFailure('c')).rejects.toMatchObject(tooMany)
})

test('tries that were used elsewhere are used here too, and nobody waits for more than all of them', async () => {
  const clock = createFakeClock()
  const limiter = createAttemptLimiter({ clock, burst: 3, refillMs: 10_000, maxDelayed: 0 })
  limiter.addTries('a', 2)
  await limiter.recordFailure('a')
  await expect(limiter.recordFailure('a')).rejects.toMatchObject({ ...tooMany, retryAfterSeconds: 10 })
  limiter.addTries('b', 1_000)
  await expect(limiter.recordFailure('b')).rejects.toMatchObject({ ...tooMany, retryAfterSeconds: 10 })
})

test('a try is reported when it is used, and what comes too late for one is not', async () => {
  const limiter = createAttemptLimiter({ clock: createFakeClock(), burst: 2, maxDelayed: 0 })
  const used: string[] = []
  limiter.onTry((address) => used.push(address))
  limiter.addTries('a', 1)
  await limiter.recordFailure('a')
  await expect(limiter.recordFailure('a')).rejects.toMatchObject(tooMany)
  await limiter.recordFailure('b')
  expect(used).toEqual(['a', 'b'])
})
