import { type Clock } from '../core/clock.ts'
import { type ProcessStateChange } from '../core/events.ts'
import { isWarningNew, type MinutesLow } from '../core/minutes.ts'
import { orderedUuid } from '../core/ordered-uuid.ts'
import { type Scene } from '../core/scene.ts'
import { type Log } from '../observe/log.ts'
import { type OutboundMessage } from '../core/outbound-message.ts'
import { type Delivery } from '../core/delivery.ts'
import { gather, type Gathered, type Progress, release, settle, type StoredSubscription } from './progress.ts'
import { createSeenTracks } from './seen-tracks.ts'
import { channelOf } from './subscription.ts'
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
  /** The process is over: what is gathered goes into the outbox. Resolves when it is there. */
  finish(): Promise<void>
  /** Sends nothing any more; its progress says what is left. */
  close(): Promise<void>
}

export function createNotifier(deps: NotifierDeps): Notifier {
  const { subscription, delivery, onProgress, writeProgress, clock, log } = deps
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
    messagesOf: (gathered) => [toMessage(subscription, gathered, clock.now())],
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

  /** What is in the outbox may have been sent already; only what is not there yet can take up more. */
  function waitForTurn(): void {
    if (isWaiting || !progress.gathered || progress.released.length > 0 || closing.signal.aborted) return
    isWaiting = true
    void delivery.whenClear(channel, closing.signal).then(() => {
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
        happened(newTracksNotification({ processId, scene, format }, tracks))
      } else if (eventType === 'target-count') {
        const previous = progress.targetCount
        if (scene.tracks.length === previous) return
        progress = { ...progress, targetCount: scene.tracks.length }
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
    async finish() {
      change(release(progress))
      await outgoing.flush()
    },
    async close() {
      closing.abort()
      await outgoing.close()
    },
  }
}

function toMessage(subscription: StoredSubscription, { id, notification }: Gathered, nowMs: number): OutboundMessage {
  const { accountId, processId, notificationUrl: url, secret, authUrl, backoffMs } = subscription
  return {
    id,
    channel: channelOf(subscription),
    accountId,
    processId,
    destination: { kind: 'webhook', url, secret, ...(authUrl !== null && { authUrl }) },
    body: JSON.stringify(notification),
    createdAtMs: nowMs,
    spacingMs: backoffMs,
  }
}
