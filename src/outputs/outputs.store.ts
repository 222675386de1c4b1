import { type Account } from '../core/account.ts'
import { type Page, type PageRequest } from '../core/page.ts'
import { liveStates } from '../core/process-facts.ts'
import { type TakenIds } from '../core/taken-processes.ts'
import { type Db, lockActiveAccount, type Queryable } from '../storage/database.ts'
import { findOutputAt, hasSourceAt } from '../storage/path-holders.ts'
import { findOwned, inBatches, listPage } from '../storage/queries.ts'
import { type OutputRow, type ProcessRow } from '../storage/schema.ts'
import { type OutputType } from './kinds/kinds.ts'
import { type Output, type Resolution } from './output.ts'

const openStates: readonly ProcessRow['state'][] = liveStates.filter((state) => state !== 'stopping')

export interface OutputStore {
  /** An output with the same type, url and settings is found instead. One on a path with a source is not inserted. */
  insertWithinLimit(
    account: Account,
    output: Output,
  ): Promise<{ readonly output: Output; readonly isNew: boolean } | 'output-limit-reached' | 'path-in-use'>
  /** The account's with the same type, url and settings. */
  findIdentical(output: Output): Promise<Output | undefined>
  find(accountId: string, id: string): Promise<Output | undefined>
  /** Whosever it is. */
  findById(id: string): Promise<Output | undefined>
  /** One that is registered for this path of the media server; of several, the one that is attached. */
  findAtPath(mediaPath: string): Promise<Output | undefined>
  list(accountId: string, page: PageRequest): Promise<Page<Output>>
  /** To any of these processes. */
  listAttached(processIds: readonly string[]): Promise<Output[]>
  /** Gives the output to the process, if both are there, nobody else has it or its path, and the account may have one more. */
  attachWithinLimit(account: Account, outputId: string, processId: string): Promise<AttachOutcome>
  /** Does nothing when another process has it by now. */
  detach(outputId: string, processId: string): Promise<void>
  detachAll(processId: string): Promise<void>
  /** Lets go of those of these processes that are no more. */
  detachAllBut(ids: TakenIds, liveProcessIds: readonly string[]): Promise<void>
  /** False when there is no such output, or when a process has it. */
  removeUnattached(accountId: string, id: string): Promise<boolean>
  removeAllOf(accountId: string): Promise<void>
}

export type AttachOutcome =
  | 'attached'
  /** This very process had it before. */
  | 'had-already'
  | 'output-not-found'
  | 'output-attached'
  | 'process-not-live'
  | 'path-in-use'
  | 'attached-output-limit-reached'

