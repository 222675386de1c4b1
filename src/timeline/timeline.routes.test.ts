import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  aDetectionFileRow,
  anAlertEventRow,
  aProcessStateChangeRow,
  aSourceRightRow,
} from '../../test/builders/recorded-rows.ts'
import { createTestApp, MASTER_KEY, type TestApp } from '../../test/support/app.ts'
import { useTemporaryFolder } from '../../test/support/temporary-folder.ts'
import { systemClock } from '../core/clock.ts'
import { orderedUuid } from '../core/ordered-uuid.ts'
import { type Database, openDatabase } from '../storage/database.ts'
import { Timeline } from './timeline.schema.ts'

const NOW = Date.UTC(2026, 10, 17)
const FROM = NOW - 86_400_000
const folder = useTemporaryFolder('aerie-timeline-routes-')
let app: TestApp
let database: Database
let accountId: string
let sourceId: string
const [processId, otherId] = [orderedUuid(), orderedUuid()]
beforeEach(async () => {
  app = await createTestApp({ AERIE_DATA_DIR: folder() }, { ...systemClock, now: () => NOW })
  database = openDatabase(`sqlite:${join(folder(), 'aerie.db')}`)
  accountId = (await database.db.selectFrom('account').select('id').executeTakeFirstOrThrow()).id
  const body = { alias: 'gate', input_url: 'rtsp://localhost:8554/admin/gate', stream_type: 'rtsp' }
  sourceId = (await app.call('POST', '/stream', { body })).body.source_uuid as string
})
afterEach(async () => {
  await database.close()
  await app.remove()
})

const ask = (query = '', key?: string) => app.call('GET', `/source/${sourceId}/timeline${query}`, { key })
/** So many seconds after the beginning of the day. */
const at = (seconds: number) => FROM + seconds * 1000
const zulu = (seconds: number) => new Date(at(seconds)).toISOString()

let made = 0
async function record(start: number, seconds: number | null, { gap = null as number | null, isOver = true } = {}) {
  const id = `recording-${made++}`
  const ids = { account_id: accountId, source_id: sourceId, started_at: at(start) }
  const { db } = database
  await db.insertInto('recording').values({ ...ids, id, alias: 'gate', node_id: null, ended_at: isOver ? at(start) + 1 : null }).execute() // prettier-ignore
  const size = { size_bytes: 1, importance: 0 as const, rest_until: null, fragments: null }
  const duration_ms = seconds === null ? null : seconds * 1000
  const file = { ...ids, ...size, id: `${id}-1`, recording_id: id, file: `recordings/${id}.mp4`, duration_ms }
  await db.insertInto('recording_segment').values({ ...file, gap_ms: gap === null ? null : gap * 1000 }).execute() // prettier-ignore
}

const own = () => ({ account_id: accountId, source_id: sourceId, process_id: processId })
const see = (startSeconds: number, minutes: object, process_id = processId) =>
  database.db
    .insertInto('detection_file')
    .values(
      aDetectionFileRow({
        ...own(),
        process_id,
        id: orderedUuid(),
        started_at: at(startSeconds),
        ended_at: at(startSeconds + 3_599),
        minutes: JSON.stringify(minutes),
      }),
    ) // prettier-ignore
    .execute()
const alert = (seconds: number, id = orderedUuid(), process_id = processId) =>
  database.db
    .insertInto('alert_event')
    .values(anAlertEventRow({ ...own(), process_id, id, alert_id: otherId, at: at(seconds) }))
    .execute()
const change = (seconds: number, state: 'running' | 'reconnecting' | 'stopped', process_id = processId) =>
  database.db
    .insertInto('process_state_change')
    .values(aProcessStateChangeRow({ ...own(), process_id, at: at(seconds), state }))
    .execute()

