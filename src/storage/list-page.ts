import { type SelectQueryBuilder, sql } from 'kysely'
import { type Page, type PageRequest, toPage } from '../core/page.ts'

/** One page of what a query selects, newest first: ids are in the order of time. `idColumn` is named where a join has several. */
export async function listPage<DB, TB extends keyof DB, Row, Item extends { readonly id: string }>(
  query: SelectQueryBuilder<DB, TB, Row>,
  page: PageRequest,
  toItem: (row: Row) => Item,
  idColumn = 'id',
): Promise<Page<Item>> {
  const id = sql.ref<string>(idColumn)
  const after = page.cursor ? query.where(id, '<', page.cursor) : query
  // One more than is shown, which says whether there is a next page.
  const rows = await after
    .orderBy(id, 'desc')
    .limit(page.limit + 1)
    .execute()
  return toPage((rows as Row[]).map(toItem), page)
}
