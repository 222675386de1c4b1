import { type Db } from '../storage/database.ts'
import { type TrackKey } from './track-search.ts'
import { spanLimitsMs } from './track-span.ts'

/**
 * Tracks of an account that were first seen before a moment, and last at it or later: few, however many there are. A statement for each
 * step of their duration, since a database without statistics takes another index for all of them together.
 */
export async function listSeenAcross(db: Db, accountId: string, time: number): Promise<TrackKey[]> {
  const found: TrackKey[] = []
  for (let step = 0; step <= spanLimitsMs.length; step++) {
    const limitMs = spanLimitsMs[step]
    const rows = await db
      .selectFrom('track')
      .select(['first_seen_at as firstSeenAt', 'process_id as processId', 'track_id as trackId'])
      .where('account_id', '=', accountId)
      .where('span', '=', step)
      .where('first_seen_at', '<', time)
      .$if(limitMs !== undefined, (query) => query.where('first_seen_at', '>', time - limitMs!))
      .where('last_seen_at', '>=', time)
      .execute()
    found.push(...rows)
  }
  return found
}
