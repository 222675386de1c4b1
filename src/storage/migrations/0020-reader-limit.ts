import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('account')
    .addColumn('max_readers', 'bigint', (column) => column.notNull().defaultTo(200))
    .execute()
  // The operator's own has as many as a path could have so far.
  await sql`update account set max_readers = 1000 where username = 'admin'`.execute(db)
}
