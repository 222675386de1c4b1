import { type Frame } from './frame.ts'
import { type SharedTurns } from './shared-turns.ts'

/**
 * Sends frames at once as long as there is one at a time; many at once go a little at a time, because a burst of a
 * whole group of pictures would overflow the first small buffer on its way, and in turns with other viewers.
 */
export interface PacedQueue {
  /** False when there was no room: then everything that waited is dropped. */
  push(frame: Frame, timestamp: number): boolean
  readonly isEmpty: boolean
  clear(): void
}

const EVERY_MS = 10
/** 20 kB every 10 ms are 16 Mbit/s; and never slower than all in half a second. */
const STEP_BYTES = 20_000
const STEPS = 50
const MAX_WAITING_BYTES = 16 * 1024 * 1024

export function createPacedQueue(
  send: (frame: Frame, timestamp: number) => void,
  turns: SharedTurns,
  now: () => number = () => performance.now(),
): PacedQueue {
  let waiting: { readonly frame: Frame; readonly timestamp: number }[] = []
  let bytes = 0
  /** Bytes that may still go before the next step. */
  let budget = STEP_BYTES
  let steppedAtMs = now()
  let timer: NodeJS.Timeout | undefined

  function step(): void {
    refill()
    turns.add(sendOne)
  }

  function sendOne(): boolean {
    const next = budget > 0 ? waiting.shift() : undefined
    if (!next) return false
    bytes -= next.frame.bytes
    budget -= next.frame.bytes
    send(next.frame, next.timestamp)
    if (waiting.length === 0) stop()
    return waiting.length > 0 && budget > 0
  }

  function refill(): void {
    steppedAtMs = now()
    budget = Math.max(STEP_BYTES, bytes / STEPS)
  }

  function stop(): void {
    clearInterval(timer)
    timer = undefined
  }

  function clear(): void {
    waiting = []
    bytes = 0
    stop()
  }

  return {
    push(frame, timestamp) {
      if (waiting.length === 0) {
        if (now() - steppedAtMs >= EVERY_MS) refill()
        if (budget > 0) {
          budget -= frame.bytes
          send(frame, timestamp)
          return true
        }
      }
      if (bytes + frame.bytes > MAX_WAITING_BYTES) {
        clear()
        return false
      }
      waiting.push({ frame, timestamp })
      bytes += frame.bytes
      timer ??= setInterval(step, EVERY_MS)
      return true
    },
    get isEmpty() {
      return waiting.length === 0
    },
    clear,
  }
}
