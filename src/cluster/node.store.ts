import { sql } from 'kysely'
import { type ClusterNode, type NodeId, type NodeLoad } from '../core/node.ts'
import { type Db, type Queryable } from '../storage/database.ts'
import { isLeased, leaseNow } from '../storage/lease-clock.ts'
import { schemaVersionOf } from '../storage/migrate.ts'
import { parseOrNull } from '../storage/queries.ts'
import { type NodeRow } from '../storage/schema.ts'
import { lockForJoining } from './advisory-locks.store.ts'
import { endConnections, listConnections, staleAmong } from './node-connections.store.ts'

/** What a node says of itself when it joins. */
export interface JoiningNode {
  readonly id: NodeId
  /** Of its data folder. */
  readonly instance: string
  readonly labels: readonly string[]
  readonly version: string
  readonly schemaVersion: string
  readonly startedAt: number
  readonly leaseMs: number
}

/** What it says with every renewal. */
export interface Renewal {
  readonly id: NodeId
  readonly epoch: number
  readonly leaseMs: number
  readonly load: NodeLoad | null
  readonly rtspUrl: string | null
}

/** Times are the database's. */
export interface NodeStore {
  /** Undefined while another data folder has a lease on that name. */
  join(node: JoiningNode): Promise<{ readonly epoch: number; readonly nowMs: number } | undefined>
  /** Answers when that was; undefined when the epoch is another by now. */
  renew(renewal: Renewal): Promise<number | undefined>
  /** From now on nothing is this node's any more; others may take over at once. False when the epoch was another already. */
  leave(id: NodeId, epoch: number): Promise<boolean>
  /** Ends what nodes are connected by that are none any more; answers how many there were. */
  endStaleConnections(): Promise<number>
  list(): Promise<ClusterNode[]>
  /** Those whose lease is over, and that nobody has declared dead yet. */
  listSilent(): Promise<NodeId[]>
  /** False when there is no such node. */
  setDraining(id: NodeId, isDraining: boolean): Promise<boolean>
  /** False when there is no such node, or it is alive. */
  forget(id: NodeId): Promise<boolean>
}

/**
 * Epochs begin with the time, so that a node that was forgotten, or that is in no backup, never has one again that it had before.
 */
const firstEpoch = sql<number>`floor(extract(epoch from clock_timestamp()))::bigint`

export function createNodeStore(db: Db): NodeStore {
  return {
    join: ({ id, instance, labels, version, schemaVersion, startedAt, leaseMs }) =>
      db.transaction().execute(async (tx) => {
        await requireServerVersion(tx)
        await lockForJoining(tx)
        // Throws when a newer version has upgraded it meanwhile.
        await schemaVersionOf(tx)
        const columns = {
          is_alive: 1,
          lease_until: sql<number>`${leaseNow} + ${leaseMs}`,
          instance,
          rtsp_url: null,
          labels: JSON.stringify(labels),
          load: null,
          version,
          schema_version: schemaVersion,
          started_at: startedAt,
        }
        const row = await tx
          .insertInto('node')
          .values({ ...columns, id, epoch: firstEpoch, is_draining: 0 })
          .onConflict((conflict) =>
            conflict
              .column('id')
              .doUpdateSet((eb) => ({ ...columns, epoch: eb('node.epoch', '+', 1) }))
              .where((eb) => eb.or([eb('node.instance', '=', instance), eb.not(isLeased)])),
          )
          .returning(['epoch', leaseNow.as('now')])
          .executeTakeFirst()
        return row && { epoch: row.epoch, nowMs: row.now }
      }),

    // Whatever the lease says: when the database was away for longer, nobody has lost anything by that.
    async renew({ id, epoch, leaseMs, load, rtspUrl }) {
      const row = await db
        .updateTable('node')
        .set({
          lease_until: sql<number>`${leaseNow} + ${leaseMs}`,
          load: load && JSON.stringify(load),
          rtsp_url: rtspUrl,
        })
        .where('id', '=', id)
        .where('epoch', '=', epoch)
        .where('is_alive', '=', 1)
        .returning(leaseNow.as('now'))
        .executeTakeFirst()
      return row?.now
    },

    async leave(id, epoch) {
      const { numUpdatedRows } = await db
        .updateTable('node')
        .set((eb) => ({ epoch: eb('epoch', '+', 1), is_alive: 0, lease_until: leaseNow }))
        .where('id', '=', id)
        .where('epoch', '=', epoch)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async endStaleConnections() {
      const stale = staleAmong(await listConnections(db), await listNodes(db))
      if (stale.length > 0) await endConnections(db, stale)
      return stale.length
    },

    list: () => listNodes(db),

    async listSilent() {
      const rows = await db
        .selectFrom('node')
        .select('id')
        .where('is_alive', '=', 1)
        .where((eb) => eb.not(isLeased))
        .orderBy('id')
        .execute()
      return rows.map(({ id }) => id)
    },

    async setDraining(id, isDraining) {
      const { numUpdatedRows } = await db
        .updateTable('node')
        .set({ is_draining: Number(isDraining) })
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      return numUpdatedRows === 1n
    },

    forget: (id) =>
      db.transaction().execute(async (tx) => {
        const node = tx.deleteFrom('node').where('id', '=', id).where('is_alive', '=', 0)
        const isForgotten = (await node.executeTakeFirstOrThrow()).numDeletedRows === 1n
        if (isForgotten) await leaveJobs(tx, id)
        return isForgotten
      }),
  }
}

/**
 * Those that come again and again, every node has. Any other takes the rest, though what they are about may be gone with the node: a
 * report is being enhanced until its job says what came of it.
 */
async function leaveJobs(tx: Queryable, id: NodeId): Promise<void> {
  await tx.deleteFrom('job').where('node_id', '=', id).where('unique_key', 'like', 'recurring@%').execute()
  await tx.updateTable('job').set({ node_id: null }).where('node_id', '=', id).execute()
}

/** The first that waits for a connection to end (`pg_terminate_backend` with a timeout). */
const MIN_SERVER_VERSION = 14

async function requireServerVersion(tx: Queryable): Promise<void> {
  const { rows } = await sql<{
    version: number
  }>`select current_setting('server_version_num')::int / 10000 as version`.execute(tx)
  const { version } = rows[0]!
  if (version < MIN_SERVER_VERSION)
    throw new Error(`A service of several nodes needs PostgreSQL ${MIN_SERVER_VERSION} or newer; this is ${version}.`)
}

export async function listNodes(db: Queryable): Promise<ClusterNode[]> {
  return (await db.selectFrom('node').selectAll().orderBy('id').execute()).map(toNode)
}

function toNode(row: NodeRow): ClusterNode {
  return {
    id: row.id,
    epoch: row.epoch,
    isAlive: row.is_alive === 1,
    isDraining: row.is_draining === 1,
    rtspUrl: row.rtsp_url,
    labels: JSON.parse(row.labels) as string[],
    load: parseOrNull<NodeLoad>(row.load),
    version: row.version,
    schemaVersion: row.schema_version,
    startedAt: row.started_at,
  }
}
