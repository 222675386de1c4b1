import { type OwnNode } from '../core/own-node.ts'
import { type Db, type Queryable } from '../storage/database.ts'
import { type HeldBytes } from '../storage/kept-files.ts'
import { inBatches, inParts, isOfProcessOf } from '../storage/queries.ts'
import { type TrackPictureRow } from '../storage/schema.ts'
import { emptyReport, listReported } from './tracks.store.ts'

export interface PictureStore {
  /** Each takes the place of an earlier one of the same track, role and slot. Answers the files that nobody's report wants. */
  put(pictures: readonly TrackPictureRow[]): Promise<string[]>
  listOf(processId: string, trackId: number): Promise<TrackPictureRow[]>
  listFiles(processId: string): Promise<string[]>
  /** Of the processes of this node. */
  heldBytes(): Promise<HeldBytes>
  /** A part at a time: of tracks that were last seen in this time, the pictures that the object store does not know of. */
  listUnstored(from: number, to: number): AsyncIterable<{ readonly file: string; readonly accountId: string }[]>
}

const PART = 500

export function createPictureStore(db: Db, node: OwnNode | null = null): PictureStore {
  return {
    put: (pictures) =>
      db.transaction().execute(async (tx) => {
        const reported = await listReported(tx, [...new Set(pictures.map(({ process_id }) => process_id))])
        const wanted = pictures.filter(({ process_id }) => reported.has(process_id))
        for (const processId of reported.keys()) {
          const ofProcess = wanted.filter(({ process_id }) => process_id === processId)
          for (const some of inBatches(ofProcess)) await putSome(tx, processId, some)
        }
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
    async *listUnstored(from, to) {
      const query = db
        .selectFrom('process')
        .innerJoin('track', 'track.process_id', 'process.id')
        .innerJoin('track_picture', (join) =>
          join
            .onRef('track_picture.process_id', '=', 'track.process_id')
            .onRef('track_picture.track_id', '=', 'track.track_id'),
        )
        .select(['track_picture.file', 'process.account_id'])
        // By the process, whose tracks are in the order of time.
        .where((eb) => eb.or([eb('process.stopped_at', 'is', null), eb('process.stopped_at', '>=', from)]))
        .where('track.last_seen_at', '>=', from)
        .where('track.last_seen_at', '<', to)
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('stored_file')
                .select('stored_file.file')
                .whereRef('stored_file.file', '=', 'track_picture.file'),
            ),
          ),
        )
      yield* inParts(query.stream(PART), PART, ({ file, account_id: accountId }) => ({ file, accountId }))
    },
    async heldBytes() {
      const rows = await db
        .selectFrom('report')
        .innerJoin('process', 'process.id', 'report.process_id')
        .select((eb) => ['process.account_id', eb.fn.sum<number>('picture_bytes').as('bytes')])
        .where(isOfProcessOf(node, 'report.process_id'))
        .groupBy('process.account_id')
        .execute()
      return new Map(rows.map(({ account_id, bytes }) => [account_id, bytes]))
    },
  }
}

async function putSome(tx: Queryable, processId: string, pictures: readonly TrackPictureRow[]): Promise<void> {
  const ids = [...new Set(pictures.map(({ track_id }) => track_id))]
  const before = await bytesOf(tx, processId, ids)
  await tx
    .insertInto('track_picture')
    .values(pictures)
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
  const more = (await bytesOf(tx, processId, ids)) - before
  await tx
    .insertInto('report')
    .values({ ...emptyReport(processId), picture_bytes: more })
    .onConflict((conflict) =>
      conflict.column('process_id').doUpdateSet((eb) => ({ picture_bytes: eb('report.picture_bytes', '+', more) })),
    )
    .execute()
}

async function bytesOf(tx: Queryable, processId: string, trackIds: readonly number[]): Promise<number> {
  const sum = tx
    .selectFrom('track_picture')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('size_bytes'), eb.lit(0)).as('bytes'))
    .where('process_id', '=', processId)
    .where('track_id', 'in', trackIds)
  return (await sum.executeTakeFirstOrThrow()).bytes
}
