import { beforeEach, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
import { createFakeExchanges, type FakeExchanges } from '../../test/builders/fake-exchanges.ts'
import { createAttemptLimiter, type SharedAttemptLimiter } from '../core/attempt-limiter.ts'
import { createSharedAttempts, type SharedAttempts } from './shared-attempts.ts'

let clock: FakeClock
let exchanges: FakeExchanges
let shared: SharedAttempts
let a: SharedAttemptLimiter
let b: SharedAttemptLimiter
beforeEach(() => {
  clock = createFakeClock()
  exchanges = createFakeExchanges()
  const [atA, atB] = ['a', 'b'].map((nodeId) => {
    const limiter = createAttemptLimiter({ clock, burst: 4, maxDelayed: 0 })
    return { limiter, shared: createSharedAttempts({ exchange: exchanges.of(nodeId), limiter, clock }) }
  })
  ;[a, b, shared] = [atA!.limiter, atB!.limiter, atA!.shared]
})

const tooMany = { code: 'too-many-attempts' }

test('who has used up its tries at one node has none at another', async () => {
  for (let tries = 0; tries < 4; tries++) await a.recordFailure('1.1.1.1')
  await clock.advance(100)
  await expect(b.recordFailure('1.1.1.1')).rejects.toMatchObject(tooMany)
  await b.recordFailure('2.2.2.2')
  await expect(a.recordFailure('1.1.1.1')).rejects.toMatchObject(tooMany)
})

test('a guesser at full speed makes few messages, and one that is refused makes none', async () => {
  for (let guesses = 0; guesses < 100; guesses++) await a.recordFailure('1.1.1.1').catch(() => {})
  await a.recordFailure('2.2.2.2')
  await clock.advance(100)
  for (let guesses = 0; guesses < 100; guesses++) await a.recordFailure('1.1.1.1').catch(() => {})
  await clock.advance(100)
  expect(exchanges.sent.map(({ message }) => message)).toEqual([
    [
      { address: '1.1.1.1', count: 4 },
      { address: '2.2.2.2', count: 1 },
    ],
  ])
})

test('of many addresses at once, so many as go into a message are published', async () => {
  for (let host = 0; host < 1_500; host++) await a.recordFailure(`host ${host}`)
  await clock.advance(100)
  await a.recordFailure('late')
  await clock.advance(100)
  expect(exchanges.sent.map(({ message }) => (message as unknown[]).length)).toEqual([1_000, 1])
})

test('without NATS each node counts by itself, and nothing is published once it is closed', async () => {
  exchanges.isAway = true
  for (let tries = 0; tries < 4; tries++) await a.recordFailure('1.1.1.1')
  await clock.advance(100)
  await b.recordFailure('1.1.1.1')
  exchanges.isAway = false
  await a.recordFailure('2.2.2.2')
  shared.close()
  await clock.advance(100)
  expect(exchanges.sent.filter(({ from }) => from === 'a')).toEqual([])
})
