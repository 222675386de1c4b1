import { type SelectQueryBuilder, sql } from 'kysely'

/** The row with this id, if it is the account's: what others have is not found. */
export async function findOwned<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  accountId: string,
  id: string,
): Promise<Row | undefined> {
  const row = await query
    .where(sql.ref<string>('account_id'), '=', accountId)
    .where(sql.ref<string>('id'), '=', id)
    .executeTakeFirst()
  return row
}
