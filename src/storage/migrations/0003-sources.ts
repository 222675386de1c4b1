import { type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('source')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('account.id'))
    .addColumn('alias', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('input_url', 'text', (column) => column.notNull())
    .addColumn('stream_type', 'text')
    .addColumn('telemetry_cfg', 'text')
    .addColumn('media_path', 'text')
    .addColumn('size_bytes', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('video', 'text')
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('source_fingerprint', ['account_id', 'fingerprint'])
    .execute()
  await db.schema.createIndex('source_media_path').on('source').column('media_path').execute()

  await db.schema
    .createTable('source_token')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('source_id', 'text', (column) => column.notNull().references('source.id').onDelete('cascade'))
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('sha256', 'text', (column) => column.notNull().unique())
    .addColumn('ha1', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('source_token_source').on('source_token').column('source_id').execute()

  await db.schema
    .createTable('recording')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('account.id'))
    .addColumn('source_id', 'text', (column) => column.notNull())
    .addColumn('alias', 'text', (column) => column.notNull())
    .addColumn('started_at', 'bigint', (column) => column.notNull())
    .addColumn('ended_at', 'bigint')
    .execute()
  await db.schema.createIndex('recording_account').on('recording').columns(['account_id', 'id']).execute()
  await db.schema.createIndex('recording_source').on('recording').columns(['source_id', 'id']).execute()

  await db.schema
    .createTable('recording_segment')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('recording_id', 'text', (column) => column.notNull().references('recording.id').onDelete('cascade'))
    .addColumn('file', 'text', (column) => column.notNull())
    .addColumn('started_at', 'bigint', (column) => column.notNull())
    .addColumn('duration_ms', 'bigint')
    .addColumn('size_bytes', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema
    .createIndex('recording_segment_recording')
    .on('recording_segment')
    .columns(['recording_id', 'started_at'])
    .execute()
  await db.schema.createIndex('recording_segment_started').on('recording_segment').column('started_at').execute()
}
