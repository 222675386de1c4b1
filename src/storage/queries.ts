import { type SelectQueryBuilder, sql, type SqlBool } from 'kysely'
import { type OwnNode } from '../core/own-node.ts'
import { type Page, type PageRequest, toPage } from '../core/page.ts'
import { type TakenIds } from '../core/taken-processes.ts'

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

/** SQLite takes 32,766 bound values in a statement, PostgreSQL 65,535: so many rows of 65 columns each still fit. */
const BATCH_SIZE = 500

/** For statements that bind a list of any length: as much of it as goes into each of them. */
export function* inBatches<T>(values: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < values.length; start += BATCH_SIZE) yield values.slice(start, start + BATCH_SIZE)
}

/** What is streamed from the database, in lists of up to `size`. */
export async function* inParts<Row, Item>(
  rows: AsyncIterable<Row>,
  size: number,
  toItem: (row: Row) => Item,
): AsyncGenerator<Item[], void> {
  let part: Item[] = []
  for await (const row of rows) {
    part.push(toItem(row))
    if (part.length < size) continue
    yield part
    part = []
  }
  if (part.length > 0) yield part
}

/** The rows of those that are taken up: `find` gets as many ids as go into a statement, or none where all are meant. */
export async function findTaken<Row>(
  ids: TakenIds,
  find: (some: readonly string[] | undefined) => Promise<readonly Row[]>,
): Promise<Row[]> {
  if (ids === 'all') return [...(await find(undefined))]
  const rows: Row[] = []
  for (const some of inBatches(ids)) rows.push(...(await find(some)))
  return rows
}

/** Whether a row is this node's; a service that is alone has those of none. */
export function isOfNode(node: OwnNode | null, column = 'node_id') {
  return sql<SqlBool>`${sql.ref(column)} is not distinct from ${node?.id ?? null}`
}

/** Whether a row is of a process of this node; where there is none, every row is. */
export function isOfProcessOf(node: OwnNode | null, column = 'process_id') {
  if (!node) return sql<SqlBool>`1 = 1`
  return sql<SqlBool>`${sql.ref(column)} in (select id from process where node_id = ${node.id})`
}

/** What a column of JSON holds; null where it holds nothing. */
export function parseOrNull<T>(text: string | null): T | null {
  return text === null ? null : (JSON.parse(text) as T)
}
