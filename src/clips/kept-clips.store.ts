import { type SelectQueryBuilder, sql } from 'kysely'
import { type OwnNode } from '../core/own-node.ts'
import { type Db } from '../storage/database.ts'
import { type HeldBytes } from '../storage/kept-files.ts'
import { inParts, isOfNode } from '../storage/queries.ts'
import { type Tables } from '../storage/schema.ts'
import { type Clip, clipFile, type ClipPart, CLIPS } from './clip.ts'
import { fromList, toClip } from './clip-row.ts'

/** What clips there are, for whoever keeps their files or lets go of them. */
export interface KeptClips {
  listOfAccount(accountId: string, limit: number): Promise<Clip[]>
  /** Those of links, done and not opened since. */
  listUnused(before: number, limit: number): Promise<Clip[]>
  /** Those of links of an account that are done, and on this disk only, the oldest first. */
  listOldestOfLinks(accountId: string, limit: number): Promise<Clip[]>
  /** On this disk, with what is held for those that are to be cut. */
  heldBytes(kind: Clip['kind']): Promise<HeldBytes>
  /** Of these, what is held for those of links that are not cut yet. */
  waitingBytesOfLinks(): Promise<HeldBytes>
  /** A part at a time: files of this node of clips that were done after this time, if the object store may not know of them. */
  listUnstored(since: number): AsyncIterable<{ readonly file: string; readonly accountId: string }[]>
}

const PART = 200
/** The last moment of a clip is the writing of its row, right after its files. */
const WRITTEN_WITHIN_MS = 60_000

export function createKeptClips(db: Db, node: OwnNode | null): KeptClips {
  return {
    async listOfAccount(accountId, limit) {
      const query = db.selectFrom('clip').selectAll().where('account_id', '=', accountId)
      return (await query.orderBy('id').limit(limit).execute()).map(toClip)
    },
    async listUnused(before, limit) {
      const query = db.selectFrom('clip').selectAll().where('kind', '=', 'link').where('used_at', '<', before)
      return (await query.where('finished_at', 'is not', null).orderBy('used_at').limit(limit).execute()).map(toClip)
    },
    async listOldestOfLinks(accountId, limit) {
      const rows = await db
        .selectFrom('clip')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('kind', '=', 'link')
        .where('state', '=', 'ready')
        .where(isOfNode(node))
        .where(isOnDiskOnly)
        .orderBy('used_at')
        .limit(limit)
        .execute()
      return rows.map(toClip)
    },
    heldBytes: (kind) =>
      sumByAccount(db.selectFrom('clip').where('kind', '=', kind).where(isOfNode(node)).where(isOnDiskOnly)),
    waitingBytesOfLinks: () =>
      sumByAccount(
        db
          .selectFrom('clip')
          .where('kind', '=', 'link')
          .where('state', 'in', ['waiting', 'working'])
          .where(isOfNode(node)),
      ),
    async *listUnstored(since) {
      const query = db
        .selectFrom('clip')
        .select(['id', 'account_id', 'parts'])
        .where('finished_at', '>=', since - WRITTEN_WITHIN_MS)
        .where('state', '=', 'ready')
        .where(isOfNode(node))
      for await (const some of inParts(query.stream(PART), PART, (row) => row))
        yield some.flatMap(({ id, account_id: accountId, parts }) =>
          fromList<ClipPart>(parts).map((_, index) => ({ file: clipFile({ id, accountId }, index + 1), accountId })),
        )
    },
  }
}

/** Its parts go to the object store together, one after the other: the first says it of all. */
function isOnDiskOnly() {
  return sql<boolean>`not exists (select 1 from stored_file where stored_file.place <> 'disk'
    and stored_file.file = ${`${CLIPS}/`} || clip.account_id || '/' || clip.id || '-1.mp4')`
}

async function sumByAccount(clips: SelectQueryBuilder<Tables, 'clip', object>): Promise<HeldBytes> {
  const rows = await clips
    .select((eb) => ['account_id', eb.fn.sum<number>('size_bytes').as('bytes')])
    .groupBy('account_id')
    .execute()
  return new Map(rows.map(({ account_id, bytes }) => [account_id, Number(bytes)]))
}
