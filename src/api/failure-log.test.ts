import { expect, test } from 'vitest'
import { AppError } from '../core/errors.ts'
import { createFailureLog } from './failure-log.ts'

function setUp() {
  const lines: { level: string; fields: object }[] = []
  const line = (level: string) => (fields: object) => void lines.push({ level, fields })
  const logFailure = createFailureLog({ warn: line('warn'), error: line('error') } as never, () => 0)
  return { lines, logFailure }
}

test('what is full is a warning without a stack, and a flood of it a few lines', () => {
  const { lines, logFailure } = setUp()
  const full = new AppError('webrtc-full', {}, { retryAfterSeconds: 10 })
  for (let i = 0; i < 1_000; i++) logFailure(full, full, `r${i}`, false)
  expect(lines).toHaveLength(20)
  expect(lines[0]).toEqual({ level: 'warn', fields: { request_id: 'r0', code: 'webrtc-full' } })
})

test.each(['source-unreadable', 'disk-full'] as const)('%s is a warning with its sentence', (code) => {
  const { lines, logFailure } = setUp()
  const found = new AppError(code, { reason: 'It sends no picture.' }, { cause: new Error('bad NAL') })
  logFailure(found, found, 'r1', false)
  expect(lines).toEqual([{ level: 'warn', fields: { request_id: 'r1', code } }])
})

test('each request that failed is an error, with what was thrown', () => {
  const { lines, logFailure } = setUp()
  const thrown = new Error('The database is away.')
  for (let i = 0; i < 30; i++) logFailure(thrown, new AppError('pipeline-failed'), `r${i}`, false)
  expect(lines).toHaveLength(30)
  expect(lines[29]).toEqual({ level: 'error', fields: { err: thrown, request_id: 'r29' } })
})

test('what is aborted because the client has left did not fail; anything else did, and so did what is aborted while it waits', () => {
  const { lines, logFailure } = setUp()
  const answered = new AppError('internal', { request_id: 'r1' })
  logFailure(AbortSignal.abort().reason, answered, 'r1', true)
  expect(lines).toEqual([])
  logFailure(new Error('torn'), answered, 'r2', true)
  logFailure(AbortSignal.abort().reason, answered, 'r3', false)
  expect(lines).toHaveLength(2)
})
