import { type Account } from '../core/account.ts'
import { type OwnNode } from '../core/own-node.ts'
import { type Page, type PageRequest } from '../core/page.ts'
import { type PathHolder } from '../core/refusals.ts'
import { type TelemetryCfg } from '../core/telemetry-cfg.ts'
import { type Db, lockActiveAccount, type Queryable } from '../storage/database.ts'
import { findOutputAt } from '../storage/path-holders.ts'
import { createProcessNodesStore } from '../storage/process-nodes.store.ts'
import { findOwned, inBatches, listPage, parseOrNull } from '../storage/queries.ts'
import { type SourceRow } from '../storage/schema.ts'
import { type CameraStore, createCameraStore, nodeColumnsOf } from './cameras.store.ts'
import { placeSource } from './source-place.ts'
import { changeableColumns, toRow, toSource } from './source-row.ts'
import { type ListedSource, type Source, type VideoInfo } from './source.ts'
import { createVideoFileStore, type VideoFileStore } from './video-files.store.ts'

export type InsertSourceOutcome =
  { readonly source: Source; readonly isNew: boolean } | 'source-limit-reached' | 'video-storage-full' | 'path-in-use'

export type ChangeSourceOutcome =
  | { readonly before: Source; readonly source: Source }
  /** An output has the path that it would get. */
  | { readonly takenPath: string }
  | 'source-not-found'
  | 'source-exists'
  | 'source-in-use'

export interface ChangeSourceOptions {
  readonly isLive?: (path: string) => boolean
  /**
   * False while a process of this node reads it at the path that it has: `source-in-use` where it would get another, as while one of
   * another node does. Asked right before it is written, since others begin to read it at any time.
   */
  readonly mayMove?: () => boolean
}

export interface SourceStore extends VideoFileStore, CameraStore {
  /**
   * Within the limits on count and storage, and on a path that no output has, all checked in the same transaction; an identical
   * source is found instead. A camera that we call gets its path here: one that is not taken, and not `isLive` by somebody else.
   */
  insertWithinLimits(account: Account, source: Source, isLive?: (path: string) => boolean): Promise<InsertSourceOutcome>
  find(accountId: string, id: string): Promise<Source | undefined>
  /** Of any account. */
  findById(id: string): Promise<Source | undefined>
  findByFingerprint(accountId: string, fingerprint: string): Promise<Source | undefined>
  /** Any of the account's sources with this content. */
  findByContent(accountId: string, contentSha256: string): Promise<Source | undefined>
  list(accountId: string, page: PageRequest): Promise<Page<Source>>
  /** Of any accounts; those that there are. */
  listByIds(ids: readonly string[]): Promise<Source[]>
  /** The sources of all accounts on this path of the media server. */
  findByMediaPath(path: string): Promise<Source[]>
  /** The output that is registered for this path; of several, the one that is attached. */
  findOutputAt(path: string): Promise<PathHolder | undefined>
  /** Of every source on this path. */
  setVideo(mediaPath: string, video: VideoInfo): Promise<void>
  /**
   * With the same checks, and nobody else changes it in between; a camera without a path of its own gets one. What `change` throws
   * is thrown. What is known of its video, and of its file, is not changed here.
   */
  change(
    account: Account,
    id: string,
    change: (source: Source) => Source,
    options?: ChangeSourceOptions,
  ): Promise<ChangeSourceOutcome>
  /** Of all accounts, for the directory. */
  listNames(): Promise<ListedSource[]>
  remove(id: string): Promise<void>
}

