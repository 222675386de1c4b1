import { type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // What keys are made with from now on; those that are there already get the same.
  await db.schema
    .alterTable('account')
    .addColumn('max_hls_streams', 'bigint', (column) => column.notNull().defaultTo(16))
    .execute()
  await db.schema
    .alterTable('account')
    .addColumn('max_webrtc_sessions', 'bigint', (column) => column.notNull().defaultTo(100))
    .execute()
}
