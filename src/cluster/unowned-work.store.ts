import { type RawBuilder, sql } from 'kysely'
import { type NodeId } from '../core/node.ts'
import { isLive, liveStates, type ProcessState } from '../core/process-facts.ts'
import { type Queryable } from '../storage/database.ts'

/** Whose something is, or was. */
export interface Owner {
  readonly nodeId: NodeId
  readonly epoch: number
}

export interface UnownedProcess {
  readonly id: string
  /** False for one that has ended, of which something is left to be done. */
  readonly isLive: boolean
  /** Null for what never had a node. */
  readonly owner: Owner | null
  readonly labels: readonly string[]
  /** Where its video is best: the nodes on which it is live, that call its camera, that have its file; in this order. */
  readonly preferred: readonly NodeId[]
}

export interface UnownedCamera {
  readonly id: string
  readonly owner: Owner | null
  /** Sources of one camera have the same; null for one that has none yet. */
  readonly path: string | null
  /** The node that calls the camera for another source, and that of a process of this one. */
  readonly preferred: readonly NodeId[]
}

/** In one round, any of them: were they always the first ones, those for which there is no node would hide all behind them. */
const MAX_IN_ROUND = 5_000
const anyInRound = sql`order by random() limit ${MAX_IN_ROUND}`

export const liveStateList = sql.join(liveStates)

/** Ids of processes, ended or not, of which messages wait, or progress of alerts or webhooks has not been ended. */
const listsOfRemains = [
  sql`select process_id from delivery where state = 'waiting'`,
  sql`select process_id from alert_sequence where progress is not null`,
  sql`select process_id from webhook_subscription where ended_at is null`,
]

/**
 * Of the processes of which `condition` is true, those that somebody has to see to: they go on, or something is left of them. Each list is
 * looked into by itself: all in one would be read and sorted each time, as when a receiver is away for which 200,000 messages wait.
 */
export function unfinishedProcesses(columns: RawBuilder<unknown>, condition: RawBuilder<unknown>): RawBuilder<unknown> {
  const from = sql`select ${columns} from process where ${condition}`
  return sql.join(
    [
      sql`${from} and process.state in (${liveStateList})`,
      ...listsOfRemains.map((list) => sql`${from} and process.id in (${list})`),
    ],
    sql` union `,
  )
}

export const hasNoNode = (
  table: string,
) => sql`not exists (select 1 from node where node.id = ${sql.ref(`${table}.node_id`)}
  and node.epoch = ${sql.ref(`${table}.node_epoch`)} and node.is_alive = 1)`

export const unownedProcessIds = unfinishedProcesses(sql`process.id`, hasNoNode('process'))
/** Of `source`. */
export const isUnownedCamera = sql`is_pulled = 1 and ${hasNoNode('source')}`

/** Of `source`: `on_path` is the node on which it is live, `on_source` that which calls the camera, or has the file. */
export const whereVideoIs = sql`
  left join live_path on live_path.path = source.media_path
  left join node on_path on on_path.id = live_path.node_id and on_path.epoch = live_path.node_epoch and on_path.is_alive = 1
  left join node on_source on on_source.id = source.node_id and on_source.is_alive = 1
    and (source.type = 'file' or on_source.epoch = source.node_epoch)`

interface UnownedRow {
  readonly id: string
  readonly node_id: string | null
  readonly node_epoch: number | null
}

export async function listUnownedProcesses(tx: Queryable): Promise<UnownedProcess[]> {
  const { rows } = await sql<
    UnownedRow & {
      readonly state: ProcessState
      readonly placement: string | null
      readonly live_on: string | null
      readonly source_on: string | null
    }
  >`select process.id, process.node_id, process.node_epoch, state, placement, on_path.id as live_on, on_source.id as source_on
    from process
    left join source on source.id = process.source_id ${whereVideoIs}
    where process.id in (${unownedProcessIds})
    ${anyInRound}`.execute(tx)
  return inOrder(rows).map((row) => ({
    id: row.id,
    isLive: isLive(row.state),
    owner: toOwner(row),
    labels: toLabels(row.placement),
    preferred: [row.live_on, row.source_on].filter((id) => id !== null),
  }))
}

interface CameraPlaces {
  readonly media_path: string | null
  readonly called_on: NodeId | null
  readonly process_on: NodeId | null
}

export async function listUnownedCameras(tx: Queryable): Promise<UnownedCamera[]> {
  const { rows } = await sql<UnownedRow & CameraPlaces>`
    select source.id, source.node_id, source.node_epoch, source.media_path,
      (select node.id from source other join node on node.id = other.node_id and node.epoch = other.node_epoch and node.is_alive = 1
        where other.media_path = source.media_path and other.is_pulled = 1 order by other.id limit 1) as called_on,
      (select node.id from process join node on node.id = process.node_id and node.epoch = process.node_epoch and node.is_alive = 1
        where process.source_id = source.id and process.state in (${liveStateList}) order by process.id limit 1) as process_on
    from source where ${isUnownedCamera}
    ${anyInRound}`.execute(tx)
  return inOrder(rows).map((row) => ({
    id: row.id,
    owner: toOwner(row),
    path: row.media_path,
    preferred: [row.called_on, row.process_on].filter((nodeId) => nodeId !== null),
  }))
}

const inOrder = <Row extends UnownedRow>(rows: readonly Row[]) =>
  rows.toSorted((one, other) => (one.id < other.id ? -1 : 1))

function toOwner({ node_id: nodeId, node_epoch: epoch }: UnownedRow): Owner | null {
  return nodeId === null ? null : { nodeId, epoch: epoch ?? 0 }
}

/** As whoever started it asked. */
export function toLabels(placement: string | null): readonly string[] {
  return placement === null ? [] : ((JSON.parse(placement) as { labels?: readonly string[] }).labels ?? [])
}
