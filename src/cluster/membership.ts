import { type Clock } from '../core/clock.ts'
import { createDeferred } from '../core/deferred.ts'
import { NodeExpelled, type NodeId, type NodeLoad } from '../core/node.ts'
import { type Log } from '../observe/log.ts'
import { createLeaseRecord, type LeaseRecord } from './lease-record.ts'
import { type JoiningNode, type NodeStore } from './node.store.ts'

export interface MembershipDeps {
  /** By connections of its own: a renewal must not wait behind anything else. */
  readonly store: Pick<NodeStore, 'join' | 'renew' | 'leave' | 'endStaleConnections'>
  readonly node: Omit<JoiningNode, 'startedAt'>
  readonly load: () => NodeLoad | null
  readonly rtspUrl: () => string | null
  readonly clock: Clock
  readonly log: Log
}

/** This service as one of several nodes, from joining until it leaves or is expelled. */
export interface Membership extends Pick<LeaseRecord, 'isWithinLease' | 'leftMs' | 'steadyDatabaseMs'> {
  readonly id: NodeId
  readonly epoch: number
  /** Resolves when its work is another's: everything is to end at once, with nothing flushed. */
  readonly expelled: Promise<NodeExpelled>
  /** Something else found out, such as a connection that was refused. */
  expel(error: NodeExpelled): void
  /**
   * Called with false when the lease has ended, with true when it goes on. Meanwhile whatever leaves the house without the database
   * must stop, since another node may do the same. Returns how to stop listening.
   */
  onLeaseChange(listener: (isWithin: boolean) => void): () => void
  /**
   * Gives everything up, so that others take it over at once. To be called last: what is still connected is ended by them. False when all
   * of it was another's by then.
   */
  leave(): Promise<boolean>
}

/** Renewed three times in a lease. */
const RENEWALS_PER_LEASE = 3
const RETRY_MS = 1_000
/** Each waits for a second for every connection. */
const MAX_TRIES_TO_END = 5

export async function joinCluster(deps: MembershipDeps): Promise<Membership> {
  const { store, node, clock, log } = deps
  const beforeMs = clock.steady()
  const joined = await store.join({ ...node, startedAt: clock.now() })
  if (!joined)
    throw new Error(
      `Another node is named ${node.id}, and runs on another data folder. Give this one another AERIE_NODE_NAME; or, if that one is gone, ` +
        `start this one again after ${Math.ceil(node.leaseMs / 1000)} s.`,
    )
  await endEarlierConnections(store)
  log.info({ node: node.id, epoch: joined.epoch }, 'joined the service')
  const record = createLeaseRecord(node.leaseMs, () => clock.steady())
  record.note(beforeMs, joined.nowMs)
  return keepMembership(deps, joined.epoch, record)
}

/** Of ourselves before we died, or of whoever had the name until its lease ended. */
async function endEarlierConnections(store: Pick<NodeStore, 'endStaleConnections'>): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES_TO_END; tries++) if ((await store.endStaleConnections()) === 0) return
  throw new Error('Connections of an earlier node of this name cannot be ended: does the database answer as it should?')
}

function keepMembership(
  { store, node: { id, leaseMs }, load, rtspUrl, clock, log }: MembershipDeps,
  epoch: number,
  record: LeaseRecord,
): Membership {
  const expelled = createDeferred<NodeExpelled>()
  const closing = new AbortController()
  const listeners = new Set<(isWithin: boolean) => void>()
  const everyMs = leaseMs / RENEWALS_PER_LEASE
  const retryMs = Math.min(RETRY_MS, everyMs)
  let wasWithin = true
  let isFailing = false
  let isExpelled = false

  async function keepRenewing(): Promise<void> {
    let waitMs = everyMs
    while (!closing.signal.aborted) {
      await clock.sleep(waitMs, closing.signal)
      if (closing.signal.aborted) return
      waitMs = (await renew()) ? everyMs : retryMs
    }
  }

  async function renew(): Promise<boolean> {
    const beforeMs = clock.steady()
    try {
      const nowMs = await store.renew({ id, epoch, leaseMs, load: load(), rtspUrl: rtspUrl() })
      if (nowMs === undefined) expel(new NodeExpelled(id))
      else record.note(beforeMs, nowMs)
      isFailing = false
      compare()
      return true
    } catch (error) {
      if (!isFailing) log.warn({ err: error }, 'the lease of this node could not be renewed; trying again')
      isFailing = true
      return false
    }
  }

  /** By a loop of its own: a renewal may hang for longer than the lease. */
  async function watchLease(): Promise<void> {
    while (!closing.signal.aborted) {
      await clock.sleep(record.leftMs() > 0 ? record.leftMs() : retryMs, closing.signal)
      compare()
    }
  }

  function compare(): void {
    const isWithin = record.isWithinLease()
    if (isWithin === wasWithin || closing.signal.aborted) return
    wasWithin = isWithin
    if (isWithin) log.warn('the lease of this node goes on')
    else log.warn('the lease of this node has ended: it does nothing that another may be doing by now')
    for (const listener of listeners) listener(isWithin)
  }

  function expel(error: NodeExpelled): void {
    if (closing.signal.aborted) return
    closing.abort()
    isExpelled = true
    log.error({ epoch }, error.message)
    expelled.resolve(error)
  }

  void keepRenewing()
  void watchLease()

  return {
    id,
    epoch,
    expelled: expelled.promise,
    expel,
    isWithinLease: () => !closing.signal.aborted && record.isWithinLease(),
    leftMs: () => record.leftMs(),
    steadyDatabaseMs: () => (closing.signal.aborted ? undefined : record.steadyDatabaseMs()),
    onLeaseChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async leave() {
      if (closing.signal.aborted) return !isExpelled
      closing.abort()
      return store.leave(id, epoch)
    },
  }
}
