import { type Account } from '../core/account.ts'
import { type OwnNode } from '../core/own-node.ts'
import { type TakenIds } from '../core/taken-processes.ts'
import { type Db, lockActiveAccount } from '../storage/database.ts'
import { findTaken, inBatches, isOfProcessOf } from '../storage/queries.ts'
import { type WebhookSubscriptionRow } from '../storage/schema.ts'
import { type Progress, type StoredSubscription } from './progress.ts'
import { type EventType, type SubscriptionFilter } from './subscription.ts'

export interface WebhookStore {
  insertWithinLimit(
    account: Pick<Account, 'id'>,
    subscription: StoredSubscription,
    limit: number,
  ): Promise<'inserted' | 'subscription-exists' | 'subscription-limit-reached'>
  /** Newest first, those of an ended process included. */
  list(processId: string, filter?: SubscriptionFilter): Promise<StoredSubscription[]>
  /** Of those of these processes that were live when this was last known. */
  listActive(ids: TakenIds): Promise<StoredSubscription[]>
  /** With whether its process is this node's; undefined when there is none. */
  findWithOwner(
    id: string,
  ): Promise<{ readonly subscription: StoredSubscription; readonly isOurs: boolean } | undefined>
  remove(ids: readonly string[]): Promise<void>
  /** By subscription. Of a process that went to another node nothing is written: what was left in our spool is older than what that has. */
  saveProgress(newest: ReadonlyMap<string, Progress>): Promise<void>
  end(processId: string, nowMs: number): Promise<void>
  listEndedBefore(ms: number): Promise<string[]>
  removeAllOf(accountId: string): Promise<void>
}

export function createWebhookStore(db: Db, node: OwnNode | null = null): WebhookStore {
  return {
    insertWithinLimit: (account, subscription, limit) =>
      db.transaction().execute(async (tx) => {
        await lockActiveAccount(tx, account.id)
        const { processId, eventType, notificationUrl } = subscription
        const rows = await tx
          .selectFrom('webhook_subscription')
          .select(['event_type', 'notification_url'])
          .where('process_id', '=', processId)
          .execute()
        if (rows.some((row) => row.event_type === eventType && row.notification_url === notificationUrl))
          return 'subscription-exists'
        if (rows.length >= limit) return 'subscription-limit-reached'
        await tx.insertInto('webhook_subscription').values(toRow(subscription)).execute()
        return 'inserted'
      }),

    async list(processId, { id, notificationUrl, eventType } = {}) {
      let query = db.selectFrom('webhook_subscription').selectAll().where('process_id', '=', processId)
      if (id !== undefined) query = query.where('id', '=', id)
      if (notificationUrl !== undefined) query = query.where('notification_url', '=', notificationUrl)
      if (eventType !== undefined) query = query.where('event_type', '=', eventType)
      return (await query.orderBy('id', 'desc').execute()).map(toSubscription)
    },

    async listActive(ids) {
      const active = db.selectFrom('webhook_subscription').selectAll().where('ended_at', 'is', null).orderBy('id')
      const rows = await findTaken(ids, (some) => (some ? active.where('process_id', 'in', some) : active).execute())
      return rows.map(toSubscription)
    },

    async findWithOwner(id) {
      const one = db.selectFrom('webhook_subscription').selectAll().where('id', '=', id)
      const row = await one.select(isOfProcessOf(node).as('is_ours')).executeTakeFirst()
      return row && { subscription: toSubscription(row), isOurs: Boolean(row.is_ours) }
    },

    async remove(ids) {
      for (const some of inBatches(ids)) await db.deleteFrom('webhook_subscription').where('id', 'in', some).execute()
    },

    async saveProgress(newest) {
      await db.transaction().execute(async (tx) => {
        for (const [id, progress] of newest)
          await tx
            .updateTable('webhook_subscription')
            .set({ progress: JSON.stringify(progress) })
            .where('id', '=', id)
            .where(isOfProcessOf(node))
            .execute()
      })
    },

    async end(processId, nowMs) {
      await db
        .updateTable('webhook_subscription')
        .set({ ended_at: nowMs })
        .where('process_id', '=', processId)
        .where('ended_at', 'is', null)
        .execute()
    },

    async listEndedBefore(ms) {
      const query = db.selectFrom('webhook_subscription').select('id').where('ended_at', '<', ms)
      return (await query.orderBy('id').execute()).map(({ id }) => id)
    },

    async removeAllOf(accountId) {
      await db.deleteFrom('webhook_subscription').where('account_id', '=', accountId).execute()
    },
  }
}

function toSubscription(row: WebhookSubscriptionRow): StoredSubscription {
  return {
    id: row.id,
    accountId: row.account_id,
    processId: row.process_id,
    notificationUrl: row.notification_url,
    eventType: row.event_type as EventType,
    notificationFormat: row.notification_format,
    backoffMs: row.backoff_ms,
    authUrl: row.auth_url,
    secret: row.secret,
    progress: JSON.parse(row.progress) as Progress,
    createdAt: row.created_at,
    endedAt: row.ended_at,
  }
}

function toRow(subscription: StoredSubscription): WebhookSubscriptionRow {
  return {
    id: subscription.id,
    account_id: subscription.accountId,
    process_id: subscription.processId,
    notification_url: subscription.notificationUrl,
    event_type: subscription.eventType,
    notification_format: subscription.notificationFormat,
    backoff_ms: subscription.backoffMs,
    auth_url: subscription.authUrl,
    secret: subscription.secret,
    progress: JSON.stringify(subscription.progress),
    created_at: subscription.createdAt,
    ended_at: subscription.endedAt,
  }
}
