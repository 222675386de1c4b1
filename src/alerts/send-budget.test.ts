import { expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { createSendBudget } from './send-budget.ts'

function setUp() {
  const clock = createFakeClock()
  const budget = createSendBudget(clock)
  const gone: string[] = []
  const take = (name: string, messages: number, accountId = 'a', signal = new AbortController().signal) =>
    void budget.take(accountId, messages, signal).then(() => gone.push(name))
  /** How many went within these seconds. */
  const wentWithin = async (seconds: number) => {
    const before = gone.length
    for (let step = 0; step < seconds * 10; step++) await clock.advance(100)
    return gone.length - before
  }
  return { clock, take, gone, wentWithin }
}

test('an account may send 400 at once and 200 a second, in its order', async () => {
  const { clock, take, gone, wentWithin } = setUp()
  const names = Array.from({ length: 200 }, (_, index) => String(index))
  for (const name of names) take(name, 8)
  await clock.advance(0)
  expect(gone.length * 8).toBeGreaterThanOrEqual(400)
  expect(gone.length * 8).toBeLessThanOrEqual(408)
  expect(await wentWithin(4)).toBe(100)
  await wentWithin(10)
  expect(gone).toEqual(names)
})

test('accounts do not wait for each other', async () => {
  const { clock, take, gone } = setUp()
  for (let index = 0; index < 1_000; index++) take('greedy', 8)
  take('modest', 8, 'b')
  await clock.advance(0)
  expect(gone).toContain('modest')
})

test('who is in a hurry does not wait, but is counted', async () => {
  const { clock, take, gone, wentWithin } = setUp()
  const hurry = new AbortController()
  take('first', 1_000)
  take('hurried', 400, 'a', hurry.signal)
  take('last', 8)
  await clock.advance(0)
  expect(gone).toEqual(['first'])
  hurry.abort()
  await clock.advance(0)
  expect(gone).toEqual(['first', 'hurried'])
  await wentWithin(4)
  expect(gone).toEqual(['first', 'hurried'])
  await wentWithin(2)
  expect(gone).toEqual(['first', 'hurried', 'last'])
})

test('nobody waits for longer than a minute', async () => {
  const { take, gone, wentWithin } = setUp()
  take('first', 1_000_000)
  take('last', 8)
  await wentWithin(59)
  expect(gone).toEqual(['first'])
  await wentWithin(2)
  expect(gone).toEqual(['first', 'last'])
})
