/**
 * Detects when a reader over TCP can't keep up: too many bytes wait for it, or the oldest of them wait for too long. The
 * group of pictures that a reader starts with is written all at once and is not counted until it has been sent.
 */
export interface Backlog {
  /** These many more bytes were handed to the socket; with the write's overhead where `queuedBytes` counts it. */
  add(bytes: number): void
  /** `queuedBytes`: those that the socket still holds. */
  judge(queuedBytes: number, nowMs: number): 'keeps-up' | 'too-many-bytes' | 'too-old'
}

export interface BacklogLimits {
  readonly maxQueuedBytes: number
  readonly maxQueuedMs: number
}

export function createBacklog({ maxQueuedBytes, maxQueuedMs }: BacklogLimits): Backlog {
  let handedOver = 0
  /** Bytes of the first group of pictures; 0 once they have been sent. */
  let openingBytes: number | undefined
  /** How much had been handed over at what time; bounded, because old ones go out or end the reader. */
  let marks: { readonly atMs: number; readonly handedOver: number }[] = []

  return {
    add(bytes) {
      handedOver += bytes
      openingBytes ??= bytes
    },
    judge(queuedBytes, nowMs) {
      const sent = handedOver - queuedBytes
      if (openingBytes && sent >= openingBytes) openingBytes = 0
      if (queuedBytes > maxQueuedBytes + (openingBytes ?? 0)) return 'too-many-bytes'
      if (openingBytes) return 'keeps-up'
      marks = marks.filter((mark) => mark.handedOver > sent)
      if (marks[0] && nowMs - marks[0].atMs > maxQueuedMs) return 'too-old'
      const newest = marks.at(-1)
      if (queuedBytes > 0 && (!newest || nowMs - newest.atMs >= maxQueuedMs / 10))
        marks.push({ atMs: nowMs, handedOver })
      return 'keeps-up'
    },
  }
}
