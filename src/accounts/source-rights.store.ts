import { type GivenSource, type SourceRight } from '../core/source-rights.ts'
import { type Db } from '../storage/database.ts'

/** Rights on the sources of others. One on a source of its own says nothing: it may do everything with it. */
export interface SourceRightStore {
  find(accountId: string, sourceId: string): Promise<GivenSource | undefined>
  findByProcess(accountId: string, processId: string): Promise<GivenSource | undefined>
  /** Of the sources on a path of the media server. */
  listByPath(accountId: string, path: string): Promise<GivenSource[]>
  listAll(accountId: string): Promise<GivenSource[]>
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
  }
}

function toGiven(row: { source_id: string; owner_id: string; rights: string }): GivenSource {
  return { sourceId: row.source_id, ownerId: row.owner_id, rights: JSON.parse(row.rights) as SourceRight[] }
}
