import { expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { createAllowance } from './allowance.ts'

test('a burst is given at once, then so many a second, and never more than the burst', async () => {
  const clock = createFakeClock()
  const allowance = createAllowance({ burst: 3, perSecond: 2 }, clock)
  const takeAll = () => {
    let taken = 0
    while (allowance.take()) taken += 1
    return taken
  }
  expect(takeAll()).toBe(3)
  await clock.advance(500)
  expect(takeAll()).toBe(1)
  await clock.advance(60_000)
  expect(takeAll()).toBe(3)
})

test('what is more than what is left is not taken, not even in part', () => {
  const allowance = createAllowance({ burst: 3, perSecond: 0 }, createFakeClock())
  expect([allowance.take(4), allowance.take(3), allowance.take(1)]).toEqual([false, true, false])
})
