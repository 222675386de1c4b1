import { type ChannelOwner } from './backlog.store.ts'
import { type Settled, type WaitingMessage } from './waiting-message.ts'

/**
 * One channel as the outbox sees it: how much waits on disk, and the first few of these in memory. What comes while
 * everything that waits is in memory joins it there, so that a channel which keeps up never reads the disk.
 */
export interface ChannelQueue {
  readonly name: string
  readonly accountId: string
  readonly processId: string | null
  /** On disk, the one under way included. */
  count: number
  bytes: number
  /** In memory, in order, the one under way not included. */
  messages: WaitingMessage[]
  /** Whatever waits behind this position is not in memory. */
  loadedUpTo: number
  underWay: WaitingMessage | undefined
  /** While one is under way: aborted when it is not to be waited for. */
  attempt: AbortController | undefined
  isBusy: boolean
  /** Ids of what has arrived, but that is not written yet: after a crash these would arrive twice. */
  readonly unwritten: Set<string>
  /** The oldest are being dropped: nothing sets out meanwhile. */
  isDropping: boolean
  /** While messages are read: those among them that are dropped. */
  droppedWhileLoading: Set<string> | undefined
  failures: number
  /** By the steady clock: nothing is sent earlier, so that the receiver's spacing holds. */
  notBeforeMs: number
  /** While it waits after a failure, or for its spacing. */
  pause: AbortController | undefined
  nextAttemptAtMs: number | null
  /** Why the last attempt came to nothing; null after one that arrived. */
  trouble: string | null
  /** Set when everything was dropped: what is under way belongs to nobody. */
  isGone: boolean
  /** It is counted anew, or given away: nothing sets out meanwhile. */
  isHeld: boolean
}

/** In memory, of one channel. */
export const MAX_LOADED = 32
export const MAX_LOADED_BYTES = 1 << 20

export function createChannelQueue({ channel, accountId, processId }: ChannelOwner): ChannelQueue {
  return {
    name: channel,
    accountId,
    processId,
    count: 0,
    bytes: 0,
    messages: [],
    loadedUpTo: 0,
    underWay: undefined,
    attempt: undefined,
    isBusy: false,
    unwritten: new Set(),
    isDropping: false,
    droppedWhileLoading: undefined,
    failures: 0,
    notBeforeMs: -Infinity,
    pause: undefined,
    nextAttemptAtMs: null,
    trouble: null,
    isGone: false,
    isHeld: false,
  }
}

/** Counts a message that is on disk now. */
export function take(queue: ChannelQueue, message: WaitingMessage): void {
  const inMemory = queue.messages.length + (queue.underWay ? 1 : 0)
  const loadedBytes = queue.messages.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const hasRoom = queue.messages.length < MAX_LOADED && loadedBytes + message.sizeBytes <= MAX_LOADED_BYTES
  if (inMemory === queue.count && hasRoom && !queue.pause && message.position > queue.loadedUpTo) {
    queue.messages.push(message)
    queue.loadedUpTo = message.position
  }
  queue.count += 1
  queue.bytes += message.sizeBytes
}

/** Messages that wait no more, whatever became of them. */
export function forget(queue: ChannelQueue, gone: readonly Settled[]): void {
  const ids = new Set(gone.map(({ id }) => id))
  queue.messages = queue.messages.filter(({ id }) => !ids.has(id))
  queue.count -= gone.length
  for (const { sizeBytes } of gone) queue.bytes -= sizeBytes
}

/** As much waits on disk, and nothing of it is in memory. */
export function countAnew(queue: ChannelQueue, { count, bytes }: Pick<ChannelQueue, 'count' | 'bytes'>): void {
  queue.count = count
  queue.bytes = bytes
  queue.messages = []
  queue.loadedUpTo = 0
}

/** Puts back what failed: memory is given up until it is tried again, and order is what it is on disk. */
export function putBack(queue: ChannelQueue, message: WaitingMessage): void {
  queue.messages = []
  queue.loadedUpTo = message.position - 1
}
