import { beforeEach, expect, test, vi } from 'vitest'
import { requestsSettled, trackRequest } from './pending-requests.ts'

beforeEach(() => void vi.useFakeTimers())

const answeredAfter = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
const refusedAfter = (ms: number) => answeredAfter(ms).then(() => Promise.reject(new Error('Refused.')))

/** Until all is answered. */
async function millisecondsUntilSettled(maxMs: number): Promise<number> {
  const begunAt = Date.now()
  const settledAt = requestsSettled(maxMs).then(() => Date.now())
  await vi.runAllTimersAsync()
  return (await settledAt) - begunAt
}

test('nothing under way is nothing to wait for', async () => {
  expect(await millisecondsUntilSettled(2_000)).toBeLessThan(10)
})

test('the last answer is waited for, also a refusal', async () => {
  void trackRequest(answeredAfter(300))
  trackRequest(refusedAfter(500)).catch(() => {})
  const ms = await millisecondsUntilSettled(2_000)
  expect(ms).toBeGreaterThanOrEqual(500)
  expect(ms).toBeLessThan(600)
})

test('so is that of a question to which an answer led', async () => {
  void trackRequest(answeredAfter(300)).then(() => trackRequest(answeredAfter(400)))
  expect(await millisecondsUntilSettled(2_000)).toBeGreaterThanOrEqual(700)
})

test('but nothing for longer than said', async () => {
  void trackRequest(answeredAfter(60_000))
  const ms = await millisecondsUntilSettled(2_000)
  expect(ms).toBeGreaterThanOrEqual(2_000)
  expect(ms).toBeLessThan(2_100)
})
