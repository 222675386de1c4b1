/**
 * A queue between a producer that must not wait and a consumer that may be slow. It never holds more than
 * `limit` items: with `drop-oldest` the newest win, with `refuse` `push` answers `false`.
 */
export interface BoundedQueue<T> extends AsyncIterable<T> {
  /** False when the item was refused, or the queue is closed. */
  push(item: T): boolean
  /** Ends the iteration once what is queued has been taken. */
  close(): void
  readonly length: number
  /** Items lost to the bound since the beginning. */
  readonly dropped: number
}

export interface BoundedQueueOptions {
  readonly limit: number
  readonly overflow: 'drop-oldest' | 'refuse'
}

export function createBoundedQueue<T>({ limit, overflow }: BoundedQueueOptions): BoundedQueue<T> {
  const items: T[] = []
  let dropped = 0
  let isClosed = false
  let wake: (() => void) | undefined

  return {
    push(item) {
      if (isClosed) return false
      if (items.length >= limit) {
        dropped += 1
        if (overflow === 'refuse') return false
        items.shift()
      }
      items.push(item)
      wake?.()
      return true
    },
    close() {
      isClosed = true
      wake?.()
    },
    get length() {
      return items.length
    },
    get dropped() {
      return dropped
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        while (items.length > 0) yield items.shift()!
        if (isClosed) return
        await new Promise<void>((resolve) => (wake = resolve))
        wake = undefined
      }
    },
  }
}
