import { type OwnNode } from '../core/own-node.ts'
import { type Queryable } from '../storage/database.ts'
import { type HeldBytes } from '../storage/kept-files.ts'
import { isOfNode } from '../storage/queries.ts'

/** The folder of uploaded videos, below the data folder. */
export const VIDEOS = 'videos'

/** The files of uploaded videos, as the rows of sources name them. Sources of one account may share a file. */
export interface VideoFileStore {
  /** Of the account's files, each counted once. */
  usedBytes(accountId: string): Promise<number>
  /** The same by account, of all accounts, of what this node has. */
  heldBytes(): Promise<HeldBytes>
  /** Where a source's file is below the folder of videos. */
  findFile(id: string): Promise<string | undefined>
  /** The node that has the file of a source, while it is alive; undefined where there is no file, or no node. */
  findFileNode(id: string): Promise<string | undefined>
  /** Of all accounts: those of this node that the object store does not know of. */
  listUnstored(): Promise<{ readonly file: string; readonly accountId: string }[]>
  /** The sources that have a file. */
  listSourcesOf(file: string): Promise<string[]>
  /** Of all accounts. */
  listFiles(): Promise<string[]>
  isFileUsed(file: string): Promise<boolean>
  /** By a source of this node: of the same content each node has a file that took it. */
  isFileUsedHere(file: string): Promise<boolean>
}

/** Also within a transaction. */
export function createVideoFileStore(db: Queryable, node: OwnNode | null = null): VideoFileStore {
  const stored = () =>
    db
      .selectFrom('source')
      .select((eb) => ['account_id', 'file', eb.fn.max('size_bytes').as('size_bytes')])
      .where('file', 'is not', null)
      .groupBy(['account_id', 'file'])
  const usersOf = (file: string) => db.selectFrom('source').select('id').where('file', '=', file).limit(1)
  const own = () => (node ? stored().where(isOfNode(node)) : stored())

  return {
    async usedBytes(accountId) {
      const row = await db
        .selectFrom(stored().where('account_id', '=', accountId).as('stored'))
        .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('size_bytes'), eb.lit(0)).as('bytes'))
        .executeTakeFirstOrThrow()
      return row.bytes
    },
    async heldBytes() {
      const rows = await db
        .selectFrom(own().as('stored'))
        .select((eb) => ['account_id', eb.fn.sum<number>('size_bytes').as('bytes')])
        .groupBy('account_id')
        .execute()
      return new Map(rows.map(({ account_id, bytes }) => [account_id, bytes]))
    },
    async findFile(id) {
      const row = await db.selectFrom('source').select('file').where('id', '=', id).executeTakeFirst()
      return row?.file ?? undefined
    },
    async findFileNode(id) {
      const row = await db
        .selectFrom('source')
        .innerJoin('node', 'node.id', 'source.node_id')
        .select('node.id')
        .where('source.id', '=', id)
        .where('source.file', 'is not', null)
        .where('node.is_alive', '=', 1)
        .executeTakeFirst()
      return row?.id
    },
    async listFiles() {
      const rows = await db.selectFrom('source').select('file').distinct().where('file', 'is not', null).execute()
      return rows.map(({ file }) => file!)
    },
    async listUnstored() {
      const rows = await own()
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('stored_file')
                .select('stored_file.file')
                .where('stored_file.file', '=', eb(eb.val(`${VIDEOS}/`), '||', eb.ref('source.file'))),
            ),
          ),
        )
        .execute()
      return rows.map(({ file, account_id: accountId }) => ({ file: file!, accountId }))
    },
    async listSourcesOf(file) {
      const rows = await db.selectFrom('source').select('id').where('file', '=', file).execute()
      return rows.map(({ id }) => id)
    },
    async isFileUsed(file) {
      return (await usersOf(file).execute()).length > 0
    },
    async isFileUsedHere(file) {
      return (await usersOf(file).where(isOfNode(node)).execute()).length > 0
    },
  }
}
