import { type ExpressionBuilder, sql } from 'kysely'
import { type Account } from '../core/account.ts'
import { type Balance } from '../core/minutes.ts'
import { type Page, type PageRequest } from '../core/page.ts'
import { type Db, lockAccount, type Queryable } from '../storage/database.ts'
import { effectiveAccounts } from '../storage/effective-accounts.ts'
import { type JobStore } from '../storage/jobs.store.ts'
import { inBatches, listPage } from '../storage/queries.ts'
import { type AccountRow, type Tables } from '../storage/schema.ts'
import { type KeyHashes } from './api-key.ts'
import { KEY_REVOKED } from './key-revoked.ts'
import { allocateIn, type Amount, balanceIn, grantIn, returnRemainingIn, toBalance } from './ledger.store.ts'
import { type Rights } from './rights.ts'

export interface AccountWithBalance extends Account {
  readonly balance: Balance
}

export interface NewAccount {
  readonly id: string
  readonly username: string
  readonly masterId: string | null
  readonly createdAt: number
  readonly rights: Rights
}

/**
 * From a purge until the name can be given again. Publishers and viewers with the old key are gone by then: rights are
 * checked again every few seconds, and addresses inside playlists are good for two minutes.
 */
const NAME_RESERVED_MS = 5 * 60_000

export type InsertOutcome =
  'inserted' | 'username-taken' | 'key-limit-reached' | 'api-key-invalid' | 'unlimited-not-allowed'

/** The tokens of the account's sources, which are credentials of their own. */
export interface AccountTokens {
  /** How many of them work. */
  countOf(accountId: string, now: number, tx: Queryable): Promise<number>
  removeAllOf(accountId: string, tx: Queryable): Promise<void>
}

/** What became of the account's source tokens when its key was replaced. */
export interface RotatedTokens {
  /** Work as before. */
  readonly kept: number
  readonly revoked: number
}

/** As much of a key as it takes to revoke it, or to purge it later. */
export type RevocableAccount = Pick<Account, 'id' | 'username' | 'masterId'>

export interface RevokedAccount extends RevocableAccount {
  /** From when its name may be given again; null until it is purged. */
  readonly nameFreeAt: number | null
}

/** What is read is what counts: an account whose master is revoked is not found, and limits are never above the master's. */
export interface AccountStore {
  findById(accountId: string): Promise<Account | undefined>
  findByKeyHash(sha256: string): Promise<Account | undefined>
  /** Of the key that it has now; undefined where that is revoked. */
  findKeyHash(accountId: string): Promise<string | undefined>
  findByUsername(username: string): Promise<AccountWithBalance | undefined>
  /** A key that no longer works, but still has its name. */
  findRevoked(username: string): Promise<RevokedAccount | undefined>
  findWithHa1(username: string): Promise<{ readonly account: Account; readonly ha1: string } | undefined>
  /** A master's own children whose keys are not revoked, newest first. */
  listChildren(masterId: string, page: PageRequest): Promise<Page<AccountWithBalance>>
  /** A master itself and all its children whose keys are not revoked. */
  listFamily(masterId: string): Promise<{ readonly id: string; readonly username: string }[]>
  /** Every account whose key is not revoked, for the operator. */
  listAll(): Promise<AccountWithBalance[]>
  /** Also by a key that is revoked. */
  isUsernameTaken(username: string): Promise<boolean>
  insertMaster(account: NewAccount, hashes: KeyHashes, amount: Amount): Promise<InsertOutcome>
  /** The number of children and the minutes are checked and taken in one transaction; throws when too few are pending. */
  insertChild(
    master: Account,
    account: NewAccount,
    hashes: KeyHashes,
    seconds: number,
    maxChildren: number,
  ): Promise<InsertOutcome>
  update(accountId: string, change: Partial<Rights>): Promise<void>
  /** The source tokens outlive the key, unless they are revoked in the same transaction. */
  replaceKey(
    accountId: string,
    hashes: KeyHashes,
    options: { readonly revokeTokens: boolean; readonly now: number },
  ): Promise<RotatedTokens>
  /**
   * The key stops working and the minutes left go back to the master; the record stays, since data may still belong
   * to it. With a master go its children. The jobs that notify the features are added in the same transaction; those
   * that purge also for keys that were revoked before. Answers the usernames whose keys this revoked.
   */
  revoke(account: RevocableAccount, purge: boolean, now: number): Promise<string[]>
  /** All that a revoked key had stored is gone: its name may soon be given again. The first time counts: a purge that is asked for again puts nothing off. */
  markPurged(accountId: string, now: number): Promise<void>
}

