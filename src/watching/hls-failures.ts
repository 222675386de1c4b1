import { dropOldest } from '../core/drop-oldest.ts'
import { type HlsFailure } from './hls-failure.ts'

/** Why workers could not start lately: a path that fails is not tried again at every request. */
export interface HlsFailures {
  add(path: string, failure: HlsFailure): void
  /** The last one; `isRecent` while another try would be too soon. */
  find(path: string): { readonly failure: HlsFailure; readonly isRecent: boolean } | undefined
}

const PAUSE_MS = 1_000
/** Beyond it the oldest is forgotten. */
const MAX_FAILURES = 1_000

export function createHlsFailures(now: () => number, maxFailures = MAX_FAILURES): HlsFailures {
  const failures = new Map<string, { readonly at: number; readonly failure: HlsFailure }>()
  return {
    add(path, failure) {
      failures.set(path, { at: now(), failure })
      dropOldest(failures, maxFailures)
    },
    find(path) {
      const last = failures.get(path)
      return last && { failure: last.failure, isRecent: now() - last.at < PAUSE_MS }
    },
  }
}
