import { expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { createDeferred } from './deferred.ts'
import { isSettledWithin } from './settled-within.ts'

test('what resolves in time is waited for, and nothing sleeps on', async () => {
  const clock = createFakeClock()
  const done = createDeferred()
  const isSettled = isSettledWithin(done.promise, 1_000, clock)
  done.resolve()
  expect(await isSettled).toBe(true)
})

test('what takes longer is not', async () => {
  const clock = createFakeClock()
  const isSettled = isSettledWithin(new Promise(() => {}), 1_000, clock)
  await clock.advance(1_000)
  expect(await isSettled).toBe(false)
})

test('what fails fails here', async () => {
  await expect(isSettledWithin(Promise.reject(new Error('no')), 1_000, createFakeClock())).rejects.toThrow('no')
})