test('a day has what was recorded, who was seen, what alerts notified of, and how processes went', async () => {
  await record(-60, 31_082.4)
  await record(31_058, 55_342)
  await see(0, { classes: ['person', 'car'], m: { 0: [2, 2], 1: [1, 0, 1, 1], 5: [3, 3] } })
  const event = orderedUuid()
  await alert(241)
  await alert(7_199.9, event)
  await change(-10, 'running')
  await change(7_201.5, 'reconnecting')
  await change(-5, 'stopped', otherId)
  const { status, body } = await ask()
  expect(status).toBe(200)
  expect(Timeline.parse(body)).toEqual(body)
  const { classes, alerts, ...rest } = body as Timeline
  expect(rest).toEqual({
    source_uuid: sourceId,
    alias: 'gate',
    from: zulu(0),
    to: zulu(86_400),
    step_seconds: 120,
    recorded: [
      [0, 31_022.4],
      [31_058, 55_342],
    ],
    recorded_seconds: 86_364.4,
    gaps: [[31_022.4, 35.6]],
    processes: [{ process_uuid: processId, states: [[0, 'running'], [7_201.5, 'reconnecting']] }], // prettier-ignore
  })
  expect(classes!.map(({ class_name: name, tracks, counts }) => [name, tracks, counts.slice(0, 4)])).toEqual([
    ['person', 5, [2, 0, 3, 0]],
    ['car', 1, [1, 0, 0, 0]],
  ])
  expect([classes![0]!.counts.length, alerts!.count, alerts!.counts.length]).toEqual([720, 2, 720])
  expect(alerts!.counts.flatMap((count, step) => (count > 0 ? [[step, count]] : []))).toEqual([[2, 1], [59, 1]]) // prettier-ignore
  expect(alerts!.events).toHaveLength(2)
  expect(alerts!.events[0]).toEqual({
    event_uuid: event,
    alert_uuid: otherId,
    alias: 'fence',
    type: 'filter-search',
    event: 'found',
    at: zulu(7_199.9),
    process_uuid: processId,
  })
})

test('of one process it has what that saw, was notified of and how it went, beside all that was recorded', async () => {
  await record(0, 600)
  await see(0, { classes: ['person'], m: { 0: [2, 2] } })
  await see(0, { classes: ['car'], m: { 0: [1, 1] } }, otherId)
  await alert(10)
  await alert(20, orderedUuid(), otherId)
  await change(5, 'running')
  await change(6, 'running', otherId)
  const ofOne = async (id: string) => {
    const { body } = await ask(`?process_uuid=${id}&from=${zulu(0)}&to=${zulu(86_400)}`)
    const { recorded, classes, alerts, processes } = body as Timeline
    return {
      recorded,
      classes: classes!.map(({ class_name }) => class_name),
      alerts: [alerts!.count, alerts!.counts[0], alerts!.events.map(({ at }) => at)],
      processes: processes!.map(({ process_uuid }) => process_uuid),
    }
  }
  const recorded = [[0, 600]]
  expect(await ofOne(processId)).toEqual({ recorded, classes: ['person'], alerts: [1, 1, [zulu(10)]], processes: [processId] }) // prettier-ignore
  expect(await ofOne(otherId)).toEqual({ recorded, classes: ['car'], alerts: [1, 1, [zulu(20)]], processes: [otherId] })
  expect(await ofOne(orderedUuid())).toEqual({ recorded, classes: [], alerts: [0, 0, []], processes: [] })
})

test('of a stream that broke off all the time, gaps are those that can be seen', async () => {
  for (let index = 0; index < 1_001; index++) await record(index * 10, 5)
  await record(20_000, 5)
  const { recorded, gaps, recorded_seconds: seconds } = (await ask()).body as Timeline
  expect([recorded, gaps, seconds]).toEqual([[[0, 10_005], [20_000, 5]], [[10_005, 9_995]], 5_010]) // prettier-ignore
})

test('what is being written reaches until now; what could not be read is not there', async () => {
  await record(86_000, null, { isOver: false })
  await record(80_000, null)
  expect((await ask()).body.recorded).toEqual([[86_000, 400]])
})

