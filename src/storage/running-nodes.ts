import { type Queryable } from './database.ts'
import { isLeased } from './lease-clock.ts'

/** The nodes that run on this PostgreSQL, as far as their leases say; none where its tables are older than nodes. */
export async function listRunningNodes(db: Queryable): Promise<string[]> {
  if (!(await db.introspection.getTables()).some(({ name }) => name === 'node')) return []
  const rows = await db.selectFrom('node').select('id').where(isLeased).orderBy('id').execute()
  return rows.map(({ id }) => id)
}
