import { dropOldest } from '../core/drop-oldest.ts'
import { createLastNotification, type LastNotification } from './analyses/last-notification.ts'

/** When each alert last sent something about each source, whichever process saw it and has ended since. */
export interface LastNotifications {
  of(alertId: string, sourceId: string): LastNotification
}

/** One that is forgotten may notify sooner than it should. */
const MAX_KEPT = 10_000

export function createLastNotifications(maxKept = MAX_KEPT): LastNotifications {
  const kept = new Map<string, LastNotification>()
  return {
    of(alertId, sourceId) {
      const key = `${alertId} ${sourceId}`
      const last = kept.get(key) ?? createLastNotification()
      // To the end: the one whose process began longest ago is forgotten first.
      kept.delete(key)
      kept.set(key, last)
      dropOldest(kept, maxKept)
      return last
    },
  }
}
