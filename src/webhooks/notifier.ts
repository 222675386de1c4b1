import { type Clock } from '../core/clock.ts'
import { type ProcessStateChange } from '../core/events.ts'
import { isWarningNew, type MinutesLow } from '../core/minutes.ts'
import { orderedUuid } from '../core/ordered-uuid.ts'
import { type Scene } from '../core/scene.ts'
import { type Log } from '../observe/log.ts'
import { type Delivery } from '../core/delivery.ts'
import {
  detach,
  gather,
  type Gathered,
  type Progress,
  release,
  settle,
  type StoredLengths,
  type StoredSubscription,
} from './progress.ts'
import { createSeenTracks } from './seen-tracks.ts'
import { channelOf } from './subscription.ts'
import { toMessage } from './subscription-message.ts'
import { type TrackLinks } from './track-links.ts'
import {
  minutesLowNotification,
  type Notification,
  newTracksNotification,
  processStateNotification,
  targetCountNotification,
} from './webhooks.messages.ts'

export interface NotifierDeps {
  readonly subscription: StoredSubscription
  readonly delivery: Pick<Delivery, 'createDurableNotifier' | 'whenClear'>
  /** It is another one now, and is to be written. */
  readonly onProgress: (progress: Progress) => void
  /** Resolves when it is on disk. */
  readonly writeProgress: (progress: Progress) => Promise<void>
  /** Whether another node that goes on from the database would send all of it; where there is no other, nobody would do so. */
  readonly isKnownElsewhere: (progress: Progress) => boolean
  readonly trackLinks: TrackLinks
  readonly clock: Clock
  readonly log: Log
}

/** Looks at a process for one subscriber: what is worth sending, and when. */
export interface Notifier {
  readonly subscription: StoredSubscription
  readonly progress: Progress
  onScene(scene: Scene): void
  onState(change: Pick<ProcessStateChange, 'state' | 'previousState' | 'reason'>): void
  /** Warns once, however often it is said. */
  onMinutesLow(low: MinutesLow): void
  /** The database has so much and takes no more: another node may send that much, so what comes now goes under other ids. */
  detach(stored: StoredLengths): void
  /** The process is over: what is gathered goes into the outbox. Resolves when it is there. */
  finish(): Promise<void>
  /** Sends nothing any more; its progress says what is left. */
  close(): Promise<void>
}

export function createNotifier(deps: NotifierDeps): Notifier {
  const { subscription, delivery, onProgress, writeProgress, isKnownElsewhere, trackLinks, clock, log } = deps
  const { processId, eventType, notificationFormat: format, backoffMs } = subscription
  const channel = channelOf(subscription)
  const seen = createSeenTracks(subscription.progress.lastTrackId)
  const closing = new AbortController()
  // What was gathered before a restart may be in the outbox by now; what joined it there would be lost.
  let progress = release(subscription.progress)
  let isWaiting = false

  const about = { subscription_uuid: subscription.id }
  const outgoing = delivery.createDurableNotifier<Gathered>({
    isReady: () => progress.released.length > 0,
    next: () => progress.released.slice(0, 1),
    // The next count says what the last one was: should we be killed, that must not be older than what the receiver has.
    ...(eventType === 'target-count' && { prepare: () => writeProgress(progress) }),
    messagesOf({ id, notification }) {
      const linked = trackLinks.addTo(notification, progress.linked ?? 'none')
      return [toMessage(subscription, { id, notification: linked }, clock.now())]
    },
    onTaken([taken]) {
      progress = settle(progress, taken!.id)
      onProgress(progress)
    },
    onRefused: (error) => log.error({ err: error, ...about }, 'a notification cannot be delivered'),
    onFailure: (error) => log.warn({ err: error, ...about }, 'a notification waits for the database; trying again'),
    onIdle: waitForTurn,
  })
  outgoing.wake()

  function change(next: Progress): void {
    const [oldest] = progress.released
    if (oldest && !next.released.includes(oldest))
      log.error(about, 'a notification was lost because the database did not take it')
    progress = next
    onProgress(progress)
    waitForTurn()
    outgoing.wake()
  }

  function happened(notification: Notification): void {
    change(gather(progress, { id: orderedUuid(), notification }, backoffMs))
  }

  /** Else, were we cut off just now, the other node's message would be taken for ours, which has more. `detach` is called where it fails. */
  function makeKnown(): Promise<void> | undefined {
    if (!progress.gathered || isKnownElsewhere(progress)) return undefined
    return writeProgress(progress).catch(() => {})
  }

  /** What a process that has ended had is known no longer. */
  function noteLinked(): void {
    const linked = trackLinks.of(processId)
    if (linked !== undefined) progress = { ...progress, linked }
  }

  /** What is in the outbox may have been sent already; only what is not there yet can take up more. */
  function waitForTurn(): void {
    if (isWaiting || !progress.gathered || progress.released.length > 0 || closing.signal.aborted) return
    isWaiting = true
    void delivery.whenClear(channel, closing.signal).then(async () => {
      const made = makeKnown()
      if (made) await made
      isWaiting = false
      // Some may have gone meanwhile because there were too many; they are not in the outbox yet.
      if (progress.released.length === 0 && !closing.signal.aborted) change(release(progress))
    })
  }

  return {
    subscription,
    get progress() {
      return progress
    },
    onScene(scene) {
      if (eventType === 'new-tracks') {
        const tracks = seen.addNew(scene.tracks)
        if (tracks.length === 0) return
        progress = { ...progress, lastTrackId: seen.lastId }
        noteLinked()
        happened(newTracksNotification({ processId, scene, format }, tracks))
      } else if (eventType === 'target-count') {
        const previous = progress.targetCount
        if (scene.tracks.length === previous) return
        progress = { ...progress, targetCount: scene.tracks.length }
        noteLinked()
        happened(targetCountNotification({ processId, scene, format }, previous))
      }
    },
    onState({ state, previousState, reason }) {
      if (eventType !== 'process-state') return
      progress = { ...progress, processState: state }
      happened(processStateNotification({ processId, state, previousState, reason }, clock.now()))
    },
    onMinutesLow(low) {
      if (eventType !== 'minutes-low' || !isWarningNew(low, progress.minutesWarnedAllottedSeconds ?? null)) return
      progress = { ...progress, minutesWarnedAllottedSeconds: low.allottedSeconds }
      happened(minutesLowNotification(processId, low, clock.now()))
    },
    detach(stored) {
      const detached = detach(progress, stored)
      if (detached !== progress && !closing.signal.aborted) change(detached)
    },
    async finish() {
      const made = makeKnown()
      if (made) await made
      change(release(progress))
      await outgoing.flush()
    },
    async close() {
      closing.abort()
      await outgoing.close()
    },
  }
}
