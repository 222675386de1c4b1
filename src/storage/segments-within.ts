import { type SelectQueryBuilder } from 'kysely'
import { type Stretch } from '../core/recorded-time.ts'
import { type Tables } from './schema.ts'

/** Files of a path follow each other: one of the last that begin before a stretch may reach into it, even where the clock was set. */
const BEFORE = 3

/** What a query selects of those files of recordings that may have something of a stretch, by time; the first ones may end before it. */
export async function listSegmentsWithin<Row>(
  segments: SelectQueryBuilder<Tables, 'recording_segment' | 'recording', Row>,
  { from, to }: Stretch,
): Promise<Row[]> {
  const [before, within] = await Promise.all([
    segments
      .where('recording_segment.started_at', '<=', from)
      .orderBy('recording_segment.started_at', 'desc')
      .limit(BEFORE)
      .execute(),
    segments
      .where('recording_segment.started_at', '>', from)
      .where('recording_segment.started_at', '<', to)
      .orderBy('recording_segment.started_at')
      .orderBy('recording_segment.id')
      .execute(),
  ])
  return [...before.toReversed(), ...within] as Row[]
}
