import { type Kysely } from 'kysely'

/**
 * The files that are in the object store, or wait to be put there. One table for all kinds: some have no rows of their own, others share
 * one, and what is removed must be known until the store has removed it too.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('stored_file')
    .addColumn('file', 'text', (column) => column.primaryKey())
    .addColumn('folder', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('node_id', 'text')
    .addColumn('object_key', 'text', (column) => column.notNull())
    .addColumn('size_bytes', 'bigint', (column) => column.notNull())
    .addColumn('place', 'text', (column) => column.notNull())
    .addColumn('local_at', 'bigint', (column) => column.notNull())
    .addColumn('retry_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema.createIndex('stored_file_folder').on('stored_file').column('folder').execute()
  // A node looks after what is on its own disk.
  await db.schema.createIndex('stored_file_place').on('stored_file').columns(['node_id', 'place', 'local_at']).execute()
}
