import { randomBytes } from 'node:crypto'
import { dirname, extname } from 'node:path'
import { type SelectQueryBuilder } from 'kysely'
import { type Db, type Queryable } from '../database.ts'
import { type HeldBytes } from '../kept-files.ts'
import { inBatches } from '../queries.ts'
import { type StoredFileRow, type Tables } from '../schema.ts'

/** A file that is complete and will not change. */
export interface NewStoredFile {
  /** Below the data folder. */
  readonly file: string
  readonly kind: string
  readonly accountId: string
  readonly sizeBytes: number
}

export interface StoredFileRecord extends NewStoredFile {
  readonly key: string
  /** `disk` while it waits to be put. */
  readonly place: StoredFileRow['place']
  readonly localAt: number
  /** On whose disk it is, unless it is in the store only; null in a service of one node. */
  readonly nodeId: string | null
}

export interface FileCount {
  readonly files: number
  readonly bytes: number
}

export interface StoredBytes {
  readonly inStore: HeldBytes
  readonly copies: HeldBytes
}

/** Files by their names, or all of a folder. */
export type WhichFiles = readonly string[] | { readonly folder: string }

/** The rows of files that are in the object store, or wait to be put there. */
export interface StoredFileStore {
  /** Those that are known already stay as they are. */
  insert(files: readonly NewStoredFile[], now: number): Promise<void>
  find(file: string): Promise<StoredFileRecord | undefined>
  listIn(folder: string): Promise<StoredFileRecord[]>
  listFiles(kind: string): Promise<string[]>
  /** Of a kind, the folders that have any. */
  listFolders(kind: string): Promise<string[]>
  /** Those that may be put now, the oldest first. */
  listWaiting(now: number, limit: number): Promise<StoredFileRecord[]>
  postpone(file: StoredFileRecord, until: number): Promise<void>
  /** False where it was removed meanwhile: then nobody knows of the object any more. */
  setStored(file: StoredFileRecord, sizeBytes: number): Promise<boolean>
  /** The local copy is gone, or back. */
  setPlace(file: StoredFileRecord, place: 'store' | 'both', localAt?: number): Promise<void>
  /** Those that are in the store, and were on the disk already at that time, the oldest first. */
  listCopies(localBefore: number, limit: number): Promise<StoredFileRecord[]>
  /** The file is not on the disk, and was never put. */
  drop(file: StoredFileRecord): Promise<void>
  /** Removes the rows; `onRemoved` gets the keys of what is in the store, or may be on its way, in the same transaction. */
  remove(which: WhichFiles, onRemoved: (keys: readonly string[], tx: Queryable) => Promise<void>): Promise<void>
  /** By kind, of what this node has put: what is in the store, and what of it is on the disk too. */
  bytesByKind(): Promise<ReadonlyMap<string, StoredBytes>>
  count(...places: StoredFileRow['place'][]): Promise<FileCount>
}

/** A clock that was set back must not keep a file from being put. */
export const MAX_POSTPONED_MS = 3_600_000

