import { createDeadline } from '../../../core/deadline.ts'
import { createDeferred, type Deferred } from '../../../core/deferred.ts'

/** What a server has to say in time. */
export interface AwaitedAnswers {
  /** `onLate` is called when it is not settled within `withinMs`. */
  add<T>(what: string, withinMs: number, onLate: () => void): Deferred<T>
  /** The one that is waited for the longest. */
  readonly first: string | undefined
  rejectAll(error: Error): void
}

export function createAwaitedAnswers(): AwaitedAnswers {
  const awaited = new Map<Deferred<unknown>, string>()

  return {
    add<T>(what: string, withinMs: number, onLate: () => void) {
      const deferred = createDeferred<T>()
      const deadline = createDeadline(onLate)
      deadline.set(withinMs)
      const forget = () => {
        deadline.clear()
        awaited.delete(deferred)
      }
      awaited.set(deferred, what)
      deferred.promise.then(forget, forget)
      return deferred
    },
    get first() {
      return awaited.values().next().value
    },
    rejectAll(error) {
      for (const deferred of awaited.keys()) deferred.reject(error)
    },
  }
}
