import { type Clock } from '../core/clock.ts'
import { type ProcessStateChange } from '../core/events.ts'
import { type LivePublisher, type PublishedProcess } from '../core/live-publishing.ts'
import { isWarningNew, type MinutesLow } from '../core/minutes.ts'
import { type Scene } from '../core/scene.ts'
import { createSeenTracks, type SeenTracks } from './seen-tracks.ts'
import { type TrackLinks } from './track-links.ts'
import {
  minutesLowNotification,
  type Notification,
  newTracksNotification,
  processStateNotification,
} from './webhooks.messages.ts'

export interface LiveNotificationsDeps {
  readonly publish: NonNullable<LivePublisher['publishNotification']>
  readonly trackLinks: TrackLinks
  readonly clock: Pick<Clock, 'now'>
}

interface Watched {
  readonly seen: SeenTracks
  warnedAllottedSeconds: number | null
}

/**
 * What happens in every process, subscribed to or not, published as it happens: nothing is gathered, spaced or kept. A count of targets is
 * no notification here: whoever follows it closely takes scenes.
 */
export interface LiveNotifications {
  onScene(process: PublishedProcess, scene: Scene): void
  onState(change: ProcessStateChange): void
  /** Warns once, however often it is said; of a process of which there was a state or a scene. */
  onMinutesLow(low: MinutesLow): void
  /** The process goes on elsewhere, where its tracks are new ones. */
  handOver(processId: string): void
  /** Processes of which anything is kept. */
  count(): number
}

export function createLiveNotifications({ publish, trackLinks, clock }: LiveNotificationsDeps): LiveNotifications {
  const byProcess = new Map<string, Watched>()

  function watchedOf(processId: string): Watched {
    const watched = byProcess.get(processId) ?? { seen: createSeenTracks(0), warnedAllottedSeconds: null }
    byProcess.set(processId, watched)
    return watched
  }

  function send(process: PublishedProcess, notification: Notification): void {
    publish(process, notification.type, JSON.stringify(notification))
  }

  return {
    onScene(process, scene) {
      const { processId } = process
      const tracks = watchedOf(processId).seen.addNew(scene.tracks)
      if (tracks.length === 0) return
      const notification = newTracksNotification({ processId, scene, format: 'full' }, tracks)
      send(process, trackLinks.addTo(notification, trackLinks.of(processId) ?? 'none'))
    },
    onState(change) {
      send(change, processStateNotification(change, clock.now()))
      if (change.isLive) watchedOf(change.processId)
      else byProcess.delete(change.processId)
    },
    onMinutesLow(low) {
      for (const processId of low.processIds) {
        // It may have ended while the minutes were looked up, and its state is the last that is published of it.
        const watched = byProcess.get(processId)
        if (!watched || !isWarningNew(low, watched.warnedAllottedSeconds)) continue
        watched.warnedAllottedSeconds = low.allottedSeconds
        send({ processId, accountId: low.accountId }, minutesLowNotification(processId, low, clock.now()))
      }
    },
    handOver: (processId) => void byProcess.delete(processId),
    count: () => byProcess.size,
  }
}
