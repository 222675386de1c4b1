import { expect, test, vi } from 'vitest'
import { createHealth } from './health.ts'

test('ready when every check is', async () => {
  const health = createHealth()
  health.addCheck('database', async () => {})
  expect(await health.report()).toEqual({ isReady: true, checks: { database: 'ok' } })
})

test('a failing check says why', async () => {
  const health = createHealth()
  health.addCheck('database', () => Promise.reject(new Error('disk is gone')))
  expect(await health.report()).toEqual({ isReady: false, checks: { database: 'disk is gone' } })
})

test('a check that hangs is no answer', async () => {
  vi.useFakeTimers()
  const health = createHealth()
  health.addCheck('database', () => new Promise(() => {}))
  const report = health.report()
  await vi.advanceTimersByTimeAsync(3000)
  vi.useRealTimers()
  expect(await report).toEqual({ isReady: false, checks: { database: 'no answer' } })
})

test('a stopping service is not ready', async () => {
  const health = createHealth()
  health.stop()
  expect((await health.report()).isReady).toBe(false)
})
