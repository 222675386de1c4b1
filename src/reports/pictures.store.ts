import { type Db } from '../storage/database.ts'
import { type TrackPictureRow } from '../storage/schema.ts'
import { listReported } from './tracks.store.ts'

export interface PictureStore {
  /** Each takes the place of an earlier one of the same track, role and slot. Answers the files that nobody's report wants. */
  put(pictures: readonly TrackPictureRow[]): Promise<string[]>
  listOf(processId: string, trackId: number): Promise<TrackPictureRow[]>
  listFiles(processId: string): Promise<string[]>
  totalBytes(): Promise<number>
}

/** As many rows as fit into one statement's parameters, in every database. */
const ROWS_A_STATEMENT = 500

export function createPictureStore(db: Db): PictureStore {
  return {
    put: (pictures) =>
      db.transaction().execute(async (tx) => {
        const reported = await listReported(tx, [...new Set(pictures.map(({ process_id }) => process_id))])
        const wanted = pictures.filter(({ process_id }) => reported.has(process_id))
        for (let at = 0; at < wanted.length; at += ROWS_A_STATEMENT)
          await tx
            .insertInto('track_picture')
            .values(wanted.slice(at, at + ROWS_A_STATEMENT))
            .onConflict((conflict) =>
              conflict.columns(['process_id', 'track_id', 'role', 'slot']).doUpdateSet((eb) => ({
                file: eb.ref('excluded.file'),
                size_bytes: eb.ref('excluded.size_bytes'),
                confidence: eb.ref('excluded.confidence'),
                quality: eb.ref('excluded.quality'),
                taken_at: eb.ref('excluded.taken_at'),
              })),
            )
            .execute()
        return pictures.filter(({ process_id }) => !reported.has(process_id)).map(({ file }) => file)
      }),
    listOf: (processId, trackId) =>
      db
        .selectFrom('track_picture')
        .selectAll()
        .where('process_id', '=', processId)
        .where('track_id', '=', trackId)
        .orderBy('quality', 'desc')
        .execute(),
    async listFiles(processId) {
      const rows = await db.selectFrom('track_picture').select('file').where('process_id', '=', processId).execute()
      return rows.map(({ file }) => file)
    },
    async totalBytes() {
      const sum = db
        .selectFrom('track_picture')
        .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('size_bytes'), eb.lit(0)).as('bytes'))
      return (await sum.executeTakeFirstOrThrow()).bytes
    },
  }
}
