import { dropOldest } from '../core/drop-oldest.ts'
import { ownerOfPath } from '../core/media-path.ts'
import { type FromWebrtc } from '../media/messages.ts'

/** What became of an offer. */
export type OfferOutcome = FromWebrtc | 'ended' | 'gateway-died' | 'too-late'

/** The sessions of the gateway as main knows them, and those that ended lately. */
export interface WebrtcSessions {
  /** Adds a session, and resolves when its offer is answered or will not be. `release` is called once, at its end. */
  open(id: string, path: string, release: () => void): Promise<OfferOutcome>
  settle(id: string, outcome: OfferOutcome): void
  /** An offer that still waits for its answer has none. Nothing happens when there is no such session. */
  end(id: string): void
  endAll(outcome: OfferOutcome): void
  pathOf(id: string): string | undefined
  /** A client that ends a session which has just ended did nothing wrong: the stream was just faster. */
  hasEnded(id: string, path: string): boolean
  /** Of the streams of this owner. */
  countOf(username: string): number
}

interface Session {
  readonly path: string
  readonly settle: (outcome: OfferOutcome) => void
  readonly release: () => void
}

const ANSWER_TIMEOUT_MS = 10_000
/** Ended sessions that are remembered. */
const MAX_ENDED = 1_000

export function createWebrtcSessions({ maxEnded = MAX_ENDED } = {}): WebrtcSessions {
  const sessions = new Map<string, Session>()
  /** Their paths. */
  const ended = new Map<string, string>()

  function end(id: string): void {
    const session = sessions.get(id)
    if (!session) return
    sessions.delete(id)
    ended.set(id, session.path)
    dropOldest(ended, maxEnded)
    session.settle('ended')
    session.release()
  }

  return {
    async open(id, path, release) {
      let timer: NodeJS.Timeout | undefined
      const outcome = await new Promise<OfferOutcome>((settle) => {
        timer = setTimeout(() => settle('too-late'), ANSWER_TIMEOUT_MS)
        sessions.set(id, { path, settle, release })
      })
      clearTimeout(timer)
      return outcome
    },
    settle: (id, outcome) => sessions.get(id)?.settle(outcome),
    end,
    endAll(outcome) {
      for (const [id, { settle }] of sessions) {
        settle(outcome)
        end(id)
      }
    },
    pathOf: (id) => sessions.get(id)?.path,
    hasEnded: (id, path) => ended.get(id) === path,
    countOf: (username) => [...sessions.values()].filter(({ path }) => ownerOfPath(path) === username).length,
  }
}