/** Cameras and files that are registered here are this node's. */
export function createSourceStore(db: Db, node: OwnNode | null = null): SourceStore {
  const byFingerprint = async (tx: Queryable, accountId: string, fingerprint: string) => {
    const row = await tx
      .selectFrom('source')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('fingerprint', '=', fingerprint)
      .executeTakeFirst()
    return row && toSource(row)
  }

  /** By the transaction's connection: where many change sources at once, each of them would wait for another that is left. */
  const isUsedElsewhere = async (tx: Queryable, id: string) =>
    node !== null && (await createProcessNodesStore(tx, node).listUsersOf([id])).length > 0

  return {
    ...createVideoFileStore(db, node),
    ...createCameraStore(db, node),
    insertWithinLimits: (account, source, isLive = () => false) =>
      db.transaction().execute(async (tx) => {
        await lockActiveAccount(tx, account.id)
        const existing = await byFingerprint(tx, account.id, source.fingerprint)
        if (existing) return { source: existing, isNew: false }
        const placed = await placeSource(tx, account, source, isLive)
        if (placed === 'path-in-use') return placed
        const { count } = await tx
          .selectFrom('source')
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .where('account_id', '=', account.id)
          .executeTakeFirstOrThrow()
        if (count >= account.limits.maxSources) return 'source-limit-reached'
        const files = createVideoFileStore(tx)
        if (source.file !== null && !(await files.isFileUsed(source.file))) {
          const wouldUse = (await files.usedBytes(account.id)) + source.sizeBytes
          if (wouldUse > account.limits.totalStorageSizeBytes) return 'video-storage-full'
        }
        await tx
          .insertInto('source')
          .values({ ...toRow(placed), ...(await nodeColumnsOf(tx, placed, node)) })
          .execute()
        return { source: placed, isNew: true }
      }),
    async find(accountId, id) {
      const row = await findOwned(db.selectFrom('source').selectAll(), accountId, id)
      return row && toSource(row)
    },
    async findById(id) {
      const row = await db.selectFrom('source').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toSource(row)
    },
    findByFingerprint: (accountId, fingerprint) => byFingerprint(db, accountId, fingerprint),
    async findByContent(accountId, contentSha256) {
      const row = await db
        .selectFrom('source')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('content_sha256', '=', contentSha256)
        .limit(1)
        .executeTakeFirst()
      return row && toSource(row)
    },
    list: (accountId, page) =>
      listPage(db.selectFrom('source').selectAll().where('account_id', '=', accountId), page, toSource),
    listByIds: (ids) => listByIds(db, ids),
    async findByMediaPath(path) {
      const rows = await db.selectFrom('source').selectAll().where('media_path', '=', path).orderBy('id').execute()
      return rows.map(toSource)
    },
    async findOutputAt(path) {
      const output = await findOutputAt(db, path)
      return output && { kind: 'output', accountId: output.account_id, alias: output.alias }
    },
    async setVideo(mediaPath, video) {
      await db
        .updateTable('source')
        .set({ video: JSON.stringify(video) })
        .where('media_path', '=', mediaPath)
        .execute()
    },
    async listNames() {
      const rows = await db
        .selectFrom('source')
        .select(['id', 'account_id', 'alias', 'input_url', 'media_path', 'is_pulled', 'telemetry_cfg'])
        .execute()
      return rows.map(toListed)
    },
    change: (account, id, change, { isLive = () => false, mayMove = () => true } = {}) =>
      db.transaction().execute(async (tx) => {
        await lockActiveAccount(tx, account.id)
        const row = await findOwned(tx.selectFrom('source').selectAll(), account.id, id)
        if (!row) return 'source-not-found'
        const before = toSource(row)
        const wanted = change(before)
        const twin = await byFingerprint(tx, account.id, wanted.fingerprint)
        if (twin && twin.id !== id) return 'source-exists'
        const source = await placeSource(tx, account, wanted, isLive)
        if (source === 'path-in-use') return { takenPath: wanted.mediaPath! }
        const isMoved = source.mediaPath !== before.mediaPath
        if (isMoved && (!mayMove() || (await isUsedElsewhere(tx, id)))) return 'source-in-use'
        const { numUpdatedRows } = await tx
          .updateTable('source')
          .set({
            ...changeableColumns(source),
            ...(source.isPulled && !before.isPulled && (await nodeColumnsOf(tx, source, node))),
          })
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
        // Removing locks no account.
        return numUpdatedRows === 0n ? 'source-not-found' : { before, source }
      }),
    async remove(id) {
      await db.deleteFrom('source').where('id', '=', id).execute()
    },
  }
}

async function listByIds(db: Db, ids: readonly string[]): Promise<Source[]> {
  const sources: Source[] = []
  for (const some of inBatches(ids)) {
    const rows = await db.selectFrom('source').selectAll().where('id', 'in', some).execute()
    sources.push(...rows.map(toSource))
  }
  return sources
}

function toListed(
  row: Pick<SourceRow, 'id' | 'account_id' | 'alias' | 'input_url' | 'media_path' | 'is_pulled' | 'telemetry_cfg'>,
): ListedSource {
  return {
    id: row.id,
    accountId: row.account_id,
    alias: row.alias,
    inputUrl: row.input_url,
    mediaPath: row.media_path,
    isPulled: row.is_pulled === 1,
    telemetryCfg: parseOrNull<TelemetryCfg>(row.telemetry_cfg),
  }
}
