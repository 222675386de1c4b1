import { type Page, type PageRequest, toPage } from '../core/page.ts'
import { type Account, type Balance } from '../core/words.ts'
import { type Db, lockAccount } from '../storage/database.ts'
import { type AccountRow } from '../storage/schema.ts'
import { type KeyHashes } from './api-key.ts'
import { allocateIn, returnRemainingIn, toBalance } from './ledger.store.ts'

export interface AccountWithBalance extends Account {
  readonly balance: Balance
}

/** Limits, features and expiry, under the names that the API and the table share. */
export interface Rights {
  readonly expiration_date: string | null
  readonly max_sources: number
  readonly max_outputs: number
  readonly max_attached_outputs: number
  readonly max_processes: number
  readonly max_video_upload_size_bytes: number
  readonly total_storage_size_bytes: number
  readonly track_logger: boolean
  readonly enhancement: boolean
  readonly process_recording: boolean
  readonly recording_retention_days: number
}

export interface NewAccount {
  readonly id: string
  readonly username: string
  readonly parentId: string | null
  readonly createdAt: number
  readonly rights: Rights
}

export type InsertOutcome = 'inserted' | 'username-taken' | 'key-limit-reached' | 'minutes-not-pending'

export interface AccountStore {
  findByKeyHash(sha256: string): Promise<Account | undefined>
  findByUsername(username: string): Promise<AccountWithBalance | undefined>
  findWithHa1(username: string): Promise<{ readonly account: Account; readonly ha1: string } | undefined>
  /** A master's own children whose keys are not revoked, newest first. */
  listChildren(masterId: string, page: PageRequest): Promise<Page<AccountWithBalance>>
  /** Every account whose key is not revoked, for the operator. */
  listAll(): Promise<AccountWithBalance[]>
  countMasters(): Promise<number>
  insertMaster(account: NewAccount, hashes: KeyHashes): Promise<InsertOutcome>
  /** The number of children and the minutes are checked and taken in one transaction. */
  insertChild(
    master: Account,
    account: NewAccount,
    hashes: KeyHashes,
    seconds: number,
    maxChildren: number,
  ): Promise<InsertOutcome>
  update(accountId: string, change: Partial<Rights>): Promise<void>
  replaceKey(accountId: string, hashes: KeyHashes): Promise<void>
  /** The key stops working and the minutes left go back to the master; the record stays, since data may still belong to it. */
  revoke(account: Account, now: number): Promise<void>
}

export function createAccountStore(db: Db): AccountStore {
  const active = () => db.selectFrom('account').selectAll().where('revoked_at', 'is', null)

  return {
    async findByKeyHash(sha256) {
      const row = await active().where('key_sha256', '=', sha256).executeTakeFirst()
      return row && toAccount(row)
    },
    async findByUsername(username) {
      const row = await active().where('username', '=', username).executeTakeFirst()
      return row && withBalance(row)
    },
    async findWithHa1(username) {
      const row = await active().where('username', '=', username).executeTakeFirst()
      return row?.key_ha1 ? { account: toAccount(row), ha1: row.key_ha1 } : undefined
    },
    async listChildren(masterId, page) {
      const query = active()
        .where('parent_id', '=', masterId)
        .orderBy('id', 'desc')
        .limit(page.limit + 1)
      const rows = await (page.cursor ? query.where('id', '<', page.cursor) : query).execute()
      return toPage(rows.map(withBalance), page)
    },
    async listAll() {
      return (await active().orderBy('id').execute()).map(withBalance)
    },
    async countMasters() {
      const row = await db
        .selectFrom('account')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('parent_id', 'is', null)
        .executeTakeFirstOrThrow()
      return row.count
    },
    async insertMaster(account, hashes) {
      const insert = db.insertInto('account').values(toRow(account, hashes))
      const result = await insert.onConflict((conflict) => conflict.column('username').doNothing()).executeTakeFirst()
      return result.numInsertedOrUpdatedRows === 1n ? 'inserted' : 'username-taken'
    },
    insertChild: (master, account, hashes, seconds, maxChildren) =>
      db.transaction().execute(async (tx) => {
        await lockAccount(tx, master.id)
        const { count } = await tx
          .selectFrom('account')
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .where('parent_id', '=', master.id)
          .where('revoked_at', 'is', null)
          .executeTakeFirstOrThrow()
        if (count >= maxChildren) return 'key-limit-reached'
        const balance = await tx
          .selectFrom('account')
          .select('pending_seconds')
          .where('id', '=', master.id)
          .executeTakeFirstOrThrow()
        if (balance.pending_seconds < seconds) return 'minutes-not-pending'
        const insert = tx.insertInto('account').values(toRow(account, hashes))
        const result = await insert.onConflict((conflict) => conflict.column('username').doNothing()).executeTakeFirst()
        if (result.numInsertedOrUpdatedRows !== 1n) return 'username-taken'
        if (seconds > 0) await allocateIn(tx, master.id, account.id, seconds, account.createdAt)
        return 'inserted'
      }),
    async update(accountId, change) {
      const columns = Object.entries(change).map(
        ([name, value]) => [name, typeof value === 'boolean' ? Number(value) : value] as const,
      )
      if (columns.length > 0)
        await db.updateTable('account').set(Object.fromEntries(columns)).where('id', '=', accountId).execute()
    },
    async replaceKey(accountId, { sha256, ha1 }) {
      await db.updateTable('account').set({ key_sha256: sha256, key_ha1: ha1 }).where('id', '=', accountId).execute()
    },
    revoke: (account, now) =>
      db.transaction().execute(async (tx) => {
        if (account.parentId) await returnRemainingIn(tx, account.parentId, account.id, now)
        await tx
          .updateTable('account')
          .set({ key_sha256: null, key_ha1: null, revoked_at: now })
          .where('id', '=', account.id)
          .execute()
      }),
  }
}

function toAccount(row: AccountRow): Account {
  return {
    id: row.id,
    username: row.username,
    parentId: row.parent_id,
    expirationDate: row.expiration_date,
    createdAt: row.created_at,
    limits: {
      maxSources: row.max_sources,
      maxOutputs: row.max_outputs,
      maxAttachedOutputs: row.max_attached_outputs,
      maxProcesses: row.max_processes,
      maxVideoUploadSizeBytes: row.max_video_upload_size_bytes,
      totalStorageSizeBytes: row.total_storage_size_bytes,
    },
    features: {
      trackLogger: row.track_logger === 1,
      enhancement: row.enhancement === 1,
      processRecording: row.process_recording === 1,
      recordingRetentionDays: row.recording_retention_days,
    },
  }
}

function withBalance(row: AccountRow): AccountWithBalance {
  return { ...toAccount(row), balance: toBalance(row) }
}

function toRow({ id, username, parentId, createdAt, rights }: NewAccount, hashes: KeyHashes): AccountRow {
  return {
    ...rights,
    track_logger: Number(rights.track_logger),
    enhancement: Number(rights.enhancement),
    process_recording: Number(rights.process_recording),
    id,
    username,
    parent_id: parentId,
    key_sha256: hashes.sha256,
    key_ha1: hashes.ha1,
    created_at: createdAt,
    revoked_at: null,
    remaining_seconds: 0,
    consumed_seconds: 0,
    pending_seconds: 0,
  }
}
