import { type Page, type PageRequest, toPage } from '../core/page.ts'
import { type GivenSource, type SourceRight } from '../core/source-rights.ts'
import { type Db, lockActiveAccount, type Queryable } from '../storage/database.ts'

/** As they were given, whether or not they count. */
export interface StoredRights {
  readonly sourceId: string
  readonly rights: readonly SourceRight[]
  readonly createdAt: number
}

/** Rights on the sources of others. One on a source of its own says nothing: it may do everything with it. */
export interface SourceRightStore {
  find(accountId: string, sourceId: string): Promise<GivenSource | undefined>
  findByProcess(accountId: string, processId: string): Promise<GivenSource | undefined>
  /** Of the sources on a path of the media server. */
  listByPath(accountId: string, path: string): Promise<GivenSource[]>
  listAll(accountId: string): Promise<GivenSource[]>
  /**
   * In the place of those that it had on the source, whose first date stays. Undefined where the source is neither the master's
   * nor of one of its children whose keys count.
   */
  put(
    masterId: string,
    accountId: string,
    rights: StoredRights,
  ): Promise<{ readonly stored: StoredRights; readonly isNew: boolean } | undefined>
  /** False where there were none. */
  remove(accountId: string, sourceId: string): Promise<boolean>
  /** The sources that were registered last first. */
  listPage(accountId: string, page: PageRequest): Promise<Page<StoredRights>>
}

export function createSourceRightStore(db: Db): SourceRightStore {
  const given = (accountId: string) =>
    db
      .selectFrom('source_right')
      .innerJoin('source', 'source.id', 'source_right.source_id')
      .select(['source_right.source_id', 'source_right.rights', 'source.account_id as owner_id'])
      .where('source_right.account_id', '=', accountId)
      .where('source.account_id', '<>', accountId)

  return {
    async find(accountId, sourceId) {
      const row = await given(accountId).where('source_right.source_id', '=', sourceId).executeTakeFirst()
      return row && toGiven(row)
    },
    async findByProcess(accountId, processId) {
      const row = await given(accountId)
        .innerJoin('process', (join) =>
          join.onRef('process.source_id', '=', 'source.id').onRef('process.account_id', '=', 'source.account_id'),
        )
        .where('process.id', '=', processId)
        .executeTakeFirst()
      return row && toGiven(row)
    },
    async listByPath(accountId, path) {
      return (await given(accountId).where('source.media_path', '=', path).execute()).map(toGiven)
    },
    async listAll(accountId) {
      return (await given(accountId).orderBy('source_right.source_id').execute()).map(toGiven)
    },
    put: (masterId, accountId, rights) =>
      db.transaction().execute(async (tx) => {
        await lockActiveAccount(tx, accountId)
        if (!(await lockSourceOf(tx, masterId, rights.sourceId))) return undefined
        const before = await tx
          .selectFrom('source_right')
          .selectAll()
          .where('account_id', '=', accountId)
          .where('source_id', '=', rights.sourceId)
          .executeTakeFirst()
        const stored = { ...rights, createdAt: before?.created_at ?? rights.createdAt }
        await tx
          .insertInto('source_right')
          .values({
            account_id: accountId,
            source_id: stored.sourceId,
            rights: JSON.stringify(stored.rights),
            created_at: stored.createdAt,
          })
          .onConflict((conflict) =>
            conflict.columns(['account_id', 'source_id']).doUpdateSet({ rights: JSON.stringify(stored.rights) }),
          )
          .execute()
        return { stored, isNew: before === undefined }
      }),
    async remove(accountId, sourceId) {
      const { numDeletedRows } = await db
        .deleteFrom('source_right')
        .where('account_id', '=', accountId)
        .where('source_id', '=', sourceId)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
    async listPage(accountId, page) {
      const rows = await db
        .selectFrom('source_right')
        .select(['source_id as id', 'rights', 'created_at'])
        .where('account_id', '=', accountId)
        .$if(page.cursor !== undefined, (query) => query.where('source_id', '<', page.cursor!))
        .orderBy('source_id', 'desc')
        .limit(page.limit + 1)
        .execute()
      const { items, nextCursor } = toPage(rows, page)
      return { items: items.map(toStored), nextCursor }
    },
  }
}

/** Written before it is read: it is not removed until the transaction is over. */
async function lockSourceOf(tx: Queryable, masterId: string, sourceId: string): Promise<boolean> {
  await tx
    .updateTable('source')
    .set((eb) => ({ alias: eb.ref('alias') }))
    .where('id', '=', sourceId)
    .execute()
  const owned = await tx
    .selectFrom('source')
    .innerJoin('account', 'account.id', 'source.account_id')
    .select('source.id')
    .where('source.id', '=', sourceId)
    .where('account.revoked_at', 'is', null)
    .where((eb) => eb.or([eb('account.id', '=', masterId), eb('account.master_id', '=', masterId)]))
    .executeTakeFirst()
  return owned !== undefined
}

function toStored(row: { id: string; rights: string; created_at: number }): StoredRights {
  return { sourceId: row.id, rights: JSON.parse(row.rights) as SourceRight[], createdAt: row.created_at }
}

function toGiven(row: { source_id: string; owner_id: string; rights: string }): GivenSource {
  return { sourceId: row.source_id, ownerId: row.owner_id, rights: JSON.parse(row.rights) as SourceRight[] }
}
