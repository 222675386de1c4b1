import { NotDelivered } from './message.ts'

/** Callers that wait for the same thing, each for a limited time. */
export interface Waiters {
  /** Resolves with the others, or when `begin` says that this one is done; rejects with what `onLate` says when it takes longer. */
  wait(withinMs: number, onLate: () => string, begin?: (end: (error?: Error) => void) => void): Promise<void>
  resolveAll(): void
  failAll(sentence: string): void
}

export function createWaiters(): Waiters {
  const waiting = new Set<(error?: Error) => void>()

  return {
    wait: (withinMs, onLate, begin) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error) => {
          if (!waiting.delete(end)) return
          clearTimeout(timer)
          if (error) reject(error)
          else resolve()
        }
        const timer = setTimeout(() => end(new NotDelivered(onLate())), withinMs)
        waiting.add(end)
        begin?.(end)
      }),
    resolveAll() {
      for (const end of waiting) end()
    },
    failAll(sentence) {
      for (const end of waiting) end(new NotDelivered(sentence))
    },
  }
}
