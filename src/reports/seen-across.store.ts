import { type Db } from '../storage/database.ts'
import { type TrackKey } from './track-search.ts'

/**
 * How long a track lasts, in steps of four: less than 1 s, 4 s, 16 s, … 194 days, or longer. What was seen at some moment is found by
 * it in a few short ranges of an index: of tracks of one step only those can have lasted until then that began within its limit.
 */
export const spanLimitsMs: readonly number[] = Array.from({ length: 13 }, (_, step) => 1000 * 4 ** step)

export function spanOf(durationMs: number): number {
  const step = spanLimitsMs.findIndex((limitMs) => durationMs < limitMs)
  return step < 0 ? spanLimitsMs.length : step
}

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
