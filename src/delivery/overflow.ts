import { type Clock } from '../core/clock.ts'
import { type ChannelQueue, forget } from './channel-queue.ts'
import { type OutboxStore } from './outbox.store.ts'

export interface OutboxLimits {
  readonly channelMessages: number
  readonly channelBytes: number
  readonly accountBytes: number
  readonly messageBytes: number
}

export interface OverflowDeps {
  readonly queues: ReadonlyMap<string, ChannelQueue>
  readonly store: Pick<OutboxStore, 'dropOldest'>
  readonly limits: OutboxLimits
  readonly onDropped: (queue: ChannelQueue, count: number) => void
  readonly clock: Clock
}

/** Keeps what waits within its limits: the oldest give way, but for what is under way or has just arrived. */
export function createOverflow({ queues, store, limits, onDropped, clock }: OverflowDeps) {
  const { channelMessages, channelBytes, accountBytes } = limits

  async function drop(queue: ChannelQueue, count: number, bytes: number, sentence: string): Promise<void> {
    const { name: channel, unwritten, underWay } = queue
    const exceptIds = [...unwritten, ...(underWay ? [underWay.id] : [])]
    // Nothing sets out until it is known what is left, or it could be counted as arrived and as dropped.
    queue.isDropping = true
    try {
      const gone = await store.dropOldest({ channel, count, bytes, exceptIds, sentence, nowMs: clock.now() })
      forget(queue, gone)
      for (const { id } of gone) queue.droppedWhileLoading?.add(id)
      queue.isDropping = false
      onDropped(queue, gone.length)
    } finally {
      queue.isDropping = false
    }
  }

  return {
    async keepChannel(queue: ChannelQueue): Promise<void> {
      if (queue.count <= channelMessages && queue.bytes <= channelBytes) return
      const sentence = `Dropped: more than ${channelMessages} messages or ${channelBytes} bytes waited here; the receiver was away for too long.`
      await drop(queue, queue.count - channelMessages, queue.bytes - channelBytes, sentence)
    },
    async keepAccount(accountId: string): Promise<void> {
      const own = [...queues.values()].filter((queue) => queue.accountId === accountId)
      const bytes = own.reduce((sum, one) => sum + one.bytes, 0)
      if (bytes <= accountBytes) return
      const largest = own.reduce((max, one) => (one.bytes > max.bytes ? one : max))
      const sentence = `Dropped: more than ${accountBytes} bytes of this account waited; its receivers were away for too long.`
      await drop(largest, 0, bytes - accountBytes, sentence)
    },
  }
}
