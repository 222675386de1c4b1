import { type Clock } from '../core/clock.ts'
import { type AppError } from '../core/errors.ts'
import { isRefusal, type WatchAccess, type WatchQuestion } from './watch-access.ts'

/** Rights of those who were let in once and stay: keys are revoked, tokens expire, so they are asked about again and again. */
export interface StandingRights {
  /** `onLost` is called once, when the right is gone. Answers how to let go of it. */
  hold(right: WatchQuestion, onLost: (why: AppError) => void): () => void
  close(): void
}

const ASK_EVERY_MS = 3_000

export function createStandingRights(access: WatchAccess, clock: Clock): StandingRights {
  /** Whoever shows the same for the same path is asked about once. */
  const rights = new Map<string, { readonly right: WatchQuestion; readonly holders: Set<(why: AppError) => void> }>()
  const closing = new AbortController()
  let isAsking = false

  async function askAll(): Promise<void> {
    isAsking = true
    while (rights.size > 0) {
      await clock.sleep(ASK_EVERY_MS, closing.signal)
      if (closing.signal.aborted) return
      for (const [id, { right, holders }] of rights) {
        const why = await whyLost(right)
        if (!why) continue
        rights.delete(id)
        for (const onLost of holders) onLost(why)
      }
    }
    isAsking = false
  }

  async function whyLost(right: WatchQuestion): Promise<AppError | undefined> {
    try {
      await access({ ...right, isAgain: true })
      return undefined
    } catch (error) {
      return isRefusal(error) ? error : undefined
    }
  }

  return {
    hold(right, onLost) {
      const id = identityOf(right)
      const known = rights.get(id) ?? { right, holders: new Set() }
      rights.set(id, known)
      known.holders.add(onLost)
      if (!isAsking) void askAll()
      return () => {
        known.holders.delete(onLost)
        if (known.holders.size === 0 && rights.get(id) === known) rights.delete(id)
      }
    },
    close: () => closing.abort(),
  }
}

function identityOf({ action, path, credentials, address }: WatchQuestion): string {
  return JSON.stringify([action, path, credentials.key, credentials.token, address])
}
