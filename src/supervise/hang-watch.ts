import { type Clock } from '../core/clock.ts'
import { type ThreadActivity } from './proc.ts'

/** Notices a child that hangs: one that is well sends something every second (`child-entry.ts`). */
export interface HangWatch {
  /** The child has sent something. */
  noteSign(): void
  stop(): void
}

export interface HangWatchOptions {
  /** Called once. */
  readonly onHung: () => void
  /** How long it may send nothing and do nothing once it has begun to send. */
  readonly maxSilenceMs: number
  /** Of the child's first thread, which is the one that sends. */
  readonly firstThread: () => ThreadActivity
  readonly clock: Pick<Clock, 'steady' | 'sleep'>
}

/** Until its first sign a child loads its code, maybe from a slow disk. */
const MAX_START_SILENCE_MS = 60_000
/** Of one that computes all the while. */
const MAX_COMPUTING_MS = 30_000
/** Of one that waits for a disk all the while, and where the system does not say what it does. */
const MAX_UNKNOWN_MS = 20_000

const LOOK_EVERY_MS = 250

/** How long a child has been silent, by what it did meanwhile. On a busy machine one that is well may wait for its turn, too. */
const NOTHING = { idleMs: 0, computedMs: 0, unknownMs: 0 }

export function startHangWatch({ onHung, maxSilenceMs, firstThread, clock }: HangWatchOptions): HangWatch {
  const stopping = new AbortController()
  const { signal } = stopping
  let maxIdleMs = MAX_START_SILENCE_MS
  let silence = { ...NOTHING }

  function add(passedMs: number, before: ThreadActivity, now: ThreadActivity): void {
    const ranMs = now.ranMs - before.ranMs
    const idleMs = Math.max(0, passedMs - ranMs - (now.waitedMs - before.waitedMs))
    if (Number.isNaN(idleMs) || now.state === 'D') silence.unknownMs += passedMs
    else {
      silence.computedMs += Math.min(ranMs, passedMs)
      if (now.state !== 'R') silence.idleMs += idleMs
    }
  }

  function isHung(): boolean {
    const { idleMs, computedMs, unknownMs } = silence
    return idleMs >= maxIdleMs || computedMs >= MAX_COMPUTING_MS || unknownMs >= Math.max(maxIdleMs, MAX_UNKNOWN_MS)
  }

  async function watch(): Promise<void> {
    let lookedAt = clock.steady()
    let before = firstThread()
    while (!signal.aborted) {
      await clock.sleep(LOOK_EVERY_MS, signal)
      const now = clock.steady()
      const activity = firstThread()
      // Where this process itself stood still, maybe with the whole machine, what the child has sent waits to be read.
      add(Math.min(now - lookedAt, 2 * LOOK_EVERY_MS), before, activity)
      lookedAt = now
      before = activity
      if (signal.aborted || !isHung()) continue
      stopping.abort()
      onHung()
    }
  }

  void watch()
  return {
    noteSign() {
      maxIdleMs = maxSilenceMs
      silence = { ...NOTHING }
    },
    stop: () => stopping.abort(),
  }
}
