import { type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'
import { type LiveVideo, type Protocol } from '../media/messages.ts'
import { type Db } from '../storage/database.ts'
import { type LivePathRow, type Tables } from '../storage/schema.ts'

/** A node between joining and being declared dead. */
export interface NodeEpoch {
  readonly nodeId: string
  readonly epoch: number
}

/** What a publisher claims, and what is known of its stream once it is live: `since` is 0 until then. */
export interface PathClaim {
  readonly path: string
  readonly principal: string
  readonly protocol: Protocol
  readonly video: LiveVideo | undefined
  readonly since: number
}

/** One that a node has which is alive. */
export interface ClaimedPath extends PathClaim {
  readonly nodeId: string
}

export interface TakenPath {
  readonly isTaken: boolean
  /** The node that had it until now. */
  readonly before: string | undefined
}

/** Which node has the stream of a path: one row a path, so that two nodes never both have it. */
export interface LivePathStore {
  /**
   * The path is free, or a dead node's, or this node's already; or, where the same publisher may take over from itself, its own
   * on another node.
   */
  take(claim: PathClaim, by: NodeEpoch, options: { readonly takesOver: boolean }): Promise<TakenPath>
  /** What is known of it now; false when the node has it no more. */
  confirm(claim: PathClaim, by: NodeEpoch): Promise<boolean>
  /** Does nothing to one that is another node's by now. */
  release(path: string, by: NodeEpoch): Promise<void>
  list(): Promise<readonly ClaimedPath[]>
}

export function createLivePathStore(db: Db): LivePathStore {
  return {
    take: (claim, by, { takesOver }) =>
      db.transaction().execute(async (tx) => {
        const before = await tx
          .selectFrom('live_path')
          .select('node_id')
          .where('path', '=', claim.path)
          .where((eb) => isHeld(eb))
          .executeTakeFirst()
        const row = toRow(claim, by)
        // One statement, so that of two nodes that publish at once one sees what the other has written.
        const taken = await tx
          .insertInto('live_path')
          .values(row)
          .onConflict((conflict) =>
            conflict
              .column('path')
              .doUpdateSet(row)
              .where((eb) =>
                eb.or([
                  eb.not(isHeld(eb)),
                  eb.and([eb('live_path.node_id', '=', by.nodeId), eb('live_path.node_epoch', '=', by.epoch)]),
                  ...(takesOver ? [eb('live_path.principal', '=', claim.principal)] : []),
                ]),
              ),
          )
          .returning('path')
          .executeTakeFirst()
        const isTaken = taken !== undefined
        return { isTaken, before: isTaken && before?.node_id !== by.nodeId ? before?.node_id : undefined }
      }),
    async confirm(claim, by) {
      const { numUpdatedRows } = await db
        .updateTable('live_path')
        .set(toRow(claim, by))
        .where('path', '=', claim.path)
        .where('node_id', '=', by.nodeId)
        .where('node_epoch', '=', by.epoch)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    async release(path, by) {
      await db
        .deleteFrom('live_path')
        .where('path', '=', path)
        .where('node_id', '=', by.nodeId)
        .where('node_epoch', '=', by.epoch)
        .execute()
    },
    async list() {
      const rows = await db
        .selectFrom('live_path')
        .selectAll()
        .where((eb) => isHeld(eb))
        .orderBy('path')
        .execute()
      return rows.map(toClaimedPath)
    },
  }
}

/** The epoch in which it was claimed is that of a node that is alive. */
function isHeld(eb: ExpressionBuilder<Tables, 'live_path'>): Expression<SqlBool> {
  return eb.exists(
    eb
      .selectFrom('node')
      .select('node.id')
      .whereRef('node.id', '=', 'live_path.node_id')
      .whereRef('node.epoch', '=', 'live_path.node_epoch')
      .where('node.is_alive', '=', 1),
  )
}

function toRow({ path, principal, protocol, video, since }: PathClaim, { nodeId, epoch }: NodeEpoch): LivePathRow {
  return {
    path,
    node_id: nodeId,
    node_epoch: epoch,
    principal,
    protocol,
    video: video ? JSON.stringify(video) : null,
    since,
  }
}

function toClaimedPath(row: LivePathRow): ClaimedPath {
  return {
    path: row.path,
    nodeId: row.node_id,
    principal: row.principal,
    protocol: row.protocol as Protocol,
    video: row.video === null ? undefined : (JSON.parse(row.video) as LiveVideo),
    since: row.since,
  }
}
