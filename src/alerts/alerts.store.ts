import { sql } from 'kysely'
import { type Account } from '../core/account.ts'
import { type Page, type PageRequest } from '../core/page.ts'
import { type Db, lockAccount, lockActiveAccount, type Queryable } from '../storage/database.ts'
import { findOwned, inBatches, listPage } from '../storage/queries.ts'
import { type AlertRow } from '../storage/schema.ts'
import { countWith } from './alert-scope.ts'
import { type Alert, type Setup } from './alert.ts'

/** How many alerts an account may have. */
export interface AlertLimits {
  readonly registered: number
  /** Of those, so many may be active at one process. */
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
  /** Of each of these accounts, a mark that is another one after any change of its alerts. */
  listMarks(accountIds: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Nobody else changes it in between; undefined when there is none. What `change` throws is thrown. */
  change(
    accountId: string,
    id: string,
    limits: AlertLimits,
    change: (alert: Alert) => Alert,
  ): Promise<Alert | LimitReached | undefined>
  /** The first of these that is no source of the account. */
  findMissingSource(accountId: string, sourceIds: readonly string[]): Promise<string | undefined>
  /** The first of these that is no contact of the account. */
  findMissingContact(accountId: string, contactIds: readonly string[]): Promise<string | undefined>
  /** False when there was none. */
  remove(accountId: string, id: string): Promise<boolean>
  removeAllOf(accountId: string): Promise<void>
}

export function createAlertStore(db: Db): AlertStore {
  const find = async (tx: Queryable, accountId: string, id: string) => {
    const row = await findOwned(tx.selectFrom('alert').selectAll(), accountId, id)
    return row && (await toAlerts(tx, [row]))[0]
  }
  const listActive = async (tx: Queryable, accountId: string) => {
    const own = tx.selectFrom('alert').selectAll().where('account_id', '=', accountId)
    return toAlerts(tx, await own.where('status', '=', 'active').orderBy('id').execute())
  }
  const hasRoom = async (tx: Queryable, alert: Alert, { active }: AlertLimits) => {
    const others = (await listActive(tx, alert.accountId)).filter(({ id }) => id !== alert.id)
    return countWith(alert, others) <= active
  }

  return {
    insertWithinLimits: (account, alert, limits) =>
      db.transaction().execute(async (tx) => {
        await lockActiveAccount(tx, account.id)
        const own = tx.selectFrom('alert').select('id').where('account_id', '=', account.id)
        if ((await own.execute()).length >= limits.registered) return 'alert-limit-reached'
        if (alert.status === 'active' && !(await hasRoom(tx, alert, limits))) return 'active-alert-limit-reached'
        await tx.insertInto('alert').values(toRow(alert)).execute()
        await writeSources(tx, alert)
        return 'inserted'
      }),
    find: (accountId, id) => find(db, accountId, id),
    async list(accountId, page) {
      const own = db.selectFrom('alert').selectAll().where('account_id', '=', accountId)
      const { items, nextCursor } = await listPage(own, page, (row) => row)
      return { items: await toAlerts(db, items), nextCursor }
    },
    listActive: (accountId) => listActive(db, accountId),
    async listMarks(accountIds) {
      const marks = new Map(accountIds.map((id) => [id, '']))
      for (const ids of inBatches(accountIds)) {
        // Not the latest time: the clocks of two nodes differ, and one that is removed takes its time along.
        const query = db
          .selectFrom('alert')
          .select(['account_id', sql<string>`count(*) || ' ' || sum(updated_at)`.as('mark')])
          .where('account_id', 'in', ids)
        for (const row of await query.groupBy('account_id').execute()) marks.set(row.account_id, row.mark)
      }
      return marks
    },
    change: (accountId, id, limits, change) =>
      db.transaction().execute(async (tx) => {
        await lockAccount(tx, accountId)
        const before = await find(tx, accountId, id)
        if (!before) return undefined
        const after = change(before)
        const isMoved = String(before.sourceIds) !== String(after.sourceIds)
        const isAdded = after.status === 'active' && (before.status === 'inactive' || isMoved)
        if (isAdded && !(await hasRoom(tx, after, limits))) return 'active-alert-limit-reached'
        await tx.updateTable('alert').set(toRow(after)).where('id', '=', id).execute()
        if (isMoved) await writeSources(tx, after)
        return after
      }),
    async findMissingSource(accountId, sourceIds) {
      if (sourceIds.length === 0) return undefined
      const query = db.selectFrom('source').select('id').where('account_id', '=', accountId)
      const own = new Set((await query.where('id', 'in', sourceIds).execute()).map(({ id }) => id))
      return sourceIds.find((id) => !own.has(id))
    },
    async findMissingContact(accountId, contactIds) {
      if (contactIds.length === 0) return undefined
      const query = db.selectFrom('contact').select('id').where('account_id', '=', accountId)
      const own = new Set((await query.where('id', 'in', contactIds).execute()).map(({ id }) => id))
      return contactIds.find((id) => !own.has(id))
    },
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

/** Of the same account only, and none that was removed meanwhile. */
async function writeSources(tx: Queryable, { id, accountId, sourceIds }: Alert): Promise<void> {
  await tx.deleteFrom('alert_source').where('alert_id', '=', id).execute()
  if (!sourceIds?.length) return
  await tx
    .insertInto('alert_source')
    .columns(['alert_id', 'source_id'])
    .expression((eb) =>
      eb
        .selectFrom('source')
        .select([eb.val(id).as('alert_id'), 'source.id as source_id'])
        .where('account_id', '=', accountId)
        .where('id', 'in', sourceIds),
    )
    .execute()
}

async function toAlerts(tx: Queryable, rows: readonly AlertRow[]): Promise<Alert[]> {
  const bound = rows.filter((row) => row.has_sources === 1).map(({ id }) => id)
  if (bound.length === 0) return rows.map((row) => toAlert(row, null))
  const query = tx.selectFrom('alert_source').selectAll().where('alert_id', 'in', bound)
  const sources = await query.orderBy('source_id').execute()
  const sourceIdsOf = new Map<string, string[]>(bound.map((id) => [id, []]))
  for (const { alert_id: alertId, source_id: sourceId } of sources) sourceIdsOf.get(alertId)!.push(sourceId)
  return rows.map((row) => toAlert(row, sourceIdsOf.get(row.id) ?? null))
}

function toAlert(row: AlertRow, sourceIds: Alert['sourceIds']): Alert {
  return {
    id: row.id,
    accountId: row.account_id,
    alias: row.alias,
    status: row.status,
    setup: JSON.parse(row.setup) as Setup,
    processId: null,
    sourceIds,
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
    has_sources: alert.sourceIds ? 1 : 0,
    created_at: alert.createdAt,
    updated_at: alert.updatedAt,
  }
}
