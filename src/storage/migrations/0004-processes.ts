import { type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('process')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('account.id'))
    .addColumn('source_id', 'text', (column) => column.notNull())
    .addColumn('source_url', 'text', (column) => column.notNull())
    .addColumn('source_type', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('options', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('started_at', 'bigint')
    .addColumn('stopped_at', 'bigint')
    .addColumn('stop_reason', 'text')
    .addColumn('error', 'text')
    .addColumn('restarts', 'bigint', (column) => column.notNull())
    .addColumn('last_track_id', 'bigint', (column) => column.notNull())
    .addColumn('consumed_seconds', 'bigint', (column) => column.notNull())
    .addColumn('stats', 'text')
    .execute()
  await db.schema.createIndex('process_account').on('process').columns(['account_id', 'id']).execute()
  await db.schema.createIndex('process_state').on('process').column('state').execute()
}
