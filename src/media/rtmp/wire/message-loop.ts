import { setImmediate as nextRound } from 'node:timers/promises'
import { type TimeSlice, type TimeSliceLimits } from '../../time-slice.ts'
import { type ChunkParser } from './chunk-parser.ts'
import { type RtmpMessage } from './message.ts'

/** Handles the messages of one connection one after the other, in turns with the other connections. */
export interface MessageLoop {
  /** Until the input is used up, a message has to be waited for, or the time slice is over; the rest follows by itself. */
  run(): void
  stop(): void
}

export interface MessageLoopOptions {
  readonly incoming: Pick<ChunkParser, 'next' | 'hasMore'>
  readonly slice: TimeSlice
  /** Where the bytes come from: paused while a message has to be waited for. */
  readonly socket: { pause(): void; resume(): void }
  /** A promise where the next message has to wait. May throw: `run` throws it, too. */
  readonly handle: (message: RtmpMessage) => void | Promise<void>
  /** What was thrown, or rejected, after `run` had returned. */
  readonly onError: (error: unknown) => void
}

/** For the slice of a connection. */
export const MAX_PER_SLICE: TimeSliceLimits = { maxSteps: 256, maxMs: 5 }

/** Chunks that complete no message are work, too: headers alone, or of a byte each. */
const MAX_CHUNKS_PER_STEP = 256

export function createMessageLoop({ incoming, slice, socket, handle, onError }: MessageLoopOptions): MessageLoop {
  let isWaiting = false
  let isStopped = false

  function run(): void {
    while (!isWaiting && !isStopped) {
      const message = incoming.next(MAX_CHUNKS_PER_STEP)
      if (!message && !incoming.hasMore) return
      const pending = message && handle(message)
      if (pending) waitFor(pending)
      else if (slice.isOverAfterStep()) waitFor(nextRound())
    }
  }

  function waitFor(pending: Promise<void>): void {
    isWaiting = true
    socket.pause()
    pending.then(goOn, onError)
  }

  function goOn(): void {
    isWaiting = false
    try {
      run()
    } catch (error) {
      onError(error)
    }
    if (!isWaiting) socket.resume()
  }

  return { run, stop: () => void (isStopped = true) }
}
