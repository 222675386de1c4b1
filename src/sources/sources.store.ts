import { type Account } from '../core/account.ts'
import { ownerOfPath } from '../core/media-path.ts'
import { type Page, type PageRequest } from '../core/page.ts'
import { type PathHolder } from '../core/path-holder.ts'
import { type TelemetryCfg } from '../core/telemetry-cfg.ts'
import { type Db, lockAccount, lockActiveAccount, type Queryable } from '../storage/database.ts'
import { type HeldBytes } from '../storage/disk-budget.ts'
import { findOwned } from '../storage/find-owned.ts'
import { listPage } from '../storage/list-page.ts'
import { type SourceRow } from '../storage/schema.ts'
import { type Source, type VideoInfo } from './source.ts'

export type InsertSourceOutcome =
  { readonly source: Source; readonly isNew: boolean } | 'source-limit-reached' | 'video-storage-full' | 'path-in-use'

export interface SourceStore {
  /**
   * Within the limits on count and storage, and on a path that no output has, all checked in the same transaction; an identical
   * source is found instead.
   */
  insertWithinLimits(account: Account, source: Source): Promise<InsertSourceOutcome>
  find(accountId: string, id: string): Promise<Source | undefined>
  /** Whosever it is. */
  findById(id: string): Promise<Source | undefined>
  findByFingerprint(accountId: string, fingerprint: string): Promise<Source | undefined>
  /** Any of the account's sources with this content. */
  findByContent(accountId: string, contentSha256: string): Promise<Source | undefined>
  list(accountId: string, page: PageRequest): Promise<Page<Source>>
  /** Everyone's sources on this path of the media server. */
  findByMediaPath(path: string): Promise<Source[]>
  /** The output that is registered for this path; of several, the one that is attached. */
  findOutputAt(path: string): Promise<PathHolder | undefined>
  /** Of the account's files, each counted once. */
  usedBytes(accountId: string): Promise<number>
  /** The same of every account. */
  heldBytes(): Promise<HeldBytes>
  /** Where a source's file is below the folder of videos. */
  findFile(id: string): Promise<string | undefined>
  /** Everyone's. */
  listFiles(): Promise<string[]>
  isFileUsed(file: string): Promise<boolean>
  /** Of every source on this path. */
  setVideo(mediaPath: string, video: VideoInfo): Promise<void>
  /** It turned out to be published here. */
  setMediaPath(id: string, mediaPath: string): Promise<void>
  remove(id: string): Promise<void>
}

