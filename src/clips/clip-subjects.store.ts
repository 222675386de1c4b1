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
  const processes = () =>
    db.selectFrom('process').select(['process.account_id as accountId', 'process.source_id as sourceId'])

  return {
    findSource: (id) =>
      db
        .selectFrom('source')
        .select(['id', 'account_id as accountId', 'alias'])
        .where('id', '=', id)
        .executeTakeFirst(),
    findProcess: (id) =>
      processes()
        .select((eb) => eb.fn.coalesce('started_at', 'created_at').as('from'))
        .select('stopped_at as to')
        .where('id', '=', id)
        .executeTakeFirst(),
    findTrack: (processId, trackId) =>
      processes()
        .innerJoin('track', 'track.process_id', 'process.id')
        .select(['track.first_seen_at as from', 'track.last_seen_at as to'])
        .where('process.is_reported', '=', 1)
        .where('track.process_id', '=', processId)
        .where('track.track_id', '=', trackId)
        .executeTakeFirst(),
    findEvent: (id) =>
      db
        .selectFrom('alert_event')
        .select(['account_id as accountId', 'source_id as sourceId', 'process_id as processId'])
        .select(['started_at as from', 'at as to'])
        .where('id', '=', id)
        .executeTakeFirst(),
  }
}