export function createAccountStore(db: Db, jobs: Pick<JobStore, 'add'>, tokens: AccountTokens): AccountStore {
  const active = () => db.selectFrom(effectiveAccounts(db).as('account')).selectAll().where('revoked_at', 'is', null)
  const writeActive = (tx: Queryable = db) => tx.updateTable('account').where('revoked_at', 'is', null)

  return {
    async findById(accountId) {
      const row = await active().where('id', '=', accountId).executeTakeFirst()
      return row && toAccount(row)
    },
    async findByKeyHash(sha256) {
      const row = await active().where('key_sha256', '=', sha256).executeTakeFirst()
      return row && toAccount(row)
    },
    findKeyHash: (accountId) => findKeyHash(db, accountId),
    async findByUsername(username) {
      const row = await active().where('username', '=', username).executeTakeFirst()
      return row && withBalance(row)
    },
    async findRevoked(username) {
      const row = await db
        .selectFrom(effectiveAccounts(db).as('account'))
        .select(['id', 'username', 'master_id', 'purged_at'])
        .where('username', '=', username)
        .where('revoked_at', 'is not', null)
        .executeTakeFirst()
      if (!row) return undefined
      const nameFreeAt = row.purged_at === null ? null : row.purged_at + NAME_RESERVED_MS
      return { id: row.id, username: row.username, masterId: row.master_id, nameFreeAt }
    },
    async findWithHa1(username) {
      const row = await active().where('username', '=', username).executeTakeFirst()
      return row?.key_ha1 ? { account: toAccount(row), ha1: row.key_ha1 } : undefined
    },
    listChildren: (masterId, page) => listPage(active().where('master_id', '=', masterId), page, withBalance),
    listFamily: (masterId) =>
      db
        .selectFrom('account')
        .select(['id', 'username'])
        .where((eb) => eb.or([eb('id', '=', masterId), eb('master_id', '=', masterId)]))
        .where('revoked_at', 'is', null)
        .execute(),
    listAll: async () => (await active().orderBy('id').execute()).map(withBalance),
    async isUsernameTaken(username) {
      const row = await db.selectFrom('account').select('id').where('username', '=', username).executeTakeFirst()
      return row !== undefined
    },
    insertMaster: (account, hashes, amount) =>
      db.transaction().execute(async (tx) => {
        if (!(await insert(tx, account, hashes))) return 'username-taken'
        await grantIn(tx, account.id, amount, account.createdAt)
        return 'inserted'
      }),
    insertChild: (master, account, hashes, seconds, maxChildren) =>
      db.transaction().execute(async (tx) => {
        await lockAccount(tx, master.id)
        // A master that is revoked at this moment revokes the children that it has by then, and no others.
        if (await isRevoked(tx, master.id)) return 'api-key-invalid'
        if (account.rights.unlimited && !(await balanceIn(tx, master.id)).isUnlimited) return 'unlimited-not-allowed'
        const { count } = await tx
          .selectFrom('account')
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .where('master_id', '=', master.id)
          .where('revoked_at', 'is', null)
          .executeTakeFirstOrThrow()
        if (count >= maxChildren) return 'key-limit-reached'
        if (!(await insert(tx, account, hashes))) return 'username-taken'
        if (seconds > 0) await allocateIn(tx, master.id, account.id, seconds, account.createdAt)
        return 'inserted'
      }),
    async update(accountId, change) {
      const columns = Object.entries(change).map(
        ([name, value]) => [name, typeof value === 'boolean' ? Number(value) : value] as const,
      )
      if (columns.length > 0) await writeActive().set(Object.fromEntries(columns)).where('id', '=', accountId).execute()
    },
    replaceKey: (accountId, { sha256, ha1 }, { revokeTokens, now }) =>
      db.transaction().execute(async (tx) => {
        await lockAccount(tx, accountId)
        const replaced = await tx.selectFrom('account').select('key_sha256').where('id', '=', accountId).execute()
        await writeActive(tx).set({ key_sha256: sha256, key_ha1: ha1 }).where('id', '=', accountId).execute()
        await endSessions(tx, replaced)
        const working = await tokens.countOf(accountId, now, tx)
        if (!revokeTokens) return { kept: working, revoked: 0 }
        await tokens.removeAllOf(accountId, tx)
        return { kept: 0, revoked: working }
      }),
    revoke: (account, purge, now) =>
      db.transaction().execute(async (tx) => {
        await lockAccount(tx, account.masterId ?? account.id)
        if (account.masterId) await returnRemainingIn(tx, account.masterId, account.id, now)
        const ownOrChild = (eb: ExpressionBuilder<Tables, 'account'>) =>
          eb.or([eb('id', '=', account.id), eb('master_id', '=', account.id)])
        const keys = await tx.selectFrom('account').select('key_sha256').where(ownOrChild).execute()
        const revoked = await tx
          .updateTable('account')
          .set({ key_sha256: null, key_ha1: null, revoked_at: now })
          .where(ownOrChild)
          .where('revoked_at', 'is', null)
          .returning(['id', 'username'])
          .execute()
        await endSessions(tx, keys)
        await takeRights(tx, revoked)
        for (const { id, username } of purge ? await listToPurge(tx, account.id) : revoked) {
          const job = { kind: KEY_REVOKED, payload: { accountId: id, username, purge }, runAt: now }
          await jobs.add(purge ? { ...job, uniqueKey: `purge ${id}` } : job, now, tx)
        }
        return revoked.map(({ username }) => username)
      }),
    async markPurged(accountId, now) {
      await db
        .updateTable('account')
        .set({ purged_at: now })
        .where('id', '=', accountId)
        .where('revoked_at', 'is not', null)
        .where('purged_at', 'is', null)
        .execute()
    },
  }
}

