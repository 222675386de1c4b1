import { type Clock } from './clock.ts'
import { AppError } from './errors.ts'
import { forEachAtOnce } from './for-each-at-once.ts'

/** Whether a key that was asked about still counts. What is no refusal, such as a database that is away, rejects. */
export async function stillCounts(asked: Promise<unknown>): Promise<boolean> {
  try {
    await asked
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

/** Rights of those who were let in once and stay: keys are revoked, tokens expire, so they are asked about again and again. */
export interface StandingRights<Right, Refusal> {
  /** `onLost` is called once, when the right is gone. Answers how to let go of it. */
  hold(right: Right, onLost: (why: Refusal) => void): () => void
  close(): void
}

export interface StandingRightsOptions<Right, Refusal extends Error> {
  /** Asks about somebody who was let in before; rejects when the right is gone, or when that cannot be found out. */
  readonly ask: (right: Right) => Promise<unknown>
  /** What takes a right away; a database that is away is trouble that passes. */
  readonly isRefusal: (error: unknown) => error is Refusal
  /** Rights with the same identity are asked about once. */
  readonly identityOf: (right: Right) => string
  readonly clock: Clock
}

/** How long a stream may outlive the right to it. */
export const RECHECK_MS = 3_000
/** Who does not answer by then is asked again in the next round; others are not kept waiting. */
const ANSWER_TIMEOUT_MS = 5_000
const MAX_ASKED_AT_ONCE = 16

export function createStandingRights<Right, Refusal extends Error>(
  options: StandingRightsOptions<Right, Refusal>,
): StandingRights<Right, Refusal> {
  const { ask, isRefusal, identityOf, clock } = options
  const held = new Map<string, { readonly right: Right; readonly holders: Set<(why: Refusal) => void> }>()
  const closing = new AbortController()
  let isAsking = false

  async function askAll(): Promise<void> {
    isAsking = true
    while (held.size > 0) {
      await clock.sleep(RECHECK_MS, closing.signal)
      if (closing.signal.aborted) return
      await forEachAtOnce(held.keys(), MAX_ASKED_AT_ONCE, recheck)
    }
    isAsking = false
  }

  async function recheck(id: string): Promise<void> {
    const { right, holders } = held.get(id)!
    const answered = new AbortController()
    const lost = await Promise.race([
      ask(right).then(
        () => undefined,
        (error: unknown) => (isRefusal(error) ? error : undefined),
      ),
      clock.sleep(ANSWER_TIMEOUT_MS, AbortSignal.any([closing.signal, answered.signal])).then(() => undefined),
    ])
    answered.abort()
    if (!lost || closing.signal.aborted) return
    if (held.get(id)?.holders === holders) held.delete(id)
    for (const onLost of holders) onLost(lost)
  }

  return {
    hold(right, onLost) {
      const id = identityOf(right)
      const known = held.get(id) ?? { right, holders: new Set() }
      held.set(id, known)
      known.holders.add(onLost)
      if (!isAsking) void askAll()
      return () => {
        known.holders.delete(onLost)
        if (known.holders.size === 0 && held.get(id) === known) held.delete(id)
      }
    },
    close: () => closing.abort(),
  }
}
