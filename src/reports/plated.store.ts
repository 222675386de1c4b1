import { type Expression, type ExpressionBuilder, sql, type SqlBool } from 'kysely'
import { type Db } from '../storage/database.ts'
import { inPattern } from '../storage/like-pattern.ts'
import { type Tables } from '../storage/schema.ts'
import { type TrackKey } from './track-search.ts'

/** More are found sooner in the order of time, where they lie close to each other. */
const MAX_PLATED = 1_000

/** The tracks of an account whose plate begins so; undefined where they are many. Few have a plate at all, so its index is short. */
export async function listPlated(db: Db, accountId: string, plate: string): Promise<TrackKey[] | undefined> {
  const rows = await db
    .selectFrom('track')
    .select(['process_id', 'track_id', 'first_seen_at'])
    .where('account_id', '=', accountId)
    .where('plate', 'is not', null)
    .where((eb) => hasPlate(eb, plate))
    .limit(MAX_PLATED + 1)
    .execute()
  if (rows.length > MAX_PLATED) return undefined
  return rows.map((row) => ({ firstSeenAt: row.first_seen_at, processId: row.process_id, trackId: row.track_id }))
}

export function hasPlate(eb: ExpressionBuilder<Tables, 'track'>, plate: string): Expression<SqlBool> {
  return sql<SqlBool>`${eb.ref('plate')} like ${`${inPattern(plate)}%`} escape '\\'`
}
