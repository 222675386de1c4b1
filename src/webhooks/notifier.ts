import { type Clock } from '../core/clock.ts'
import { type ProcessStateChange } from '../core/events.ts'
import { orderedUuid } from '../core/ordered-uuid.ts'
import { type Scene } from '../core/scene.ts'
import { UnacceptableError } from '../core/unacceptable-error.ts'
import { type Log } from '../observe/log.ts'
import { gather, type Gathered, type Progress, release, settle, type StoredSubscription } from './progress.ts'
import { createSeenTracks } from './seen-tracks.ts'
import { type Notification, tellNewTracks, tellProcessState, tellTargetCount } from './webhooks.messages.ts'

export interface NotifierDeps {
  readonly subscription: StoredSubscription
  /** Puts it into the outbox; resolves when it is on disk. */
  readonly send: (gathered: Gathered) => Promise<void>
  /** Resolves when the receiver has all that was sent and may have the next one, or when the signal aborts. */
  readonly whenClear: (signal: AbortSignal) => Promise<void>
  /** Its progress is another one now, and is to be written. */
  readonly onProgress: () => void
  readonly clock: Clock
  readonly log: Log
}

/** Looks at a process for one subscriber: what is worth telling, and when. */
export interface Notifier {
  readonly subscription: StoredSubscription
  readonly progress: Progress
  onScene(scene: Scene): void
  onState(change: Pick<ProcessStateChange, 'state' | 'previousState' | 'reason'>): void
  /** The process is over: what is gathered goes into the outbox. Resolves when it is there. */
  finish(): Promise<void>
  /** Tells nothing any more; its progress says what is left. */
  close(): Promise<void>
}

const RETRY_MS = 1_000

export function createNotifier({ subscription, send, whenClear, onProgress, clock, log }: NotifierDeps): Notifier {
  const { processId, eventType, notificationFormat: format, backoffMs } = subscription
  const seen = createSeenTracks(subscription.progress.lastTrackId)
  const closing = new AbortController()
  // What was gathered before a restart may be in the outbox by now; what joined it there would be lost.
  let progress = release(subscription.progress)
  let isWaiting = false
  let sending: Promise<void> | undefined
  sendReleased()

  function change(next: Progress): void {
    const [oldest] = progress.released
    if (oldest && !next.released.includes(oldest))
      log.error({ subscription_uuid: subscription.id }, 'a notification was lost because the database did not take it')
    progress = next
    onProgress()
    waitForTurn()
    sendReleased()
  }

  function happened(notification: Notification): void {
    change(gather(progress, { id: orderedUuid(), notification }, backoffMs))
  }

  /** What is in the outbox may have been sent already; only what is not there yet can take up more. */
  function waitForTurn(): void {
    if (isWaiting || !progress.gathered || progress.released.length > 0 || closing.signal.aborted) return
    isWaiting = true
    void whenClear(closing.signal).then(() => {
      isWaiting = false
      // Some may have gone meanwhile because there were too many; they are not in the outbox yet.
      if (progress.released.length === 0 && !closing.signal.aborted) change(release(progress))
    })
  }

  function sendReleased(): void {
    if (progress.released.length > 0) sending ??= sendAll()
  }

  async function sendAll(): Promise<void> {
    for (let next = progress.released[0]; next; next = progress.released[0]) {
      try {
        await send(next)
        progress = settle(progress, next.id)
        onProgress()
      } catch (error) {
        log.error({ err: error, subscription_uuid: subscription.id }, 'a notification could not be stored')
        if (error instanceof UnacceptableError) {
          progress = settle(progress, next.id)
          onProgress()
          continue
        }
        await clock.sleep(RETRY_MS, closing.signal)
        if (closing.signal.aborted) break
      }
    }
    sending = undefined
    waitForTurn()
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
        happened(tellNewTracks({ processId, scene, format }, tracks))
      } else if (eventType === 'target-count') {
        const previous = progress.targetCount
        if (scene.tracks.length === previous) return
        progress = { ...progress, targetCount: scene.tracks.length }
        happened(tellTargetCount({ processId, scene, format }, previous))
      }
    },
    onState({ state, previousState, reason }) {
      if (eventType !== 'process-state') return
      progress = { ...progress, processState: state }
      happened(tellProcessState({ processId, state, previousState, reason }, clock.now()))
    },
    async finish() {
      change(release(progress))
      await sending
    },
    async close() {
      closing.abort()
      await sending
    },
  }
}
