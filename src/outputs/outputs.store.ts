import { type Page, type PageRequest, toPage } from '../core/page.ts'
import { type Account } from '../core/words.ts'
import { type Db, lockAccount, type Queryable } from '../storage/database.ts'
import { type OutputRow } from '../storage/schema.ts'
import { type Output, type Resolution } from './output.ts'

export interface OutputStore {
  /** An output with the same type, url and settings is found instead. */
  insertWithinLimit(
    account: Account,
    output: Output,
  ): Promise<{ readonly output: Output; readonly isNew: boolean } | 'output-limit-reached'>
  find(accountId: string, id: string): Promise<Output | undefined>
  /** Whosever it is. */
  findById(id: string): Promise<Output | undefined>
  list(accountId: string, page: PageRequest): Promise<Page<Output>>
  listAttached(processId: string): Promise<Output[]>
  /** Gives the output to the process, unless another one has it or the process has as many as the account may. */
  attachWithinLimit(
    account: Account,
    outputId: string,
    processId: string,
  ): Promise<'attached' | 'output-attached' | 'attached-output-limit-reached'>
  detach(outputId: string): Promise<void>
  detachAll(processId: string): Promise<void>
  /** Lets go of processes that are no more. */
  detachAllBut(liveProcessIds: readonly string[]): Promise<void>
  remove(id: string): Promise<void>
  removeAllOf(accountId: string): Promise<void>
}

export function createOutputStore(db: Db): OutputStore {
  const count = async (tx: Queryable, column: 'account_id' | 'process_id', value: string) => {
    const row = await tx
      .selectFrom('output')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where(column, '=', value)
      .executeTakeFirstOrThrow()
    return row.count
  }
  const find = async (tx: Queryable, accountId: string, id: string) => {
    const row = await tx
      .selectFrom('output')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .executeTakeFirst()
    return row && toOutput(row)
  }

  return {
    insertWithinLimit: (account, output) =>
      db.transaction().execute(async (tx) => {
        await lockAccount(tx, account.id)
        const row = toRow(output)
        const existing = await tx
          .selectFrom('output')
          .selectAll()
          .where('account_id', '=', row.account_id)
          .where('type', '=', row.type)
          .where('url', '=', row.url)
          .where('settings', '=', row.settings)
          .executeTakeFirst()
        if (existing) return { output: toOutput(existing), isNew: false }
        if ((await count(tx, 'account_id', account.id)) >= account.limits.maxOutputs) return 'output-limit-reached'
        await tx.insertInto('output').values(row).execute()
        return { output, isNew: true }
      }),
    find: (accountId, id) => find(db, accountId, id),
    async findById(id) {
      const row = await db.selectFrom('output').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toOutput(row)
    },
    async list(accountId, page) {
      const query = db
        .selectFrom('output')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('id', 'desc')
        .limit(page.limit + 1)
      const rows = await (page.cursor ? query.where('id', '<', page.cursor) : query).execute()
      return toPage(rows.map(toOutput), page)
    },
    async listAttached(processId) {
      const rows = await db.selectFrom('output').selectAll().where('process_id', '=', processId).orderBy('id').execute()
      return rows.map(toOutput)
    },
    attachWithinLimit: (account, outputId, processId) =>
      db.transaction().execute(async (tx) => {
        await lockAccount(tx, account.id)
        const output = await find(tx, account.id, outputId)
        if (output?.processId === processId) return 'attached'
        if (output?.processId) return 'output-attached'
        if ((await count(tx, 'process_id', processId)) >= account.limits.maxAttachedOutputs)
          return 'attached-output-limit-reached'
        await tx.updateTable('output').set({ process_id: processId }).where('id', '=', outputId).execute()
        return 'attached'
      }),
    async detach(outputId) {
      await db.updateTable('output').set({ process_id: null }).where('id', '=', outputId).execute()
    },
    async detachAll(processId) {
      await db.updateTable('output').set({ process_id: null }).where('process_id', '=', processId).execute()
    },
    async detachAllBut(liveProcessIds) {
      const query = db.updateTable('output').set({ process_id: null }).where('process_id', 'is not', null)
      await (liveProcessIds.length > 0 ? query.where('process_id', 'not in', liveProcessIds) : query).execute()
    },
    async remove(id) {
      await db.deleteFrom('output').where('id', '=', id).execute()
    },
    async removeAllOf(accountId) {
      await db.deleteFrom('output').where('account_id', '=', accountId).execute()
    },
  }
}

function toOutput(row: OutputRow): Output {
  return {
    id: row.id,
    accountId: row.account_id,
    alias: row.alias,
    type: row.type,
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
