import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const name of ['unlimited', 'unlimited_seconds'])
    await db.schema
      .alterTable('account')
      .addColumn(name, 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
  // The first start used to give 100,000 minutes to the first master, and as many pending. Whose operator never granted it any
  // others has set no limit: it has none from now on. What is in its book stays there.
  await sql`update account set unlimited = 1 where username = 'admin' and id in (
    select account_id from ledger_entry where kind = 'grant' group by account_id
    having count(*) = 1 and min(remaining_delta) = 6000000 and min(pending_delta) = 6000000)`.execute(db)
}
