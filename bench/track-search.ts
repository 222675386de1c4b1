import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { sql } from 'kysely'
import { type TrackKey, type TrackSearch } from '../src/reports/track-search.ts'
import { createTrackSearchStore, type TrackSearchStore } from '../src/reports/track-search.store.ts'
import { type Db, openDatabase } from '../src/storage/database.ts'
import { migrate, schemaVersions } from '../src/storage/migrate.ts'
import { ms, type Row } from './benchmark.ts'

const TRACKS = 1_000_000
const PROCESSES = 20
/** One track begins every so often, for a month. */
const EVERY_MS = 2_592
const START = Date.UTC(2026, 0, 1)
const PAGE = 100
const TURNS = 100
const GOAL_MS = 50

/** Rounds of a page each, every one of them another place in time or space where that makes a difference. */
const searches: Readonly<Record<string, (turn: number) => { search: TrackSearch; after?: TrackKey }>> = {
  'the newest page': () => ({ search: { range: {} } }),
  'from and to, an hour in the middle': (turn) => ({ search: { range: hourAt(turn) } }),
  'a class, one track in twenty': () => ({ search: { range: {}, className: 'dog' } }),
  'a class that nothing has': () => ({ search: { range: {}, className: 'zebra' } }),
  'a source': (turn) => ({ search: { range: {}, sourceId: uuidOf(100 + (turn % 10)) } }),
  'a source and a class, from and to': (turn) => ({
    search: { range: hourAt(turn), sourceId: uuidOf(100 + (turn % 10)), className: 'dog' },
  }),
  'near (5 m), 50 tracks': (turn) => ({ search: { range: {}, near: around(turn, 5) } }),
  'near (1 km), 9,000 tracks': (turn) => ({ search: { range: {}, near: around(turn, 1_000) } }),
  'near (20 km), 180,000 tracks': (turn) => ({ search: { range: {}, near: around(turn, 20_000) } }),
  'a deep page, after 900,000 tracks': (turn) => ({
    search: { range: {} },
    after: { firstSeenAt: START + (100_000 + turn) * EVERY_MS, processId: uuidOf(1), trackId: 1 },
  }),
}

const hourAt = (turn: number) => ({
  from: START + (300_000 + turn * 1_000) * EVERY_MS,
  to: START + (300_000 + turn * 1_000) * EVERY_MS + 3_600_000,
})
const around = (turn: number, radiusM: number) => ({ latitude: 48.4 + turn / 1e3, longitude: 11.5, radiusM })
const uuidOf = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`

/** Pages of a search among a million tracks of one account, in this process: SQLite holds up whoever asks it. */
export async function measureTrackSearch(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'aerie-bench-tracks-'))
  const database = openDatabase(`sqlite:${join(folder, 'aerie.db')}`)
  try {
    const upgradeMs = await fill(database.db)
    const store = createTrackSearchStore(database.db)
    const rows: Row[] = [{ what: `upgrade of a database with ${TRACKS} tracks`, value: ms(upgradeMs) }]
    for (const [what, searchAt] of Object.entries(searches)) {
      const { p50, p99, stallMs } = await measure(store, searchAt)
      const value = `${ms(p50)} / ${ms(p99)}, stall ${ms(stallMs)}`
      rows.push({ what: `${what}: p50 / p99`, value, goal: `p99 < ${GOAL_MS} ms`, isMet: p99 < GOAL_MS })
    }
    return rows
  } finally {
    await database.close()
    rmSync(folder, { recursive: true })
  }
}

async function measure(store: TrackSearchStore, searchAt: (typeof searches)[string]) {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const times: number[] = []
  delay.enable()
  for (let turn = 0; turn < TURNS; turn++) {
    const { search, after } = searchAt(turn)
    const began = performance.now()
    await store.search('account', search, { limit: PAGE, after })
    times.push(performance.now() - began)
    // The monitor looks at timers, which have their turn here.
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  delay.disable()
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(times.length * share)]!
  return { p50: at(0.5), p99: at(0.99), stallMs: delay.max / 1e6 }
}

/** As a database of before the search was, then upgraded. Answers how long that took. */
async function fill(db: Db): Promise<number> {
  await migrate(db, schemaVersions[schemaVersions.indexOf('0023-track-search') - 1])
  await sql`insert into account (id, username, max_sources, max_outputs, max_attached_outputs, max_processes,
    max_video_upload_size_bytes, total_storage_size_bytes, track_logger, enhancement, process_recording,
    recording_retention_days, created_at) values ('account', 'bench', 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)`.execute(db)
  for (let number = 0; number < PROCESSES; number++)
    await sql`insert into process (id, account_id, source_id, source_url, source_type, state, options, created_at, restarts,
      last_track_id, is_reported) values (${uuidOf(number)}, 'account', ${uuidOf(100 + (number % 10))}, 'rtsp://camera',
      'stream', 'stopped', '{}', ${START}, 0, 0, 1)`.execute(db)
  // Half of the cameras know where they look. Most tracks last for seconds, one in a thousand for ten minutes, a few for eight hours.
  await sql`insert into track (process_id, track_id, class_id, class_name, sightings, first_seen_at, last_seen_at, box,
      first_location, last_location)
    with recursive number(n) as (select 0 union all select n + 1 from number where n < ${TRACKS - 1})
    select printf('00000000-0000-7000-8000-%012d', n % ${PROCESSES}), n / ${PROCESSES} + 1, 0,
      case when n % 19 = 0 then 'dog' when n % 3 = 0 then 'car' else 'person' end, 50, ${START} + n * ${EVERY_MS},
      ${START} + n * ${EVERY_MS} + case when n % 100003 = 0 then 28800000 when n % 1009 = 0 then 600000 else n % 10000 end,
      '[412.5,220.1,96.3,61.8]',
      case when n % 2 = 0 then printf('{"latitude":%.9f,"longitude":11.5,"altitude":519.2,"timestamp":1}', 48 + (n * 7919 % 1000003) / 1e6) end,
      case when n % 2 = 0 then printf('{"latitude":%.9f,"longitude":11.5,"altitude":519.2,"timestamp":2}', 48 + (n * 7919 % 1000003) / 1e6) end
    from number`.execute(db)
  const began = performance.now()
  await migrate(db)
  return performance.now() - began
}
