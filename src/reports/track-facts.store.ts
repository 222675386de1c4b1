import { type Db } from '../storage/database.ts'

/** Of a track, whose it is and since when it is seen. */
export interface TrackFactStore {
  /** The account of a process. */
  ownerOf(processId: string): Promise<string | undefined>
  find(processId: string, trackId: number): Promise<SeenTrack | undefined>
}

export interface SeenTrack {
  readonly firstSeenAt: number
}

export function createTrackFactStore(db: Db): TrackFactStore {
  return {
    async ownerOf(processId) {
      const query = db.selectFrom('process').select('account_id').where('id', '=', processId)
      return (await query.executeTakeFirst())?.account_id
    },
    async find(processId, trackId) {
      const row = await db
        .selectFrom('track')
        .select('first_seen_at')
        .where('process_id', '=', processId)
        .where('track_id', '=', trackId)
        .executeTakeFirst()
      return row && { firstSeenAt: row.first_seen_at }
    },
  }
}
