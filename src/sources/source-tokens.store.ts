import { type Db, lockActiveAccount, type Queryable } from '../storage/database.ts'
import { type SourceTokenRow } from '../storage/schema.ts'

/** A narrow right: to publish or to read one source, until it expires or is revoked. */
export interface SourceToken {
  readonly id: string
  readonly sourceId: string
  readonly action: 'publish' | 'read'
  readonly expiresAt: number | null
  readonly createdAt: number
}

export interface TokenHashes {
  readonly sha256: string
  readonly ha1: string
}

/** A token together with the path that its source has now. */
export interface PlacedSourceToken extends SourceToken {
  readonly path: string
  readonly accountId: string
  readonly ha1: string
}

export interface SourceTokenStore {
  /** False when the source has `limit` tokens already. */
  insertWithinLimit(accountId: string, token: SourceToken, hashes: TokenHashes, limit: number): Promise<boolean>
  list(sourceId: string): Promise<SourceToken[]>
  /** False when there was none. */
  remove(sourceId: string, id: string): Promise<boolean>
  find(id: string): Promise<PlacedSourceToken | undefined>
  findByHash(sha256: string): Promise<PlacedSourceToken | undefined>
  /**
   * The tokens that are good for this: Digest authentication sends no token to look up, only a proof of one. Beyond `MAX_PROVABLE`
   * the oldest can be sent, but not proven.
   */
  listGoodFor(action: SourceToken['action'], path: string, now: number): Promise<PlacedSourceToken[]>
  /** Answers the ids of those that were removed. */
  removeExpired(now: number): Promise<string[]>
  /** How many tokens for sources of this account work. */
  countOf(accountId: string, now: number, tx: Queryable): Promise<number>
  removeAllOf(accountId: string, tx: Queryable): Promise<void>
}

/** Each is hashed for a request that proves one: ten sources of one path with all the tokens that they may have. */
const MAX_PROVABLE = 500

export function createSourceTokenStore(db: Db): SourceTokenStore {
  const withPath = () =>
    db
      .selectFrom('source_token')
      .innerJoin('source', 'source.id', 'source_token.source_id')
      .selectAll('source_token')
      .select(['source.media_path', 'source.account_id'])

  return {
    insertWithinLimit: (accountId, token, hashes, limit) =>
      db.transaction().execute(async (tx) => {
        await lockActiveAccount(tx, accountId)
        const { count } = await tx
          .selectFrom('source_token')
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .where('source_id', '=', token.sourceId)
          .executeTakeFirstOrThrow()
        if (count >= limit) return false
        const row = {
          id: token.id,
          source_id: token.sourceId,
          action: token.action,
          expires_at: token.expiresAt,
          created_at: token.createdAt,
        }
        await tx
          .insertInto('source_token')
          .values({ ...row, ...hashes })
          .execute()
        return true
      }),
    async list(sourceId) {
      const rows = await db
        .selectFrom('source_token')
        .selectAll()
        .where('source_id', '=', sourceId)
        .orderBy('id', 'desc')
        .execute()
      return rows.map(toToken)
    },
    async remove(sourceId, id) {
      const result = await db
        .deleteFrom('source_token')
        .where('source_id', '=', sourceId)
        .where('id', '=', id)
        .executeTakeFirst()
      return result.numDeletedRows === 1n
    },
    async find(id) {
      const row = await withPath().where('source_token.id', '=', id).executeTakeFirst()
      return row && toPlacedToken(row)
    },
    async findByHash(sha256) {
      const row = await withPath().where('sha256', '=', sha256).executeTakeFirst()
      return row && toPlacedToken(row)
    },
    async listGoodFor(action, path, now) {
      const rows = await withPath()
        .where('source.media_path', '=', path)
        .where('source_token.action', '=', action)
        .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
        .orderBy('source_token.id', 'desc')
        .limit(MAX_PROVABLE)
        .execute()
      return rows.map(toPlacedToken)
    },
    async removeExpired(now) {
      const rows = await db.deleteFrom('source_token').where('expires_at', '<=', now).returning('id').execute()
      return rows.map(({ id }) => id)
    },
    async countOf(accountId, now, tx) {
      const { count } = await tx
        .selectFrom('source_token')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('source_id', 'in', sourcesOf(tx, accountId))
        .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
        .executeTakeFirstOrThrow()
      return count
    },
    async removeAllOf(accountId, tx) {
      await tx.deleteFrom('source_token').where('source_id', 'in', sourcesOf(tx, accountId)).execute()
    },
  }
}

function sourcesOf(tx: Queryable, accountId: string) {
  return tx.selectFrom('source').select('id').where('account_id', '=', accountId)
}

function toToken(row: SourceTokenRow): SourceToken {
  return {
    id: row.id,
    sourceId: row.source_id,
    action: row.action,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
  }
}

function toPlacedToken(row: SourceTokenRow & { media_path: string | null; account_id: string }): PlacedSourceToken {
  return { ...toToken(row), path: row.media_path ?? '', accountId: row.account_id, ha1: row.ha1 }
}
