import { type Clock } from '../core/clock.ts'

/**
 * Notices a database server that keeps its connections and answers nothing, as one does whose disk or machine hangs. A query may
 * take its time, so one that is slow only makes us ask by a connection of its own whether anybody answers.
 */
export interface StallWatch {
  /** A query is sent over this connection. Returns what to call when it is answered. */
  watch(connection: Connection): () => void
}

/** Ending it makes its query fail. */
export interface Connection {
  end(): Promise<void>
}

export interface StallWatchOptions {
  /** Whether the server answers a new connection in time. */
  readonly isAnswering: () => Promise<boolean>
  readonly clock: Pick<Clock, 'steady' | 'sleep'>
}

/** From here on a query is slow. */
const SLOW_MS = 5_000
const LOOK_EVERY_MS = 1_000

export function createStallWatch({ isAnswering, clock }: StallWatchOptions): StallWatch {
  /** What is not answered yet, by an object of its own each. */
  const asked = new Map<object, { readonly connection: Connection; readonly atMs: number }>()
  let looking: AbortController | undefined

  async function look(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await clock.sleep(LOOK_EVERY_MS, signal)
      const slow = [...asked].filter(([, { atMs }]) => clock.steady() - atMs >= SLOW_MS)
      if (signal.aborted || slow.length === 0 || (await isAnswering())) continue
      for (const [query, { connection }] of slow) {
        // It may have been answered meanwhile, and its connection be another's.
        if (!asked.has(query)) continue
        forget(query)
        void connection.end().catch(() => {})
      }
    }
  }

  function forget(query: object): void {
    asked.delete(query)
    if (asked.size > 0) return
    looking?.abort()
    looking = undefined
  }

  return {
    watch(connection) {
      const query = {}
      asked.set(query, { connection, atMs: clock.steady() })
      if (!looking) {
        looking = new AbortController()
        void look(looking.signal)
      }
      return () => forget(query)
    },
  }
}
