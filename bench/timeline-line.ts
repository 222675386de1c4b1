import { join } from 'node:path'
import { orderedUuid } from '../src/core/ordered-uuid.ts'
import { type Db, openDatabase } from '../src/storage/database.ts'
import { anAlertEventRow, aDetectionFileRow, aProcessStateChangeRow } from '../test/builders/recorded-rows.ts'
import { createInstallation } from '../test/support/service.ts'
import { type RunningService } from '../test/support/installation.ts'
import { ms, type Row } from './benchmark.ts'

const HOUR_MS = 3_600_000
const TRACKS = 100_000
const PROCESSES = 4
const EVENTS = 2_000
const SEGMENTS = 1_440
const TURNS = 200
const GOAL_MS = 100

/** A day of a source that much happened in, as the console asks for it: over HTTP, by one client. */
export async function measureLine(): Promise<Row[]> {
  const installation = createInstallation()
  try {
    const service = await installation.start({ AERIE_LOG_LEVEL: 'warn' })
    const body = { alias: 'gate', input_url: 'rtsp://localhost:8554/admin/gate', stream_type: 'rtsp' }
    const created = await service.call('POST', '/stream', { body })
    const { source_uuid: sourceId } = (await created.json()) as { source_uuid: string }
    const from = Date.now() - 24 * HOUR_MS
    await fill(installation.dataDir, sourceId, from)
    const { p50, p99, bytes } = await ask(service, `/source/${sourceId}/timeline?from=${new Date(from).toISOString()}`)
    const what = `line of a day (${TRACKS} tracks, ${PROCESSES} processes, ${EVENTS} alert events): p50 / p99`
    const value = `${ms(p50)} / ${ms(p99)}, ${(bytes / 1000).toFixed(0)} kB`
    return [{ what, value, goal: `p99 < ${GOAL_MS} ms`, isMet: p99 < GOAL_MS }]
  } finally {
    await installation.remove()
  }
}

async function ask(service: RunningService, path: string) {
  const times: number[] = []
  let bytes = 0
  for (let turn = 0; turn < TURNS; turn++) {
    const began = performance.now()
    const response = await service.call('GET', path)
    bytes = (await response.arrayBuffer()).byteLength
    if (!response.ok) throw new Error(`The line was answered by ${response.status}.`)
    times.push(performance.now() - began)
  }
  times.sort((a, b) => a - b)
  return { p50: times[TURNS / 2]!, p99: times[Math.floor(TURNS * 0.99)]!, bytes }
}

async function fill(dataDir: string, sourceId: string, from: number): Promise<void> {
  const database = openDatabase(`sqlite:${join(dataDir, 'aerie.db')}`)
  try {
    const { id } = await database.db.selectFrom('account').select('id').executeTakeFirstOrThrow()
    const own = { account_id: id, source_id: sourceId }
    await fillRecordings(database.db, own, from)
    await fillSeen(database.db, own, from)
  } finally {
    await database.close()
  }
}

interface Own {
  readonly account_id: string
  readonly source_id: string
}

/** A file a minute, of which one in a hundred is missing. */
async function fillRecordings(db: Db, own: Own, from: number): Promise<void> {
  const recording = { ...own, id: orderedUuid(), alias: 'gate', started_at: from, ended_at: null, node_id: null }
  await db.insertInto('recording').values(recording).execute()
  for (let index = 0; index < SEGMENTS; index++) {
    if (index % 100 === 50) continue
    const times = { started_at: from + index * 60_000, duration_ms: 60_000, gap_ms: index % 100 === 51 ? 60_000 : 0 }
    const file = { id: orderedUuid(), recording_id: recording.id, file: `recordings/${index}.mp4`, size_bytes: 1 }
    const rest = { importance: 1 as const, rest_until: null, fragments: 'x'.repeat(260) }
    await db
      .insertInto('recording_segment')
      .values({ ...own, ...times, ...file, ...rest })
      .execute()
  }
}

/** Tracks are spread evenly; each is seen in two minutes. */
async function fillSeen(db: Db, own: Own, from: number): Promise<void> {
  const perMinute = Math.ceil(TRACKS / PROCESSES / (24 * 60))
  const counts = [perMinute * 2, perMinute]
  const m = Object.fromEntries(Array.from({ length: 60 }, (_, minute) => [minute, counts]))
  const minutes = JSON.stringify({ classes: ['person'], m, after: 0, last: 0 })
  const firstHour = Math.floor(from / HOUR_MS) * HOUR_MS
  const processIds = Array.from({ length: PROCESSES }, () => orderedUuid())
  for (const process_id of processIds) {
    for (let hour = 0; hour <= 24; hour++) {
      const started_at = firstHour + hour * HOUR_MS
      const times = { started_at, ended_at: started_at + HOUR_MS - 1 }
      const row = aDetectionFileRow({ ...own, ...times, id: orderedUuid(), process_id, minutes })
      await db.insertInto('detection_file').values(row).execute()
    }
    for (let change = 0; change < 20; change++) {
      const at = from + change * HOUR_MS
      const state = change % 2 === 0 ? 'running' : 'reconnecting'
      await db.insertInto('process_state_change').values(aProcessStateChangeRow({ ...own, process_id, at, state })).execute() // prettier-ignore
    }
  }
  for (let index = 0; index < EVENTS; index++) {
    const at = from + index * 43_000
    const event = anAlertEventRow({
      ...own,
      id: orderedUuid(),
      process_id: processIds[0]!,
      alert_id: orderedUuid(),
      at,
    })
    await db.insertInto('alert_event').values(event).execute()
  }
}
