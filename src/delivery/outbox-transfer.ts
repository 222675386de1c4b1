import { type Clock } from '../core/clock.ts'
import { isTaken, type TakenIds, type TakenProcesses } from '../core/taken-processes.ts'
import { type BacklogStore } from './backlog.store.ts'
import { type ChannelQueue, countAnew } from './channel-queue.ts'
import { type OutboxChannels } from './outbox-channels.ts'
import { type OutboxWriter } from './outbox-writer.ts'
import { type OutboxStore } from './outbox.store.ts'

export interface OutboxTransferDeps {
  readonly store: Pick<OutboxStore, 'lastPosition'>
  readonly backlog: Pick<BacklogStore, 'backlogs' | 'spacedChannels'>
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
}

export function createOutboxTransfer({ store, backlog, writer, channels, clock }: OutboxTransferDeps): OutboxTransfer {
  const queuesOf = (isAmong: (queue: ChannelQueue) => boolean) => [...channels.queues.values()].filter(isAmong)

  async function takeUpBacklog({ ids }: TakenProcesses): Promise<void> {
    const last = await store.lastPosition(ids)
    const nowMs = clock.now()
    const spaced = await backlog.spacedChannels(ids, nowMs)
    const waiting = await backlog.backlogs(ids)
    // Each node counts for itself: what another wrote of these may have higher numbers than what we write next.
    writer.standBehind(last)
    for (const queue of queuesOf(isOf(ids))) countAnew(queue, { count: 0, bytes: 0 })
    for (const one of spaced) channels.queueOf(one).notBeforeMs = clock.steady() + one.notBeforeMs - nowMs
    for (const one of waiting) countAnew(channels.queueOf(one), one)
  }

  return {
    async takeUp(taken) {
      try {
        await channels.hold(isOf(taken.ids))
        await writer.alone(() => takeUpBacklog(taken))
      } finally {
        channels.release()
      }
    },
    async handOver(processIds) {
      const isAmong = isOf(processIds)
      try {
        await channels.hold(isAmong)
        await writer.flush()
        for (const { name } of queuesOf(isAmong)) channels.forget(name)
      } finally {
        channels.release()
      }
    },
  }
}

/** Whether a channel is of one of these processes; what older versions wrote is of all. */
function isOf(ids: TakenIds): (channel: Pick<ChannelQueue, 'processId'>) => boolean {
  const isAmong = isTaken(ids)
  return ({ processId }) => ids === 'all' || (processId !== null && isAmong(processId))
}
