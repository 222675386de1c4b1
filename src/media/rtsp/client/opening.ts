import { createDeadline } from '../../../core/deadline.ts'

/** The time in which a stream is opened: it is broken off when we leave, or when it takes too long. */
export interface Opening {
  readonly signal: AbortSignal
  /** It is open, or has failed: from here on the signal stays as it is, and leaving is orderly. */
  end(): void
}

/** A server may answer each request in time and still keep us waiting; opening takes at most so many silences. */
const MAX_OPENING_SILENCES = 4

export function startOpening(leaving: AbortSignal, silenceMs: number): Opening {
  const opening = new AbortController()
  const giveUp = () => opening.abort()
  const deadline = createDeadline(giveUp)
  deadline.set(MAX_OPENING_SILENCES * silenceMs)
  leaving.addEventListener('abort', giveUp, { once: true })
  return {
    signal: opening.signal,
    end() {
      deadline.clear()
      leaving.removeEventListener('abort', giveUp)
    },
  }
}
