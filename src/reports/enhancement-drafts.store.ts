import { type Enhanced } from '../enhance/messages.ts'
import { type Db } from '../storage/database.ts'
import { type SizeNumbers } from './report.ts'
import { fromList } from './stored-track.ts'

/** A track that the enhancement has not come to. */
export interface WaitingTrack {
  readonly trackId: number
  readonly className: string
}

export interface UnreadTracks {
  readonly needed: number
  readonly unread: number
  readonly cause: string | undefined
}

/** What a run has found out about the tracks of a report; it is shown when the run is finished. */
export interface EnhancementDraftStore {
  listWaiting(processId: string, limit: number): Promise<WaitingTrack[]>
  listSizes(processId: string, trackId: number): Promise<SizeNumbers[]>
  /** It is shown when the run is finished. */
  put(processId: string, trackId: number, enhanced: Enhanced, now: number): Promise<void>
  /** Of the run under way, or of the result that is shown. */
  progress(processId: string, isRunning: boolean): Promise<{ done: number; total: number }>
  /** Of the run under way: how many tracks needed pictures, how many of them had none that could be read, and why the first had none. */
  countUnread(processId: string): Promise<UnreadTracks>
}

/** The last ones of a track that are looked at for its size; more would not make the median better. */
const SIZE_CHUNKS = 8

export function createEnhancementDraftStore(db: Db): EnhancementDraftStore {
  return {
    async listWaiting(processId, limit) {
      const rows = await db
        .selectFrom('track')
        .select(['track_id', 'class_name'])
        .where('process_id', '=', processId)
        .where('draft_at', 'is', null)
        .orderBy('track_id')
        .limit(limit)
        .execute()
      return rows.map(({ track_id, class_name }) => ({ trackId: track_id, className: class_name }))
    },
    async listSizes(processId, trackId) {
      const rows = await db
        .selectFrom('track_chunk')
        .select('sizes')
        .where('process_id', '=', processId)
        .where('track_id', '=', trackId)
        .orderBy('chunk', 'desc')
        .limit(SIZE_CHUNKS)
        .execute()
      return rows.flatMap(({ sizes }) => fromList<SizeNumbers | null>(sizes).filter((size) => size !== null))
    },
    async put(processId, trackId, { data, needsPictures, unread }, now) {
      await db
        .updateTable('track')
        .set({
          draft_at: now,
          draft_data: JSON.stringify(data),
          draft_unread: unread ?? (needsPictures ? '' : null),
        })
        .where('process_id', '=', processId)
        .where('track_id', '=', trackId)
        .execute()
    },
    progress: (processId, isRunning) =>
      db
        .selectFrom('track')
        .select((eb) => [
          eb.fn.countAll<number>().as('total'),
          eb.fn.count<number>(isRunning ? 'draft_at' : 'enhanced_at').as('done'),
        ])
        .where('process_id', '=', processId)
        .executeTakeFirstOrThrow(),
    async countUnread(processId) {
      const tracks = db.selectFrom('track').where('process_id', '=', processId)
      const unreadTracks = tracks.where('draft_unread', '<>', '')
      const { needed } = await tracks
        .select((eb) => eb.fn.count<number>('draft_unread').as('needed'))
        .executeTakeFirstOrThrow()
      const { unread } = await unreadTracks
        .select((eb) => eb.fn.countAll<number>().as('unread'))
        .executeTakeFirstOrThrow()
      const first = await unreadTracks.select('draft_unread as cause').orderBy('track_id').limit(1).executeTakeFirst()
      return { needed, unread, cause: first?.cause ?? undefined }
    },
  }
}
