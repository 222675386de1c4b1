export interface RtmpLimits {
  /** What may wait for a reader, beside what it began with, before it is disconnected. */
  readonly maxQueuedBytes: number
}

export const DEFAULT_LIMITS: RtmpLimits = { maxQueuedBytes: 8 * 1024 * 1024 }

export interface RtmpTimeouts {
  /** From the end of a stream until the connection begins another. */
  readonly idleMs: number
  /** How long a publisher may send nothing. */
  readonly publisherMs: number
}

export const DEFAULT_TIMEOUTS: RtmpTimeouts = { idleMs: 10_000, publisherMs: 10_000 }
