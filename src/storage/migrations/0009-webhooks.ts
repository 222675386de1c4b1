import { type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('webhook_subscription')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('account.id'))
    .addColumn('process_id', 'text', (column) => column.notNull())
    .addColumn('notification_url', 'text', (column) => column.notNull())
    .addColumn('event_type', 'text', (column) => column.notNull())
    .addColumn('notification_format', 'text', (column) => column.notNull())
    .addColumn('backoff_ms', 'bigint', (column) => column.notNull())
    .addColumn('auth_url', 'text')
    .addColumn('secret', 'text', (column) => column.notNull())
    .addColumn('progress', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('ended_at', 'bigint')
    .addUniqueConstraint('webhook_subscription_same', ['process_id', 'event_type', 'notification_url'])
    .execute()
}
