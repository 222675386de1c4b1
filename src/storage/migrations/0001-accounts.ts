import { type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('account')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('username', 'text', (column) => column.notNull().unique())
    .addColumn('master_id', 'text')
    .addColumn('key_sha256', 'text', (column) => column.unique())
    .addColumn('key_ha1', 'text')
    .addColumn('expiration_date', 'text')
    .addColumn('max_sources', 'bigint', (column) => column.notNull())
    .addColumn('max_outputs', 'bigint', (column) => column.notNull())
    .addColumn('max_attached_outputs', 'bigint', (column) => column.notNull())
    .addColumn('max_processes', 'bigint', (column) => column.notNull())
    .addColumn('max_video_upload_size_bytes', 'bigint', (column) => column.notNull())
    .addColumn('total_storage_size_bytes', 'bigint', (column) => column.notNull())
    .addColumn('track_logger', 'bigint', (column) => column.notNull())
    .addColumn('enhancement', 'bigint', (column) => column.notNull())
    .addColumn('process_recording', 'bigint', (column) => column.notNull())
    .addColumn('recording_retention_days', 'bigint', (column) => column.notNull())
    .addColumn('remaining_seconds', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('consumed_seconds', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('pending_seconds', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('revoked_at', 'bigint')
    .execute()
  await db.schema.createIndex('account_master').on('account').columns(['master_id', 'created_at']).execute()

  await db.schema
    .createTable('ledger_entry')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('account.id'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('remaining_delta', 'bigint', (column) => column.notNull())
    .addColumn('pending_delta', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('ledger_entry_account').on('ledger_entry').columns(['account_id', 'created_at']).execute()

  await db.schema
    .createTable('charge')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('account.id'))
    .addColumn('seconds', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('charge_account').on('charge').column('account_id').execute()
}
