import { type Stretch } from '../core/recorded-time.ts'
import { type Db } from '../storage/database.ts'

/** What a clip may be of, as others have written it down. */
export interface ClipSubjectStore {
  findSource(id: string): Promise<ClipSource | undefined>
  findProcess(id: string): Promise<ClipSubject | undefined>
  /** Of a process that still has its report. */
  findTrack(processId: string, trackId: number): Promise<ClipSubject | undefined>
  findEvent(id: string): Promise<ClipEvent | undefined>
}

export interface ClipSource {
  readonly id: string
  readonly accountId: string
  readonly alias: string
}

/** From its first to its last moment; a process that goes on has none yet. */
export interface ClipSubject {
  readonly accountId: string
  readonly sourceId: string
  readonly from: number
  readonly to: number | null
}

export interface ClipEvent extends Stretch {
  readonly accountId: string
  readonly sourceId: string
  readonly processId: string
}

export function createClipSubjectStore(db: Db): ClipSubjectStore {
  return {
    async findSource(id) {
      const query = db.selectFrom('source').select(['id', 'account_id', 'alias']).where('id', '=', id)
      const row = await query.executeTakeFirst()
      return row && { id: row.id, accountId: row.account_id, alias: row.alias }
    },
    async findProcess(id) {
      const row = await db
        .selectFrom('process')
        .select(['account_id', 'source_id', 'created_at', 'started_at', 'stopped_at'])
        .where('id', '=', id)
        .executeTakeFirst()
      return (
        row && {
          accountId: row.account_id,
          sourceId: row.source_id,
          from: row.started_at ?? row.created_at,
          to: row.stopped_at,
        }
      )
    },
    async findTrack(processId, trackId) {
      const row = await db
        .selectFrom('track')
        .innerJoin('process', 'process.id', 'track.process_id')
        .select(['process.account_id', 'process.source_id', 'track.first_seen_at', 'track.last_seen_at'])
        .where('process.is_reported', '=', 1)
        .where('track.process_id', '=', processId)
        .where('track.track_id', '=', trackId)
        .executeTakeFirst()
      return (
        row && {
          accountId: row.account_id,
          sourceId: row.source_id,
          from: row.first_seen_at,
          to: row.last_seen_at,
        }
      )
    },
    async findEvent(id) {
      const row = await db
        .selectFrom('alert_event')
        .select(['account_id', 'source_id', 'process_id', 'at', 'started_at'])
        .where('id', '=', id)
        .executeTakeFirst()
      return (
        row && {
          accountId: row.account_id,
          sourceId: row.source_id,
          processId: row.process_id,
          from: row.started_at,
          to: row.at,
        }
      )
    },
  }
}
