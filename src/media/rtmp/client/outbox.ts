import { type Duplex } from 'node:stream'
import { createDeadline } from '../../../core/deadline.ts'

export interface OutboxLimits {
  /** What may wait to be taken. */
  readonly maxUnsentBytes: number
  /** How old the oldest of it may be before nothing more is added. */
  readonly maxUnsentMs: number
  /** How long the other side may take nothing at all. */
  readonly stalledMs: number
}

export const OUTBOX_LIMITS: OutboxLimits = { maxUnsentBytes: 4 * 1024 * 1024, maxUnsentMs: 3_000, stalledMs: 10_000 }

/** What waits for the other side to take it: bounded, and never waited for. */
export interface Outbox {
  /** Full or far behind: new pictures should not be added. */
  readonly isBehind: boolean
  /** Well below the limits: one may begin again. */
  readonly isRelaxed: boolean
  hasRoomFor(bytes: number): boolean
  /** All of it, or, when there is no room, nothing: then false. */
  send(...buffers: readonly Buffer[]): boolean
  /** Ends the socket once everything is taken. */
  finish(): void
}

interface Piece {
  readonly data: Buffer
  readonly sinceMs: number
}

/**
 * The socket gets one batch at a time, so that each batch taken shows that the other side still reads: a socket with
 * megabytes in it would not show it for minutes.
 */
const BATCH_BYTES = 64 * 1024

export function createOutbox(socket: Duplex, limits: OutboxLimits, onStalled: () => void): Outbox {
  const waiting: Piece[] = []
  const deadline = createDeadline(onStalled)
  /** With the batch that the socket has. */
  let unsentBytes = 0
  let batch: { readonly bytes: number; readonly sinceMs: number } | undefined
  let isFinishing = false
  socket.once('close', () => {
    isFinishing = true
    waiting.length = 0
    deadline.clear()
  })

  return {
    get isBehind() {
      return unsentBytes >= limits.maxUnsentBytes || waitedMs() > limits.maxUnsentMs
    },
    get isRelaxed() {
      return unsentBytes <= limits.maxUnsentBytes / 2 && waitedMs() <= limits.maxUnsentMs / 2
    },
    hasRoomFor,
    send(...buffers) {
      const bytes = buffers.reduce((sum, { length }) => sum + length, 0)
      if (isFinishing || !hasRoomFor(bytes)) return false
      const sinceMs = performance.now()
      for (const buffer of buffers) {
        for (let at = 0; at < buffer.length; at += BATCH_BYTES) {
          waiting.push({ data: buffer.subarray(at, at + BATCH_BYTES), sinceMs })
        }
      }
      unsentBytes += bytes
      pump()
      return true
    },
    finish() {
      isFinishing = true
      if (!batch && waiting.length === 0) socket.end()
    },
  }

  function hasRoomFor(bytes: number): boolean {
    return unsentBytes + bytes <= limits.maxUnsentBytes
  }

  function waitedMs(): number {
    return batch ? performance.now() - batch.sinceMs : 0
  }

  function pump(): void {
    const first = waiting[0]
    if (batch || !first || socket.destroyed) return
    let bytes = 0
    let count = 0
    while (count < waiting.length && bytes < BATCH_BYTES) bytes += waiting[count++]!.data.length
    batch = { bytes, sinceMs: first.sinceMs }
    deadline.set(limits.stalledMs)
    socket.cork()
    for (const [index, { data }] of waiting.splice(0, count).entries()) {
      if (index < count - 1) socket.write(data)
      else socket.write(data, taken)
    }
    socket.uncork()
  }

  function taken(error?: Error | null): void {
    if (error || !batch) return
    unsentBytes -= batch.bytes
    batch = undefined
    deadline.clear()
    pump()
    if (isFinishing && !batch) socket.end()
  }
}
