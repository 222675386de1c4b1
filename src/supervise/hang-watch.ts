import { type Clock } from '../core/clock.ts'
import { type ThreadTimes } from './proc.ts'

/** Notices a child that hangs: one that is well sends something every second (`child-entry.ts`). */
export interface HangWatch {
  /** The child has sent something. */
  noteSign(): void
  stop(): void
}

export interface HangWatchOptions {
  /** Called once. */
  readonly onHung: () => void
  /** How long it may send nothing once it has begun to. */
  readonly maxSilenceMs: number
  /** What the child's first thread has done so far, which is the one that sends; NaN where that is not known. */
  readonly firstThread: () => ThreadTimes
  readonly clock: Pick<Clock, 'steady' | 'sleep'>
}

/** Until its first sign a child loads its code, maybe from a slow disk. */
const MAX_START_SILENCE_MS = 60_000
/** Of one that computes all the while. */
const MAX_COMPUTING_MS = 30_000
/** Where the system does not say what it does meanwhile. */
const MAX_UNKNOWN_SILENCE_MS = 20_000

const LOOK_EVERY_MS = 500
/** From here on what it does is looked at: its next sign is late. */
const LATE_MS = 1_500

export function startHangWatch({ onHung, maxSilenceMs, firstThread, clock }: HangWatchOptions): HangWatch {
  const stopping = new AbortController()
  const { signal } = stopping
  let maxIdleMs = MAX_START_SILENCE_MS
  let silentMs = 0
  /** What its first thread had done when its sign was late. */
  let late: ThreadTimes | undefined

  /** One that waits for a core on a busy machine does not hang, nor does one that computes, for a while. */
  function isHung(): boolean {
    if (silentMs < LATE_MS) return false
    const now = firstThread()
    late ??= now
    const computedMs = now.ranMs - late.ranMs
    const idleMs = silentMs - computedMs - (now.waitedMs - late.waitedMs)
    if (Number.isNaN(idleMs)) return silentMs >= Math.max(maxIdleMs, MAX_UNKNOWN_SILENCE_MS)
    return idleMs >= maxIdleMs || computedMs >= MAX_COMPUTING_MS
  }

  async function watch(): Promise<void> {
    let lookedAt = clock.steady()
    while (!signal.aborted) {
      await clock.sleep(LOOK_EVERY_MS, signal)
      const now = clock.steady()
      // Where this process itself stood still, maybe with the whole machine, what the child has sent waits to be read.
      silentMs += Math.min(now - lookedAt, 2 * LOOK_EVERY_MS)
      lookedAt = now
      if (signal.aborted || !isHung()) continue
      stopping.abort()
      onHung()
    }
  }

  void watch()
  return {
    noteSign() {
      maxIdleMs = maxSilenceMs
      silentMs = 0
      late = undefined
    },
    stop: () => stopping.abort(),
  }
}
