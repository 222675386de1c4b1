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

test('whoever asks again and again fills no log: it says when a part fails, and when it works again', async () => {
  const lines: { msg: string; reason?: string }[] = []
  const own = createLog({ level: 'info', write: (line) => void lines.push(JSON.parse(line) as { msg: string }) })
  const health = createHealth(own)
  let isListening = false
  health.addCheck('media', async () => {
    if (!isListening) throw new Error('the media server is being started')
  })
  for (let i = 0; i < 5; i++) await health.report()
  isListening = true
  for (let i = 0; i < 5; i++) await health.report()
  expect(lines.map(({ msg }) => msg)).toEqual([
    'not ready: a part of the service does not work',
    'a part of the service works again',
  ])
  expect(lines[0]).toMatchObject({ check: 'media', reason: 'the media server is being started' })
  expect(lines[0]).not.toHaveProperty('err')
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

test('whoever asks while a check is under way gets its result; the next one is checked anew', async () => {
  const health = createHealth(log)
  const answers: (() => void)[] = []
  health.addCheck('database', () => new Promise((resolve) => void answers.push(resolve)))
  const reports = [health.report(), health.report(), health.report()]
  expect(answers).toHaveLength(1)
  answers[0]!()
  expect(await Promise.all(reports)).toEqual(Array(3).fill({ isReady: true, checks: { database: 'ok' } }))
  const next = health.report()
  expect(answers).toHaveLength(2)
  answers[1]!()
  expect((await next).isReady).toBe(true)
})

test('a stopping service is not ready', async () => {
  const health = createHealth(log)
  health.stop()
  expect((await health.report()).isReady).toBe(false)
})
