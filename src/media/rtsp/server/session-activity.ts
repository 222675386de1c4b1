import { type RtspTimeouts } from './limits.ts'

/**
 * What a session has done lately, from which follows when it has to end:
 *
 *   not accepted ──▶ accepted, must start in time ──▶ streaming ⇄ paused ──▶ ended, must start in time
 */
export interface SessionActivity {
  /** A request was received. */
  request(): void
  /** The hub has let the client publish or read. */
  accept(): void
  /** It publishes or plays from now on. */
  startStreaming(): void
  pauseStreaming(): void
  /** The role is over; the connection may take another. */
  endStreaming(): void
  /** It could have published or played for a while, and has not. */
  isStartOverdue(nowMs: number): boolean
  /** No request has been received for a while. */
  isSilent(nowMs: number): boolean
}

export interface SessionActivityOptions {
  readonly timeouts: Pick<RtspTimeouts, 'startMs' | 'sessionMs'>
  readonly now: () => number
  readonly onStreaming: (isStreaming: boolean) => void
}

export function createSessionActivity({ timeouts, now, onStreaming }: SessionActivityOptions): SessionActivity {
  let lastRequestAtMs = now()
  /** Since when it could publish or play, and has not. */
  let idleSinceMs: number | undefined
  /** In the present role. */
  let hasStreamed = false

  return {
    request: () => void (lastRequestAtMs = now()),
    accept: () => void (idleSinceMs ??= hasStreamed ? undefined : now()),
    startStreaming() {
      hasStreamed = true
      idleSinceMs = undefined
      onStreaming(true)
    },
    pauseStreaming: () => onStreaming(false),
    endStreaming() {
      hasStreamed = false
      idleSinceMs ??= now()
      onStreaming(false)
    },
    isStartOverdue: (nowMs) => idleSinceMs !== undefined && nowMs - idleSinceMs > timeouts.startMs,
    isSilent: (nowMs) => nowMs - lastRequestAtMs > timeouts.sessionMs,
  }
}
