import { expect, test } from 'vitest'
import { DatabaseAway } from '../core/outages.ts'
import { createLog } from './log.ts'
import { createOutageLines } from './outage-lines.ts'

const away = new DatabaseAway(Object.assign(new Error(''), { code: 'ECONNREFUSED' }))
const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })

test.each([
  ['a database that is away', { err: away }, true],
  ['what that caused', { err: new Error('not kept', { cause: away }) }, true],
  ['a full disk', { err: full }, true],
  ['another failure', { err: new Error('wrong') }, false],
  ['no failure', { path: 'ada/cam' }, false],
  ['no fields', null, false],
])('an outage is told from others: %s', (_name, fields, expected) =>
  expect(createOutageLines(() => 0).isOutage(fields)).toBe(expected),
)

test('each text comes once a minute, and how often it did not come is counted', () => {
  let nowMs = 0
  const lines = createOutageLines(() => nowMs)
  const reason = 'The database cannot be reached: ECONNREFUSED'
  expect(lines.shorten({ err: away }, 'jobs')).toEqual({ reason })
  for (nowMs = 1_000; nowMs < 60_000; nowMs += 1_000) expect(lines.shorten({ err: away }, 'jobs')).toBeUndefined()
  expect(lines.shorten({ err: away }, 'minutes')).toEqual({ reason })
  expect(lines.shorten({ err: away }, 'jobs')).toEqual({ reason, suppressed: 59 })
})

test('a log is not flooded by an outage, shows no stacks of it, and all of other failures', () => {
  const written: string[] = []
  const log = createLog({ level: 'info', write: (line) => void written.push(line) })
  for (let i = 0; i < 100; i++) log.error({ err: full, kind: 'sweep' }, 'minutes could not be charged')
  for (let i = 0; i < 2; i++) log.error({ err: new Error('wrong') }, 'minutes could not be charged')
  log.warn('a sentence')
  const lines = written.map((line) => JSON.parse(line) as { err?: { stack: string } })
  expect(lines).toHaveLength(4)
  expect(lines[0]).toMatchObject({ kind: 'sweep', reason: full.message, msg: 'minutes could not be charged' })
  expect(lines[0]).not.toHaveProperty('err')
  expect(lines[1]!.err!.stack).toContain('outage-lines.test')
})
