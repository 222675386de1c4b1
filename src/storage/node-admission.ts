import type pg from 'pg'
import { sha256Of } from '../core/digest.ts'
import { NodeExpelled, type NodeId } from '../core/node.ts'

/** By what right a pool is connected: as this node, for as long as its epoch is that. */
export interface NodeAdmission {
  readonly nodeId: NodeId
  readonly epoch: number
  /** Called once, when a connection was refused because the epoch is another by now. */
  readonly onExpelled: (error: NodeExpelled) => void
}

export interface NodeGate {
  /** Lets a new connection in, or rejects with `NodeExpelled`. */
  admit(client: pg.ClientBase): Promise<void>
}

/** Whoever declares a node dead ends the connections of these names. */
export const NODE_CONNECTIONS = 'aerie node '
/** With the prefix, a space, and an epoch of at most 15 digits: what PostgreSQL keeps of a name (`NAMEDATALEN`). */
const MAX_NAME_PART = 36
const CHECK_TIMEOUT_MS = 5_000

/** What the connections of a node are called in `pg_stat_activity`. */
export function connectionName(nodeId: NodeId, epoch: number): string {
  // No id has a tilde, so that a shortened one is no other's.
  const short = nodeId.length <= MAX_NAME_PART ? nodeId : `${nodeId.slice(0, 19)}~${sha256Of(nodeId).slice(0, 16)}`
  return `${NODE_CONNECTIONS}${short} ${epoch}`
}

export function createNodeGate({ nodeId, epoch, onExpelled }: NodeAdmission): NodeGate {
  let isExpelled = false

  return {
    async admit(client) {
      // In this order: whoever raises the epoch looks for names after that, so that a connection either has a name that is
      // found, or finds the new epoch.
      await ask(client, `select set_config('application_name', $1, false)`, [connectionName(nodeId, epoch)])
      const { rowCount } = await ask(client, 'select 1 from node where id = $1 and epoch = $2 and is_alive = 1', [
        nodeId,
        epoch,
      ])
      if (rowCount === 1) return
      const error = new NodeExpelled(nodeId)
      if (!isExpelled) onExpelled(error)
      isExpelled = true
      throw error
    },
  }
}

function ask(client: pg.ClientBase, text: string, values: unknown[]): Promise<pg.QueryResult> {
  // A server that hangs by now would be waited for until it goes on.
  const query = { text, values, query_timeout: CHECK_TIMEOUT_MS }
  return client.query(query)
}