export function createOutputStore(db: Db): OutputStore {
  return {
    insertWithinLimit: (account, output) =>
      db.transaction().execute(async (tx) => {
        await lockActiveAccount(tx, account.id)
        const existing = await findIdentical(tx, output)
        if (existing) return { output: existing, isNew: false }
        if (output.mediaPath !== null && (await hasSourceAt(tx, output.mediaPath))) return 'path-in-use'
        if ((await count(tx, 'account_id', account.id)) >= account.limits.maxOutputs) return 'output-limit-reached'
        await tx.insertInto('output').values(toRow(output)).execute()
        return { output, isNew: true }
      }),
    find: (accountId, id) => find(db, accountId, id),
    async findById(id) {
      const row = await db.selectFrom('output').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toOutput(row)
    },
    findIdentical: (output) => findIdentical(db, output),
    async findAtPath(mediaPath) {
      const row = await findOutputAt(db, mediaPath)
      return row && toOutput(row)
    },
    list: (accountId, page) =>
      listPage(db.selectFrom('output').selectAll().where('account_id', '=', accountId), page, toOutput),
    async listAttached(processIds) {
      if (processIds.length === 0) return []
      const attached = db.selectFrom('output').selectAll().where('process_id', 'in', processIds)
      return (await attached.orderBy('id').execute()).map(toOutput)
    },
    attachWithinLimit: (account, outputId, processId) =>
      db.transaction().execute(async (tx) => {
        await lockActiveAccount(tx, account.id)
        const output = await find(tx, account.id, outputId)
        if (!output) return 'output-not-found'
        if (output.processId === processId) return 'had-already'
        if (output.processId) return 'output-attached'
        if (!(await isOpen(tx, processId))) return 'process-not-live'
        if (output.mediaPath !== null && (await isInUse(tx, output.mediaPath))) return 'path-in-use'
        if ((await count(tx, 'process_id', processId)) >= account.limits.maxAttachedOutputs)
          return 'attached-output-limit-reached'
        const { numUpdatedRows } = await tx
          .updateTable('output')
          .set({ process_id: processId })
          .where('id', '=', outputId)
          .executeTakeFirstOrThrow()
        // Removing does not wait for the account.
        return numUpdatedRows > 0n ? 'attached' : 'output-not-found'
      }),
    async detach(outputId, processId) {
      await db
        .updateTable('output')
        .set({ process_id: null })
        .where('id', '=', outputId)
        .where('process_id', '=', processId)
        .execute()
    },
    async detachAll(processId) {
      await db.updateTable('output').set({ process_id: null }).where('process_id', '=', processId).execute()
    },
    async detachAllBut(ids, liveProcessIds) {
      const live = new Set(liveProcessIds)
      const attached = db.selectFrom('output').select('process_id').distinct().where('process_id', 'is not', null)
      const taken = ids === 'all' ? (await attached.execute()).map((row) => row.process_id!) : ids
      const gone = taken.filter((id) => !live.has(id))
      for (const some of inBatches(gone))
        await db.updateTable('output').set({ process_id: null }).where('process_id', 'in', some).execute()
    },
    async removeUnattached(accountId, id) {
      const { numDeletedRows } = await db
        .deleteFrom('output')
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .where('process_id', 'is', null)
        .executeTakeFirstOrThrow()
      return numDeletedRows > 0n
    },
    async removeAllOf(accountId) {
      await db.deleteFrom('output').where('account_id', '=', accountId).execute()
    },
  }
}

async function count(tx: Queryable, column: 'account_id' | 'process_id', value: string): Promise<number> {
  const row = await tx
    .selectFrom('output')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(column, '=', value)
    .executeTakeFirstOrThrow()
  return row.count
}

async function find(tx: Queryable, accountId: string, id: string): Promise<Output | undefined> {
  const row = await findOwned(tx.selectFrom('output').selectAll(), accountId, id)
  return row && toOutput(row)
}

/** Whether the process still takes outputs. */
async function isOpen(tx: Queryable, processId: string): Promise<boolean> {
  const row = await tx.selectFrom('process').select('state').where('id', '=', processId).executeTakeFirst()
  return row !== undefined && openStates.includes(row.state)
}

async function findIdentical(tx: Queryable, output: Output): Promise<Output | undefined> {
  const { account_id, type, url, settings } = toRow(output)
  const row = await tx
    .selectFrom('output')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('type', '=', type)
    .where('url', '=', url)
    .where('settings', '=', settings)
    .executeTakeFirst()
  return row && toOutput(row)
}

/** Two outputs may share a path, but not at the same time. */
async function isInUse(tx: Queryable, mediaPath: string): Promise<boolean> {
  const row = await tx
    .selectFrom('output')
    .select('id')
    .where('media_path', '=', mediaPath)
    .where('process_id', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

function toOutput(row: OutputRow): Output {
  return {
    id: row.id,
    accountId: row.account_id,
    alias: row.alias,
    type: row.type as OutputType,
    url: row.url || null,
    mediaPath: row.media_path,
    settings: (row.settings || null) as Resolution | null,
    processId: row.process_id,
    createdAt: row.created_at,
  }
}

function toRow(output: Output): OutputRow {
  return {
    id: output.id,
    account_id: output.accountId,
    alias: output.alias,
    type: output.type,
    // Empty instead of null: unique constraints take every null for another one.
    url: output.url ?? '',
    media_path: output.mediaPath,
    settings: output.settings ?? '',
    process_id: output.processId,
    created_at: output.createdAt,
  }
}
