import { type Clock } from '../core/clock.ts'
import { dropOldest } from '../core/drop-oldest.ts'
import { isTaken, type TakenIds, type TakenProcesses } from '../core/taken-processes.ts'
import { type Backlog, type BacklogStore } from './backlog.store.ts'
import { type ChannelQueue, countAnew } from './channel-queue.ts'
import { type OutboxChannels } from './outbox-channels.ts'
import { type OutboxWriter } from './outbox-writer.ts'
import { type OutboxStore } from './outbox.store.ts'

export interface OutboxTransferDeps {
  readonly store: Pick<OutboxStore, 'lastPosition'>
  readonly backlog: Pick<BacklogStore, 'backlogs' | 'ownBacklogs' | 'spacedChannels'>
  readonly writer: Pick<OutboxWriter, 'standBehind' | 'alone' | 'flush'>
  readonly channels: OutboxChannels
  readonly clock: Pick<Clock, 'now' | 'steady'>
}

/** The channels of processes as they come to this outbox and leave it. Several nodes send from one table, each those of its processes. */
export interface OutboxTransfer {
  /** What waits of these processes is sent from here. What is known of their channels already is counted anew. */
  takeUp(taken: TakenProcesses): Promise<void>
  /** They are sent from elsewhere. Resolves when nothing of them is under way, and what became of it is written. */
  handOver(processIds: readonly string[]): Promise<void>
  /** Whether this process was taken up, and not handed over since. */
  isTaken(processId: string): boolean
  /** Sends what waits of these processes and was not there when they were taken up: the node that had them before had it in its spool. */
  takeUpStrays(): Promise<void>
}

/** Of what ended long ago the oldest is forgotten. */
const MAX_TAKEN = 100_000

export function createOutboxTransfer({ store, backlog, writer, channels, clock }: OutboxTransferDeps): OutboxTransfer {
  /** Those that were taken up, and not handed over since. */
  const taken = new Set<string>()
  let areAllTaken = false
  const queuesOf = (isAmong: (queue: ChannelQueue) => boolean) => [...channels.queues.values()].filter(isAmong)

  async function takeUpBacklog({ ids }: TakenProcesses): Promise<void> {
    const last = await store.lastPosition(ids)
    const nowMs = clock.now()
    const spaced = await backlog.spacedChannels(ids, nowMs)
    const waiting = await backlog.backlogs(ids)
    // Each node counts for itself: what another wrote of these may have higher numbers than what we write next.
    writer.standBehind(last)
    noteTaken(ids)
    for (const queue of queuesOf(isOf(ids))) countAnew(queue, { count: 0, bytes: 0 })
    for (const one of spaced) channels.queueOf(one).notBeforeMs = clock.steady() + one.notBeforeMs - nowMs
    for (const one of waiting) countAnew(channels.queueOf(one), one)
  }

  function noteTaken(ids: TakenIds): void {
    if (ids === 'all') return void (areAllTaken = true)
    for (const id of ids) {
      taken.delete(id)
      taken.add(id)
      dropOldest(taken, MAX_TAKEN)
    }
  }

  const isTakenUp = (processId: string) => areAllTaken || taken.has(processId)

  function isStray({ channel, processId }: Backlog): boolean {
    const queue = channels.queues.get(channel)
    const isIdle = !queue || (queue.count === 0 && queue.unwritten.size === 0 && !queue.isBusy && !queue.isDropping)
    return isIdle && processId !== null && isTakenUp(processId)
  }

  async function countStrays(): Promise<void> {
    const found = (await backlog.ownBacklogs()).filter(isStray)
    const last = await store.lastPosition(found.flatMap(({ processId }) => processId ?? []))
    // It was numbered by the other node.
    writer.standBehind(last)
    // Some may have been handed over meanwhile.
    for (const one of found.filter(isStray)) {
      const queue = channels.queueOf(one)
      countAnew(queue, one)
      channels.wake(queue)
    }
  }

  return {
    async takeUp(given) {
      try {
        await channels.hold(isOf(given.ids))
        await writer.alone(() => takeUpBacklog(given))
      } finally {
        channels.release()
      }
    },
    async handOver(processIds) {
      for (const id of processIds) taken.delete(id)
      const isAmong = isOf(processIds)
      try {
        await channels.hold(isAmong)
        await writer.flush()
        for (const { name } of queuesOf(isAmong)) channels.forget(name)
      } finally {
        channels.release()
      }
    },
    isTaken: isTakenUp,
    async takeUpStrays() {
      // While others are written and taken, one of these may look like a stray; there are none as a rule.
      if ((await backlog.ownBacklogs()).some(isStray)) await writer.alone(countStrays)
    },
  }
}

/** Whether a channel is of one of these processes; what older versions wrote is of all. */
function isOf(ids: TakenIds): (channel: Pick<ChannelQueue, 'processId'>) => boolean {
  const isAmong = isTaken(ids)
  return ({ processId }) => ids === 'all' || (processId !== null && isAmong(processId))
}
