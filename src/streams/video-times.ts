import { type Clock } from '../core/clock.ts'
import { dropOldest } from '../core/drop-oldest.ts'
import { createLastSeenTracker, type LastSeen, type LastSeenTracker } from '../core/last-seen.ts'

/** When video last came to each path of the media server, also to those that nobody publishes to any more. */
export interface VideoTimes {
  note(path: string, agoMs: number): void
  /** Null of a path to which none has come since the service started. */
  find(path: string): LastSeen | null
}

/** Names of paths are free to choose: of more, those without video for the longest time are forgotten. */
const MAX_PATHS = 10_000

export function createVideoTimes(clock: Pick<Clock, 'now' | 'steady'>, maxPaths = MAX_PATHS): VideoTimes {
  /** In the order of their last video. */
  const trackers = new Map<string, LastSeenTracker>()
  return {
    note(path, agoMs) {
      const tracker = trackers.get(path) ?? createLastSeenTracker(clock)
      tracker.note(clock.now() - agoMs)
      trackers.delete(path)
      trackers.set(path, tracker)
      dropOldest(trackers, maxPaths)
    },
    find: (path) => trackers.get(path)?.last ?? null,
  }
}
