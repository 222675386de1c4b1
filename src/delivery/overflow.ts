import { type Clock } from '../core/clock.ts'
import { type Log } from '../observe/log.ts'
import { type BacklogStore } from './backlog.store.ts'
import { type ChannelQueue, forget } from './channel-queue.ts'

export interface OutboxLimits {
  readonly channelMessages: number
  readonly channelBytes: number
  readonly accountBytes: number
  readonly messageBytes: number
}

export const DEFAULT_OUTBOX_LIMITS: OutboxLimits = {
  channelMessages: 10_000,
  channelBytes: 64 << 20,
  accountBytes: 256 << 20,
  messageBytes: 1 << 20,
}

export interface OverflowDeps {
  readonly queues: ReadonlyMap<string, ChannelQueue>
  readonly backlog: Pick<BacklogStore, 'dropOldest'>
  readonly limits: OutboxLimits
  readonly onDropped: (queue: ChannelQueue, count: number) => void
  readonly clock: Clock
  readonly log: Log
}

/** Keeps what waits within its limits: the oldest are dropped, but for what is under way or has just arrived. */
export function createOverflow({ queues, backlog, limits, onDropped, clock, log }: OverflowDeps) {
  const { channelMessages, channelBytes, accountBytes } = limits

  async function drop(queue: ChannelQueue, count: number, bytes: number, sentence: string): Promise<void> {
    const { name: channel, unwritten, underWay } = queue
    const exceptIds = [...unwritten, ...(underWay ? [underWay.id] : [])]
    // Nothing sets out until it is known what is left, or it could be counted as arrived and as dropped.
    queue.isDropping = true
    try {
      const gone = await backlog.dropOldest({ channel, count, bytes, exceptIds, sentence, nowMs: clock.now() })
      forget(queue, gone)
      for (const { id } of gone) queue.droppedWhileLoading?.add(id)
      queue.isDropping = false
      onDropped(queue, gone.length)
    } finally {
      queue.isDropping = false
    }
  }

  async function keepChannel(queue: ChannelQueue): Promise<void> {
    if (queue.count <= channelMessages && queue.bytes <= channelBytes) return
    const sentence = `Dropped: more than ${channelMessages} messages or ${channelBytes} bytes waited here; the receiver was away for too long.`
    await drop(queue, queue.count - channelMessages, queue.bytes - channelBytes, sentence)
  }

  async function keepAccount(accountId: string): Promise<void> {
    const own = [...queues.values()].filter((queue) => queue.accountId === accountId)
    const bytes = own.reduce((sum, one) => sum + one.bytes, 0)
    if (bytes <= accountBytes) return
    const largest = own.reduce((max, one) => (one.bytes > max.bytes ? one : max))
    const sentence = `Dropped: more than ${accountBytes} bytes of this account waited; its receivers were away for too long.`
    await drop(largest, 0, bytes - accountBytes, sentence)
  }

  return {
    /** For channels to which something was added. What is too much and can't be dropped is still too much at the next message. */
    async keepWithinLimits(grown: ReadonlySet<ChannelQueue>): Promise<void> {
      const logged = (error: unknown) => log.error({ err: error }, 'what is too much could not be dropped')
      for (const queue of grown) await keepChannel(queue).catch(logged)
      for (const accountId of new Set([...grown].map((queue) => queue.accountId)))
        await keepAccount(accountId).catch(logged)
    },
  }
}
