import { sql } from 'kysely'
import { type ClusterNode } from '../core/node.ts'
import { type Queryable } from '../storage/database.ts'
import { connectionName, NODE_CONNECTIONS } from '../storage/node-admission.ts'

/** A connection of a node's, of whichever epoch. */
export interface NodeConnection {
  readonly pid: number
  readonly name: string
}

const END_TIMEOUT_MS = 1_000

export const nodeConnections = sql`select pid, application_name from pg_stat_activity
  where datname = current_database() and starts_with(application_name, ${NODE_CONNECTIONS})`

/** What the connections of a service of one node are called. */
export const ALONE_CONNECTIONS = 'aerie alone'

/** Such a service looks at the database every second, so it is connected for as long as it runs. */
export async function isServedAlone(db: Queryable): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_stat_activity
    where datname = current_database() and application_name = ${ALONE_CONNECTIONS} limit 1`.execute(db)
  return rows.length > 0
}

/** Within a transaction: as they were when it first asked. */
export async function listConnections(db: Queryable): Promise<NodeConnection[]> {
  const { rows } =
    await sql<NodeConnection>`select pid, application_name as name from (${nodeConnections}) connection`.execute(db)
  return rows
}

/** Those of no node that is alive. The nodes must have been read after them: whoever joined in between is let be. */
export function staleAmong<Connection extends Pick<NodeConnection, 'name'>>(
  connections: readonly Connection[],
  nodes: readonly Pick<ClusterNode, 'id' | 'epoch' | 'isAlive'>[],
): readonly Connection[] {
  const alive = nodes.filter(({ isAlive }) => isAlive)
  const names = new Set(alive.map(({ id, epoch }) => connectionName(id, epoch)))
  return connections.filter(({ name }) => !names.has(name))
}

/** Rolls back what they have begun. Waits for each for a second; one that takes longer is to be looked for again. */
export async function endConnections(db: Queryable, connections: readonly NodeConnection[]): Promise<void> {
  const pids = connections.map(({ pid }) => pid)
  const names = connections.map(({ name }) => name)
  // A pid may be another's by now, but its name is not.
  await sql`select pg_terminate_backend(pid, ${END_TIMEOUT_MS}) from pg_stat_activity where datname = current_database()
    and (pid, application_name) in (select * from unnest(${pids}::int[], ${names}::text[]))`.execute(db)
}
