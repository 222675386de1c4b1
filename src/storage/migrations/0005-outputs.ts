import { type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('output')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('account.id'))
    .addColumn('alias', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('media_path', 'text')
    .addColumn('settings', 'text', (column) => column.notNull())
    .addColumn('process_id', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('output_same', ['account_id', 'type', 'url', 'settings'])
    .execute()
  await db.schema.createIndex('output_process').on('output').column('process_id').execute()
}
