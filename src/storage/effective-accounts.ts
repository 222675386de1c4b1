import { type RawBuilder, sql } from 'kysely'
import { FIRST_MASTER } from '../core/account.ts'
import { type Queryable } from './database.ts'

const ownColumns = [
  'id',
  'username',
  'master_id',
  'key_sha256',
  'key_ha1',
  'remaining_seconds',
  'consumed_seconds',
  'pending_seconds',
  'unlimited_seconds',
  'uncharged_ms',
  'created_at',
  'purged_at',
] as const

/** The smaller one counts. Flags are 0 or 1: of those, what both have. */
const clampedColumns = [
  'max_sources',
  'max_outputs',
  'max_attached_outputs',
  'max_processes',
  'max_video_upload_size_bytes',
  'total_storage_size_bytes',
  'max_hls_streams',
  'max_webrtc_sessions',
  'max_readers',
  'track_logger',
  'enhancement',
  'unlimited',
] as const

/**
 * Clamped likewise, but not by the first master: it is the operator's own, and for how long that keeps its own video
 * says nothing about what it may give to others.
 */
const clampedUnlessByFirst = ['process_recording', 'recording_retention_days'] as const

/**
 * Accounts as they count: no child may do more, or for longer, than its master. Clamped whenever they are read, so that
 * a change of a master's rights changes its children's too, while what a child was given stays written down.
 */
export function effectiveAccounts(db: Queryable) {
  return db
    .selectFrom('account')
    .leftJoin('account as master', 'master.id', 'account.master_id')
    .select(ownColumns.map((name) => `account.${name}` as const))
    .select(clampedColumns.map((name) => smallerOf(name).as(name)))
    .select(clampedUnlessByFirst.map((name) => smallerOf(name, notByFirst).as(name)))
    .select([trackDays.as('track_retention_days'), alertDays.as('alert_retention_days')])
    .select([
      earlierOf<string>('expiration_date').as('expiration_date'),
      earlierOf<number>('revoked_at').as('revoked_at'),
    ])
}

const notByFirst = sql<boolean>`master.username <> ${FIRST_MASTER}`

/** Without a master there is nothing to compare with, and the account's own counts. */
function smallerOf(column: string, condition = sql<boolean>`1 = 1`) {
  const [own, masters] = bothOf(column)
  return sql<number>`case when ${condition} and ${masters} < ${own} then ${masters} else ${own} end`
}

function largerOf(one: RawBuilder<number>, other: RawBuilder<number>) {
  return sql<number>`case when ${one} > ${other} then ${one} else ${other} end`
}

/** Null is never. */
function earlierOf<T>(column: string) {
  const [own, masters] = bothOf(column)
  return sql<T | null>`case when ${own} is null or ${masters} < ${own} then ${masters} else ${own} end`
}

const bothOf = (column: string) => [sql.ref(`account.${column}`), sql.ref(`master.${column}`)] as const

/** Clamped likewise. What is of more importance is kept for at least as long as the rest, whatever was written for it. */
const retentionDays = (name: string) => smallerOf(`${name}_retention_days`, notByFirst)
const trackDays = largerOf(retentionDays('track'), retentionDays('recording'))
const alertDays = largerOf(retentionDays('alert'), trackDays)
