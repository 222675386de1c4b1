import { dropOldest } from '../core/drop-oldest.ts'

/** Why workers could not start lately: a path that fails is not tried again at every request. */
export interface HlsFailures {
  add(path: string, sentence: string): void
  /** The last failure's sentence; `isRecent` while another try would be too soon. */
  find(path: string): { readonly sentence: string; readonly isRecent: boolean } | undefined
}

const PAUSE_MS = 1_000
/** Beyond it the oldest is forgotten. */
const MAX_FAILURES = 1_000

export function createHlsFailures(now: () => number, maxFailures = MAX_FAILURES): HlsFailures {
  const failures = new Map<string, { readonly at: number; readonly sentence: string }>()
  return {
    add(path, sentence) {
      failures.set(path, { at: now(), sentence })
      dropOldest(failures, maxFailures)
    },
    find(path) {
      const failure = failures.get(path)
      return failure && { sentence: failure.sentence, isRecent: now() - failure.at < PAUSE_MS }
    },
  }
}