test('a day without anything has empty lists', async () => {
  const { status, body } = await ask(`?from=${zulu(0)}&to=${zulu(86_400)}`)
  const counts = Array.from({ length: 720 }, () => 0)
  const alerts = { count: 0, counts, events: [] }
  expect([status, body]).toEqual([
    200,
    {
      source_uuid: sourceId,
      alias: 'gate',
      from: zulu(0),
      to: zulu(86_400),
      step_seconds: 120,
      recorded: [],
      recorded_seconds: 0,
      gaps: [],
      classes: [],
      alerts,
      processes: [],
    },
  ])
})

test('there are a hundred events, fifty processes and all that is counted, at the most', async () => {
  for (let index = 0; index < 120; index++) await alert(index)
  const lastChanged = orderedUuid()
  await change(0, 'running', lastChanged)
  for (let index = 0; index < 60; index++) await change(index, 'running', orderedUuid())
  await change(60, 'reconnecting', lastChanged)
  const { alerts, processes } = (await ask()).body as Timeline
  expect([alerts!.count, alerts!.events.length, processes!.length]).toEqual([120, 100, 50])
  expect(alerts!.events[0]!.at).toBe(zulu(119))
  expect(processes!.slice(-2).map(({ states }) => states)).toEqual([
    [[59, 'running']],
    [
      [0, 'running'],
      [60, 'reconnecting'],
    ],
  ])
})

test('it comes packed to who takes that', async () => {
  const headers = { api_key: MASTER_KEY, 'accept-encoding': 'gzip' }
  const response = await app.http.inject({ url: `/source/${sourceId}/timeline`, headers })
  expect(response.headers['content-encoding']).toBe('gzip')
  expect(JSON.parse(gunzipSync(response.rawPayload).toString())).toEqual((await ask()).body)
})

test.each([
  [`?from=${new Date(NOW - 32 * 86_400_000).toISOString()}`, 'query.to', 'Ask for at most 31 days at a time.'],
  ['?step_seconds=7', 'query.step_seconds', 'Take one of 1, 5, 60, 120, 300, 600, 1800, 3600, 7200.'],
  ['?step_seconds=', 'query.step_seconds', expect.any(String) as string],
  ['?step_seconds=1', 'query.step_seconds', expect.stringContaining('at most an hour') as string],
  [`?from=${zulu(2)}&to=${zulu(1)}`, 'query.to', '`to` must be later than `from`.'],
])('%s is refused by a sentence', async (query, path, message) => {
  const { status, body } = await ask(query)
  expect([status, body.errors]).toEqual([422, [{ path, message }]])
})

describe('who may', () => {
  async function giveBob(rights: string): Promise<string> {
    const { body } = await app.call('POST', '/keys', { body: { username: 'bob' } })
    const { id } = await database.db.selectFrom('account').select('id').where('username', '=', 'bob').executeTakeFirstOrThrow() // prettier-ignore
    await database.db.insertInto('source_right').values(aSourceRightRow({ account_id: id, source_id: sourceId, rights })).execute() // prettier-ignore
    return body.key as string
  }

  test('the right to watch opens what was recorded', async () => {
    const { status, body } = await ask('', await giveBob('["watch"]'))
    expect([status, body]).toMatchObject([200, { recorded: [], recorded_seconds: 0, gaps: [], classes: null, alerts: null, processes: null }]) // prettier-ignore
  })

  test('the right to events opens the rest', async () => {
    const { status, body } = await ask('', await giveBob('["events"]'))
    expect([status, body]).toMatchObject([200, { recorded: null, recorded_seconds: null, gaps: null, classes: [], processes: [] }]) // prettier-ignore
  })

  test('another right opens none of it, and without any there is no source', async () => {
    const key = await giveBob('["control"]')
    expect(await ask('', key)).toMatchObject({ status: 403, body: { code: 'right-missing' } })
    await app.call('DELETE', `/keys/bob/sources/${sourceId}`)
    expect(await ask('', key)).toMatchObject({ status: 404, body: { code: 'source-not-found' } })
  })
})
