import { type Clock } from '../core/clock.ts'
import { type ClusterNode, type NodeId } from '../core/node.ts'
import { type Log } from '../observe/log.ts'
import { createLeaseRecord } from './lease-record.ts'

export interface OlderNode extends Pick<ClusterNode, 'id' | 'version'> {
  readonly leaseUntilMs: number
}

export interface UpgradeTurnDeps {
  readonly store: {
    /** Nobody joins meanwhile. */
    whileNobodyJoins<T>(run: () => Promise<T>): Promise<T>
    /** Alive, as far as is written, and with older tables than ours; and what time the database has. */
    listOlder(): Promise<{ readonly nodes: readonly OlderNode[]; readonly nowMs: number }>
    /** Raises their epochs, and ends what they have connected. */
    expel(ids: readonly NodeId[]): Promise<void>
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

  /** Answers those that keep us from it. */
  async function tryOnce(): Promise<readonly OlderNode[]> {
    const beforeMs = clock.steady()
    const { nodes, nowMs } = await store.listOlder()
    record.note(beforeMs, nowMs)
    const steadyMs = record.steadyDatabaseMs()
    const running = nodes.filter(({ leaseUntilMs }) => steadyMs === undefined || leaseUntilMs >= steadyMs)
    if (running.length > 0) return running
    if (nodes.length > 0) await store.expel(nodes.map(({ id }) => id))
    await store.migrate()
    return []
  }

  for (;;) {
    const older = await store.whileNobodyJoins(tryOnce)
    if (older.length === 0) return
    const names = older.map(({ id, version }) => `${id} (${version})`).join(', ')
    if (names !== shown)
      log.warn(
        `nodes of an older version still run, and do not know the tables of this one: ${names}. Stop them; this node waits for it.`,
      )
    shown = names
    await clock.sleep(everyMs)
  }
}
