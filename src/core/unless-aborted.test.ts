import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { createDeferred } from './deferred.ts'
import { unlessAborted } from './unless-aborted.ts'

const never = () => new Promise<never>(() => {})

test('what comes in time is passed on, and nothing is left on the signal', async () => {
  const { signal } = new AbortController()
  const failure = new Error('No.')
  expect(await unlessAborted(Promise.resolve(1), signal)).toBe(1)
  await expect(unlessAborted(Promise.reject(failure), signal)).rejects.toBe(failure)
  expect(getEventListeners(signal, 'abort')).toEqual([])
  expect(await unlessAborted(Promise.resolve(2), undefined)).toBe(2)
})

test('an abort ends the wait, before it and during it, with the error of the caller', async () => {
  const leaving = new AbortController()
  const error = new Error('We left.')
  const waiting = unlessAborted(never(), leaving.signal, () => error)
  leaving.abort()
  await expect(waiting).rejects.toBe(error)
  await expect(unlessAborted(never(), leaving.signal)).rejects.toThrow('not wanted any more')
})

test('what is rejected after the abort is nobody’s concern', async () => {
  const leaving = new AbortController()
  const late = createDeferred<never>()
  const waiting = unlessAborted(late.promise, leaving.signal)
  leaving.abort()
  await expect(waiting).rejects.toThrow('not wanted any more')
  late.reject(new Error('Too late.'))
  await new Promise((resolve) => setImmediate(resolve))
})
