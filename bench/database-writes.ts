import { setTimeout as sleep } from 'node:timers/promises'
import { type Postgres } from '../test/support/postgres.ts'

/** What writes, by what it is about; in the order of the page. */
const kinds: readonly (readonly [kind: string, tables: readonly string[]])[] = [
  ['leases of nodes', ['node']],
  ['jobs', ['job']],
  ['live paths', ['live_path']],
  ['recordings', ['recording', 'recording_segment']],
  ['state of processes', ['process']],
  ['ledger', ['charge', 'account']],
  ['reports', ['report', 'track', 'track_chunk', 'track_picture']],
  ['outbox', ['delivery', 'webhook_subscription']],
]

export interface Writes {
  readonly kind: string
  /** Statements that wrote something, a second. */
  readonly statements: number
  /** Bytes a second in the database's log, from which standbys and backups are fed. */
  readonly walBytes: number
}

export interface DatabaseLoad {
  readonly statements: number
  /** Milliseconds a second in which the database worked on them. */
  readonly workMs: number
  readonly writes: readonly Writes[]
}

/** Of a server with `shared_preload_libraries=pg_stat_statements`. */
export async function measureDatabase(postgres: Postgres, seconds: number): Promise<DatabaseLoad> {
  await postgres.query('select pg_stat_statements_reset()')
  const startedAt = performance.now()
  await sleep(seconds * 1000)
  const { rows } = await postgres.query(
    `select query, calls::int, least(calls, rows)::int as writing, total_exec_time as ms, wal_bytes::float8 as wal from pg_stat_statements
      join pg_database on pg_database.oid = dbid where datname = current_database() and query not like '%pg_stat_statements%'`,
  )
  const tookSeconds = (performance.now() - startedAt) / 1000
  const sum = (of: Readonly<typeof rows>, column: 'calls' | 'writing' | 'ms' | 'wal') =>
    of.reduce((total, row) => total + Number(row[column]), 0) / tookSeconds
  const writing = kinds.map(([kind, tables]) => {
    const own = rows.filter((row) => Number(row['wal']) > 0 && tables.includes(writtenTable(String(row['query']))))
    return { kind, statements: sum(own, 'writing'), walBytes: sum(own, 'wal') }
  })
  return { statements: sum(rows, 'calls'), workMs: sum(rows, 'ms'), writes: writing }
}

const writtenTable = (query: string) => /^\s*(?:insert into|update|delete from) "?(\w+)/i.exec(query)?.[1] ?? ''