/** What is put and what leaves the disk is of this node's disk; whatever is in the store is found from everywhere. */
export function createStoredFileStore(
  db: Db,
  nodeId: string | null = null,
  { hasBucket = true } = {},
): StoredFileStore {
  const all = () => db.selectFrom('stored_file').selectAll()
  const own = () => db.selectFrom('stored_file').where('node_id', nodeId === null ? 'is' : '=', nodeId)
  /** By its key too: another file of that name may have taken its place. */
  const update = ({ file, key }: StoredFileRecord) =>
    db.updateTable('stored_file').where('file', '=', file).where('object_key', '=', key)

  return {
    async insert(files, now) {
      const rows = files.map(({ file, kind, accountId, sizeBytes }) => ({
        file,
        folder: dirname(file),
        kind,
        account_id: accountId,
        node_id: nodeId,
        object_key: toKey(file),
        size_bytes: sizeBytes,
        place: 'disk' as const,
        local_at: now,
        retry_at: 0,
      }))
      for (const some of inBatches(rows))
        await db
          .insertInto('stored_file')
          .values(some)
          .onConflict((conflict) => conflict.doNothing())
          .execute()
    },
    async find(file) {
      const row = await all().where('file', '=', file).executeTakeFirst()
      return row && toRecord(row)
    },
    async listIn(folder) {
      return (await all().where('folder', '=', folder).execute()).map(toRecord)
    },
    async listFiles(kind) {
      const rows = await db.selectFrom('stored_file').select('file').where('kind', '=', kind).execute()
      return rows.map(({ file }) => file)
    },
    async listFolders(kind) {
      const rows = await db.selectFrom('stored_file').select('folder').distinct().where('kind', '=', kind).execute()
      return rows.map(({ folder }) => folder)
    },
    async listWaiting(now, limit) {
      const rows = await own()
        .selectAll()
        .where('place', '=', 'disk')
        .where((eb) => eb.or([eb('retry_at', '<=', now), eb('retry_at', '>', now + MAX_POSTPONED_MS)]))
        .orderBy('local_at')
        .orderBy('file')
        .limit(limit)
        .execute()
      return rows.map(toRecord)
    },
    async postpone(file, until) {
      await update(file).set({ retry_at: until }).execute()
    },
    async setStored(file, sizeBytes) {
      const { numUpdatedRows } = await update(file)
        .set({ place: 'both', size_bytes: sizeBytes })
        .where('place', '=', 'disk')
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },
    async setPlace(file, place, localAt) {
      await update(file)
        .set({ place, ...(localAt !== undefined && { local_at: localAt }) })
        .where('place', '<>', 'disk')
        .execute()
    },
    async listCopies(localBefore, limit) {
      const rows = await own()
        .selectAll()
        .where('place', '=', 'both')
        .where('local_at', '<=', localBefore)
        .orderBy('local_at')
        .limit(limit)
        .execute()
      return rows.map(toRecord)
    },
    async drop({ file, key }) {
      const removal = db.deleteFrom('stored_file').where('file', '=', file).where('object_key', '=', key)
      await removal.where('place', '=', 'disk').execute()
    },
    async remove(which, onRemoved) {
      const parts = 'folder' in which ? [which] : [...inBatches(which)].map((files) => ({ files }))
      for (const part of parts) {
        const [column, values] =
          'folder' in part ? (['folder', [part.folder]] as const) : (['file', part.files] as const)
        const known = db.selectFrom('stored_file').select('file').where(column, 'in', values).limit(1)
        // Where there is no object store nothing is written.
        if ((await known.executeTakeFirst()) === undefined) continue
        await db.transaction().execute(async (tx) => {
          const removal = tx.deleteFrom('stored_file').where(column, 'in', values)
          const rows = await removal.returning(['object_key', 'place']).execute()
          // Also of those that wait: they may be on their way, where there is one.
          const put = hasBucket ? rows : rows.filter(({ place }) => place !== 'disk')
          const keys = put.map(({ object_key }) => object_key)
          if (keys.length > 0) await onRemoved(keys, tx)
        })
      }
    },
    bytesByKind: () => sumByKind(own()),
    async count(...places) {
      const { files, bytes } = await own()
        .select((eb) => [
          eb.fn.countAll<number>().as('files'),
          eb.fn.coalesce(eb.fn.sum<number>('size_bytes'), eb.lit(0)).as('bytes'),
        ])
        .where('place', 'in', places)
        .executeTakeFirstOrThrow()
      return { files, bytes }
    },
  }
}

async function sumByKind(
  files: SelectQueryBuilder<Tables, 'stored_file', object>,
): Promise<ReadonlyMap<string, StoredBytes>> {
  const rows = await files
    .select((eb) => ['kind', 'account_id', 'place', eb.fn.sum<number>('size_bytes').as('bytes')])
    .where('place', 'in', ['store', 'both'])
    .groupBy(['kind', 'account_id', 'place'])
    .execute()
  const kinds = new Map<string, { inStore: Map<string, number>; copies: Map<string, number> }>()
  for (const { kind, account_id: accountId, place, bytes } of rows) {
    const sums = kinds.get(kind) ?? { inStore: new Map<string, number>(), copies: new Map<string, number>() }
    kinds.set(kind, sums)
    sums.inStore.set(accountId, (sums.inStore.get(accountId) ?? 0) + bytes)
    if (place === 'both') sums.copies.set(accountId, bytes)
  }
  return kinds
}

/** Named as on the disk, so that whoever looks into the bucket finds their way; another one each time, so that no two files meet there. */
function toKey(file: string): string {
  const extension = extname(file)
  return `${file.slice(0, file.length - extension.length)}-${randomBytes(4).toString('hex')}${extension}`
}

function toRecord(row: StoredFileRow): StoredFileRecord {
  return {
    file: row.file,
    kind: row.kind,
    accountId: row.account_id,
    key: row.object_key,
    sizeBytes: row.size_bytes,
    place: row.place,
    localAt: row.local_at,
    nodeId: row.node_id,
  }
}
