import { sql } from 'kysely'
import { type Stretch } from '../core/recorded-time.ts'
import { type Db } from '../storage/database.ts'
import { listSegmentsWithin } from '../storage/segments-within.ts'
import { listSourcesOnPathOf } from '../storage/sources-on-path.ts'
import { type AlertEventRow } from '../storage/schema.ts'
import { filesWithin } from './detection-files.store.ts'
import { type RecordedStretchOfFile } from './recorded-line.ts'
import { type Grid } from './steps.ts'
import { type MinutesOfFile } from './track-counts.ts'

/** What is of a source, or of one process on it. */
export interface OfSource {
  readonly sourceId: string
  readonly processId: string | undefined
}

/** What a line of time is made of: of rows alone, whatever they are about. */
export interface TimelineStore {
  /** The files of the account's sources on the path of this one, by time; that which is being written ends now. */
  listRecorded(sourceId: string, stretch: Stretch, now: number): Promise<RecordedStretchOfFile[]>
  listMinutes(of: OfSource, stretch: Stretch): Promise<MinutesOfFile[]>
  /** How many alert events there were in steps that had any. */
  countAlertEvents(of: OfSource, grid: Grid): Promise<ReadonlyMap<number, number>>
  /** The newest first. */
  listAlertEvents(of: OfSource, stretch: Stretch, limit: number): Promise<ListedAlert[]>
}

export type ListedAlert = Pick<AlertEventRow, 'id' | 'alert_id' | 'alias' | 'type' | 'event' | 'at' | 'process_id'>

export function createTimelineStore(db: Db): TimelineStore {
  return {
    async listRecorded(sourceId, stretch, now) {
      const files = db
        .selectFrom('recording_segment')
        .innerJoin('recording', 'recording.id', 'recording_segment.recording_id')
        .select(['recording_segment.started_at', 'recording_segment.duration_ms', 'recording_segment.gap_ms'])
        .select('recording.ended_at')
        .where('recording_segment.source_id', 'in', await listSourcesOnPathOf(db, sourceId))
      const rows = await listSegmentsWithin(files, stretch)
      return rows.flatMap(({ started_at: startedAt, duration_ms, gap_ms, ended_at }) => {
        // Of a recording that has ended, one without a duration could not be read.
        const durationMs = duration_ms ?? (ended_at === null ? Math.max(0, now - startedAt) : 0)
        return durationMs > 0 ? [{ startedAt, endedAt: startedAt + durationMs, gapMs: gap_ms }] : []
      })
    },
    async listMinutes({ sourceId, processId }, stretch) {
      const rows = await filesWithin(db, sourceId, stretch)
        .select(['process_id', 'started_at', 'minutes'])
        .$if(processId !== undefined, (query) => query.where('process_id', '=', processId!))
        .execute()
      return rows.map(({ process_id, started_at, minutes }) => ({
        processId: process_id,
        startedAt: started_at,
        minutes,
      }))
    },
    async countAlertEvents({ sourceId, processId }, { from, to, stepMs }) {
      // Cast, since SQLite binds numbers as such with a fraction, by which nothing is divided to a whole.
      const step = sql<number>`(at - cast(${from} as bigint)) / cast(${stepMs} as bigint)`
      const rows = await db
        .selectFrom('alert_event')
        .select((eb) => [step.as('step'), eb.fn.countAll<number>().as('count')])
        .where('source_id', '=', sourceId)
        .where('at', '>=', from)
        .where('at', '<', to)
        .$if(processId !== undefined, (query) => query.where('process_id', '=', processId!))
        .groupBy('step')
        .execute()
      return new Map(rows.map((row) => [Number(row.step), Number(row.count)]))
    },
    listAlertEvents: ({ sourceId, processId }, { from, to }, limit) =>
      db
        .selectFrom('alert_event')
        .select(['id', 'alert_id', 'alias', 'type', 'event', 'at', 'process_id'])
        .where('source_id', '=', sourceId)
        .where('at', '>=', from)
        .where('at', '<', to)
        .$if(processId !== undefined, (query) => query.where('process_id', '=', processId!))
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),
  }
}
