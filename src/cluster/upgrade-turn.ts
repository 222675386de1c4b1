import { type Clock } from '../core/clock.ts'
import { type ClusterNode, type NodeId } from '../core/node.ts'
import { type Log } from '../observe/log.ts'
import { createLeaseRecord } from './lease-record.ts'
import { type NodeConnection } from './node-connections.store.ts'

export interface OlderNode extends Pick<ClusterNode, 'id' | 'version'> {
  readonly leaseUntilMs: number
}

export interface UpgradeTurnDeps {
  readonly store: {
    /** Nobody joins meanwhile. */
    whileNobodyJoins<T>(run: () => Promise<T>): Promise<T>
    /**
     * Alive, as far as is written, and with older tables than ours; whether there are nodes' tables that are to be upgraded; and what time
     * the database has.
     */
    listOlder(): Promise<{
      readonly nodes: readonly OlderNode[]
      readonly areTablesOlder: boolean
      readonly nowMs: number
    }>
    /** Raises their epochs: what they have connected stays, and nothing more comes. */
    expel(ids: readonly NodeId[]): Promise<void>
    /** What nodes have connected that are gone. */
    listStale(): Promise<readonly NodeConnection[]>
    /** Waits for each for a second. */
    endConnections(connections: readonly NodeConnection[]): Promise<void>
    /** Brings the tables up to date; throws where they are of a newer version. */
    migrate(): Promise<void>
  }
  readonly leaseMs: number
  readonly clock: Clock
  readonly log: Log
}

const POLL_EVERY_MS = 1_000

/**
 * Upgrades the tables when no node runs that does not know them. Those that died without a word are expelled, by the rule for all:
 * whoever has seen the database answer for a whole lease, and not before.
 */
export async function migrateInTurn({ store, leaseMs, clock, log }: UpgradeTurnDeps): Promise<void> {
  const everyMs = Math.min(POLL_EVERY_MS, leaseMs / 3)
  const record = createLeaseRecord(leaseMs, () => clock.steady())
  let shown = ''

  /** Answers what keeps us from it; nothing when it is done. */
  async function tryOnce(): Promise<Obstacle | undefined> {
    const beforeMs = clock.steady()
    const { nodes, areTablesOlder, nowMs } = await store.listOlder()
    record.note(beforeMs, nowMs)
    const steadyMs = record.steadyDatabaseMs()
    const running = nodes.filter(({ leaseUntilMs }) => steadyMs === undefined || leaseUntilMs >= steadyMs)
    if (running.length > 0) return { sentence: stillRunning(running) }
    if (nodes.length > 0) await store.expel(nodes.map(({ id }) => id))
    // Also those of nodes that others have declared dead: whatever they have begun is about the tables as they were.
    const obstacle = areTablesOlder ? await endStale() : undefined
    if (!obstacle) await store.migrate()
    return obstacle
  }

  async function endStale(): Promise<Obstacle | undefined> {
    const stale = await store.listStale()
    if (stale.length === 0) return undefined
    const err = await store.endConnections(stale).catch((error: unknown) => error)
    const left = await store.listStale()
    return left.length === 0 ? undefined : { err, sentence: stillConnected(left) }
  }

  for (;;) {
    // Between two tries others may join, as far as they know the tables.
    const obstacle = await store.whileNobodyJoins(tryOnce)
    if (!obstacle) return
    const { sentence, err } = obstacle
    if (sentence !== shown) log.warn({ err }, sentence)
    shown = sentence
    await clock.sleep(everyMs)
  }
}

interface Obstacle {
  readonly sentence: string
  /** Why nothing could be done about it, where the database says so. */
  readonly err?: unknown
}

function stillRunning(nodes: readonly OlderNode[]): string {
  const names = nodes.map(({ id, version }) => `${id} (${version})`).join(', ')
  return `nodes of an older version still run, and do not know the tables of this one: ${names}. Stop them; this node waits for it.`
}

function stillConnected(connections: readonly NodeConnection[]): string {
  const names = connections.map(({ name, pid }) => `${name} (pid ${pid})`).join(', ')
  return (
    `connections of nodes that are gone cannot be ended, and may still use the tables that this version is to change: ${names}. ` +
    'End them as the administrator of the database, by pg_terminate_backend; this node waits for it.'
  )
}
