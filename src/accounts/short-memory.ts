import { type Clock } from '../core/clock.ts'

/** Answers that are good for a moment: who asks again and again does not ask the database each time. */
export interface ShortMemory<T> {
  /** What was found lately, or is being found; a failure is not remembered. */
  find(id: string, ask: () => Promise<T>): Promise<T>
  /** All whose ids begin so. */
  forget(prefix: string): void
}

export interface ShortMemoryOptions {
  readonly forMs: number
  /** Beyond this the one that was asked about longest ago is asked about again. */
  readonly max: number
  readonly clock: Pick<Clock, 'steady'>
}

export function createShortMemory<T>({ forMs, max, clock }: ShortMemoryOptions): ShortMemory<T> {
  const remembered = new Map<string, { readonly answer: Promise<T>; readonly askedAt: number }>()

  function remember(id: string, answer: Promise<T>): void {
    remembered.delete(id)
    remembered.set(id, { answer, askedAt: clock.steady() })
    const [oldest] = remembered.keys()
    if (remembered.size > max) remembered.delete(oldest!)
    answer.catch(() => {
      if (remembered.get(id)?.answer === answer) remembered.delete(id)
    })
  }

  return {
    find(id, ask) {
      const known = remembered.get(id)
      if (known && clock.steady() - known.askedAt < forMs) return known.answer
      const answer = ask()
      remember(id, answer)
      return answer
    },
    forget(prefix) {
      for (const id of remembered.keys()) if (id.startsWith(prefix)) remembered.delete(id)
    },
  }
}
