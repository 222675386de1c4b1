import { createBoundedQueue } from './bounded-queue.ts'
import { systemClock } from './clock.ts'
import { isSettledWithin } from './deadline.ts'

/** A connection that takes texts one after the other. */
export interface TextSink {
  /** Resolves when the text has left us; rejects when the connection is gone. */
  send(text: string): Promise<void>
}

export interface ClientQueue {
  /** Never waits. */
  push(text: string): void
  /** What is queued still goes out; resolves when it has, or when the client has taken nothing for too long: then with false. */
  finish(): Promise<boolean>
}

/** Ten seconds of a busy stream; a client further behind loses the oldest. */
const MAX_WAITING = 300
const FINISH_TIMEOUT_MS = 5_000

/** Sends to a client at its own speed: one that can't keep up loses the oldest messages, and nobody waits for it. */
export function createClientQueue(sink: TextSink): ClientQueue {
  const queue = createBoundedQueue<string>({ limit: MAX_WAITING, overflow: 'drop-oldest' })

  async function pump(): Promise<void> {
    for await (const text of queue) await sink.send(text)
  }
  // The connection's own end is dealt with where it was made.
  const pumped = pump().catch(() => queue.close())

  return {
    push: (text) => void queue.push(text),
    finish() {
      queue.close()
      return isSettledWithin(pumped, FINISH_TIMEOUT_MS, systemClock)
    },
  }
}