export function createSourceStore(db: Db): SourceStore {
  const byFingerprint = async (tx: Queryable, accountId: string, fingerprint: string) => {
    const row = await tx
      .selectFrom('source')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('fingerprint', '=', fingerprint)
      .executeTakeFirst()
    return row && toSource(row)
  }
  const filesOf = (tx: Queryable) =>
    tx
      .selectFrom('source')
      .select((eb) => ['account_id', 'file', eb.fn.max('size_bytes').as('size_bytes')])
      .where('file', 'is not', null)
      .groupBy(['account_id', 'file'])
  const usedBytes = async (tx: Queryable, accountId: string) => {
    const row = await tx
      .selectFrom(filesOf(tx).where('account_id', '=', accountId).as('stored'))
      .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('size_bytes'), eb.lit(0)).as('bytes'))
      .executeTakeFirstOrThrow()
    return row.bytes
  }
  /** Outputs are their path's owner's, whose turn we wait for: a master may register what is its child's. */
  const hasOutput = async (tx: Queryable, mediaPath: string) => {
    const owner = ownerOfPath(mediaPath)
    const account = await tx.selectFrom('account').select('id').where('username', '=', owner).executeTakeFirst()
    if (account) await lockAccount(tx, account.id)
    return (
      (await tx.selectFrom('output').select('id').where('media_path', '=', mediaPath).limit(1).execute()).length > 0
    )
  }
  const isStored = async (tx: Queryable, file: string | null) =>
    (await tx.selectFrom('source').select('id').where('file', '=', file).limit(1).execute()).length > 0

  return {
    insertWithinLimits: (account, source) =>
      db.transaction().execute(async (tx) => {
        await lockActiveAccount(tx, account.id)
        const existing = await byFingerprint(tx, account.id, source.fingerprint)
        if (existing) return { source: existing, isNew: false }
        if (source.mediaPath !== null && (await hasOutput(tx, source.mediaPath))) return 'path-in-use'
        const { count } = await tx
          .selectFrom('source')
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .where('account_id', '=', account.id)
          .executeTakeFirstOrThrow()
        if (count >= account.limits.maxSources) return 'source-limit-reached'
        if (source.file !== null && !(await isStored(tx, source.file))) {
          const wouldUse = (await usedBytes(tx, account.id)) + source.sizeBytes
          if (wouldUse > account.limits.totalStorageSizeBytes) return 'video-storage-full'
        }
        await tx.insertInto('source').values(toRow(source)).execute()
        return { source, isNew: true }
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
    async findByMediaPath(path) {
      const rows = await db.selectFrom('source').selectAll().where('media_path', '=', path).orderBy('id').execute()
      return rows.map(toSource)
    },
    async findOutputAt(path) {
      const output = await db
        .selectFrom('output')
        .select(['account_id', 'alias', 'process_id'])
        .where('media_path', '=', path)
        .orderBy((eb) => eb.case().when('process_id', 'is', null).then(1).else(0).end())
        .orderBy('id')
        .limit(1)
        .executeTakeFirst()
      return output && { kind: 'output', accountId: output.account_id, alias: output.alias }
    },
    usedBytes: (accountId) => usedBytes(db, accountId),
    async heldBytes() {
      const rows = await db
        .selectFrom(filesOf(db).as('stored'))
        .select((eb) => ['account_id', eb.fn.sum<number>('size_bytes').as('bytes')])
        .groupBy('account_id')
        .execute()
      return new Map(rows.map(({ account_id, bytes }) => [account_id, bytes]))
    },
    async findFile(id) {
      const row = await db.selectFrom('source').select('file').where('id', '=', id).executeTakeFirst()
      return row?.file ?? undefined
    },
    async listFiles() {
      const rows = await db.selectFrom('source').select('file').distinct().where('file', 'is not', null).execute()
      return rows.map(({ file }) => file!)
    },
    isFileUsed: (file) => isStored(db, file),
    async setVideo(mediaPath, video) {
      await db
        .updateTable('source')
        .set({ video: JSON.stringify(video) })
        .where('media_path', '=', mediaPath)
        .execute()
    },
    async setMediaPath(id, mediaPath) {
      await db.updateTable('source').set({ media_path: mediaPath }).where('id', '=', id).execute()
    },
    async remove(id) {
      await db.deleteFrom('source').where('id', '=', id).execute()
    },
  }
}

function toSource(row: SourceRow): Source {
  return {
    id: row.id,
    accountId: row.account_id,
    alias: row.alias,
    type: row.type,
    inputUrl: row.input_url,
    streamType: row.stream_type,
    telemetryCfg: row.telemetry_cfg === null ? null : (JSON.parse(row.telemetry_cfg) as TelemetryCfg),
    mediaPath: row.media_path,
    sizeBytes: row.size_bytes,
    video: row.video === null ? null : (JSON.parse(row.video) as VideoInfo),
    fingerprint: row.fingerprint,
    createdAt: row.created_at,
    contentSha256: row.content_sha256,
    file: row.file,
  }
}

function toRow(source: Source): SourceRow {
  return {
    id: source.id,
    account_id: source.accountId,
    alias: source.alias,
    type: source.type,
    input_url: source.inputUrl,
    stream_type: source.streamType,
    telemetry_cfg: source.telemetryCfg && JSON.stringify(source.telemetryCfg),
    media_path: source.mediaPath,
    size_bytes: source.sizeBytes,
    video: source.video && JSON.stringify(source.video),
    fingerprint: source.fingerprint,
    created_at: source.createdAt,
    content_sha256: source.contentSha256,
    file: source.file,
  }
}
