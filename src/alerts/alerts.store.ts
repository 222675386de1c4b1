import { type Account } from '../core/account.ts'
import { type Page, type PageRequest } from '../core/page.ts'
import { type Db, lockAccount, lockActiveAccount, type Queryable } from '../storage/database.ts'
import { findOwned } from '../storage/find-owned.ts'
import { listPage } from '../storage/list-page.ts'
import { type AlertRow } from '../storage/schema.ts'
import { type Alert, type Setup } from './alert.ts'

/** How many alerts an account may have. */
export interface AlertLimits {
  readonly registered: number
  /** Of those, so many may be active. */
  readonly active: number
}

export type LimitReached = 'alert-limit-reached' | 'active-alert-limit-reached'

/** Alerts that are registered; one-off alerts are not kept. */
export interface AlertStore {
  insertWithinLimits(
    account: Pick<Account, 'id'>,
    alert: Alert,
    limits: AlertLimits,
  ): Promise<'inserted' | LimitReached>
  find(accountId: string, id: string): Promise<Alert | undefined>
  list(accountId: string, page: PageRequest): Promise<Page<Alert>>
  listActive(accountId: string): Promise<Alert[]>
  /** Nobody else changes it in between; undefined when there is none. What `change` throws is thrown. */
  change(
    accountId: string,
    id: string,
    limits: AlertLimits,
    change: (alert: Alert) => Alert,
  ): Promise<Alert | LimitReached | undefined>
  /** False when there was none. */
  remove(accountId: string, id: string): Promise<boolean>
  removeAllOf(accountId: string): Promise<void>
}

export function createAlertStore(db: Db): AlertStore {
  const find = async (tx: Queryable, accountId: string, id: string) => {
    const row = await findOwned(tx.selectFrom('alert').selectAll(), accountId, id)
    return row && toAlert(row)
  }
  const count = async (tx: Queryable, accountId: string) => {
    const rows = await tx.selectFrom('alert').select('status').where('account_id', '=', accountId).execute()
    return { registered: rows.length, active: rows.filter(({ status }) => status === 'active').length }
  }

  return {
    insertWithinLimits: (account, alert, limits) =>
      db.transaction().execute(async (tx) => {
        await lockActiveAccount(tx, account.id)
        const { registered, active } = await count(tx, account.id)
        if (registered >= limits.registered) return 'alert-limit-reached'
        if (alert.status === 'active' && active >= limits.active) return 'active-alert-limit-reached'
        await tx.insertInto('alert').values(toRow(alert)).execute()
        return 'inserted'
      }),
    find: (accountId, id) => find(db, accountId, id),
    list: (accountId, page) =>
      listPage(db.selectFrom('alert').selectAll().where('account_id', '=', accountId), page, toAlert),
    async listActive(accountId) {
      const rows = await db
        .selectFrom('alert')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('status', '=', 'active')
        .orderBy('id')
        .execute()
      return rows.map(toAlert)
    },
    change: (accountId, id, limits, change) =>
      db.transaction().execute(async (tx) => {
        await lockAccount(tx, accountId)
        const before = await find(tx, accountId, id)
        if (!before) return undefined
        const after = change(before)
        const isActivated = before.status === 'inactive' && after.status === 'active'
        if (isActivated && (await count(tx, accountId)).active >= limits.active) return 'active-alert-limit-reached'
        await tx.updateTable('alert').set(toRow(after)).where('id', '=', id).execute()
        return after
      }),
    async remove(accountId, id) {
      const { numDeletedRows } = await db
        .deleteFrom('alert')
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      return numDeletedRows > 0n
    },
    async removeAllOf(accountId) {
      await db.deleteFrom('alert').where('account_id', '=', accountId).execute()
    },
  }
}

function toAlert(row: AlertRow): Alert {
  return {
    id: row.id,
    accountId: row.account_id,
    alias: row.alias,
    status: row.status,
    setup: JSON.parse(row.setup) as Setup,
    processId: null,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

function toRow(alert: Alert): AlertRow {
  return {
    id: alert.id,
    account_id: alert.accountId,
    alias: alert.alias,
    status: alert.status,
    setup: JSON.stringify(alert.setup),
    created_at: alert.createdAt,
    updated_at: alert.updatedAt,
  }
}