async function findKeyHash(db: Db, accountId: string): Promise<string | undefined> {
  const key = db.selectFrom('account').select('key_sha256').where('id', '=', accountId)
  return (await key.executeTakeFirst())?.key_sha256 ?? undefined
}

/** After the keys were taken from their accounts: by then nobody signs in with them any more, and no session comes too late for this. */
async function endSessions(tx: Queryable, keys: readonly { readonly key_sha256: string | null }[]): Promise<void> {
  const hashes = keys.flatMap(({ key_sha256 }) => key_sha256 ?? [])
  for (const some of inBatches(hashes)) await tx.deleteFrom('session').where('key_sha256', 'in', some).execute()
}

/** What they were given on sources of others. */
async function takeRights(tx: Queryable, accounts: readonly { readonly id: string }[]): Promise<void> {
  for (const some of inBatches(accounts.map(({ id }) => id)))
    await tx.deleteFrom('source_right').where('account_id', 'in', some).execute()
}

async function isRevoked(tx: Queryable, accountId: string): Promise<boolean> {
  const row = await tx.selectFrom('account').select('revoked_at').where('id', '=', accountId).executeTakeFirstOrThrow()
  return row.revoked_at !== null
}

/** The account, also when it was purged before (something may have been on its way then), and those of its children that were not. */
function listToPurge(tx: Queryable, accountId: string): Promise<{ id: string; username: string }[]> {
  return tx
    .selectFrom('account')
    .select(['id', 'username'])
    .where((eb) =>
      eb.or([eb('id', '=', accountId), eb.and([eb('master_id', '=', accountId), eb('purged_at', 'is', null)])]),
    )
    .execute()
}

/** False when the username is taken. */
async function insert(tx: Queryable, account: NewAccount, hashes: KeyHashes): Promise<boolean> {
  await freeUsername(tx, account)
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('account')
    .values(toRow(account, hashes))
    .onConflict((conflict) => conflict.column('username').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/**
 * Takes the name from a key that was purged. Its row stays, under a name that nobody can choose, since the book of minutes
 * refers to it. A master may still have sources and tokens for the paths of its child, and must not get at somebody
 * else's streams by them: others get the name only once the master is purged too, and its name was reserved as long.
 */
async function freeUsername(tx: Queryable, { username, masterId, createdAt }: NewAccount): Promise<void> {
  const releasedBefore = createdAt - NAME_RESERVED_MS
  const released = tx
    .selectFrom('account as master')
    .select('master.id')
    .where('master.purged_at', '<=', releasedBefore)
  await tx
    .updateTable('account')
    .set({ username: sql`'~' || id` })
    .where('username', '=', username)
    .where('purged_at', '<=', releasedBefore)
    .where((eb) =>
      eb.or([eb('master_id', 'is', null), eb('master_id', '=', masterId), eb('master_id', 'in', released)]),
    )
    .execute()
}

function toAccount(row: AccountRow): Account {
  return {
    id: row.id,
    username: row.username,
    masterId: row.master_id,
    expirationDate: row.expiration_date,
    createdAt: row.created_at,
    limits: {
      maxSources: row.max_sources,
      maxOutputs: row.max_outputs,
      maxAttachedOutputs: row.max_attached_outputs,
      maxProcesses: row.max_processes,
      maxHlsStreams: row.max_hls_streams,
      maxWebrtcSessions: row.max_webrtc_sessions,
      maxReaders: row.max_readers,
      maxVideoUploadSizeBytes: row.max_video_upload_size_bytes,
      totalStorageSizeBytes: row.total_storage_size_bytes,
    },
    features: {
      trackLogger: row.track_logger === 1,
      enhancement: row.enhancement === 1,
      processRecording: row.process_recording === 1,
      recordingRetentionDays: row.recording_retention_days,
      trackRetentionDays: row.track_retention_days,
      alertRetentionDays: row.alert_retention_days,
    },
  }
}

function withBalance(row: AccountRow): AccountWithBalance {
  return { ...toAccount(row), balance: toBalance(row) }
}

function toRow({ id, username, masterId, createdAt, rights }: NewAccount, hashes: KeyHashes): AccountRow {
  return {
    ...rights,
    track_logger: Number(rights.track_logger),
    enhancement: Number(rights.enhancement),
    process_recording: Number(rights.process_recording),
    unlimited: Number(rights.unlimited),
    id,
    username,
    master_id: masterId,
    key_sha256: hashes.sha256,
    key_ha1: hashes.ha1,
    created_at: createdAt,
    revoked_at: null,
    purged_at: null,
    remaining_seconds: 0,
    consumed_seconds: 0,
    pending_seconds: 0,
    unlimited_seconds: 0,
    uncharged_ms: 0,
  }
}
