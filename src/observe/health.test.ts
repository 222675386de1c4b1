import { expect, test, vi } from 'vitest'
import { createHealth } from './health.ts'
import { createLog } from './log.ts'

const logLines: string[] = []
const log = createLog({ level: 'warn', write: (line) => void logLines.push(line) })

test('ready when every check is', async () => {
  const health = createHealth(log)
  health.addCheck('database', async () => {})
  expect(await health.report()).toEqual({ isReady: true, checks: { database: 'ok' } })
})

test('a failing check says so to everyone, and why only to the log', async () => {
  const health = createHealth(log)
  health.addCheck('database', () => Promise.reject(new Error('disk is gone')))
  expect(await health.report()).toEqual({ isReady: false, checks: { database: 'failed' } })
  expect(logLines.join('')).toContain('disk is gone')
})

test('a check that hangs is no answer', async () => {
  vi.useFakeTimers()
  const health = createHealth(log)
  health.addCheck('database', () => new Promise(() => {}))
  const report = health.report()
  await vi.advanceTimersByTimeAsync(3000)
  vi.useRealTimers()
  expect(await report).toEqual({ isReady: false, checks: { database: 'no answer' } })
})

test('a stopping service is not ready', async () => {
  const health = createHealth(log)
  health.stop()
  expect((await health.report()).isReady).toBe(false)
})
