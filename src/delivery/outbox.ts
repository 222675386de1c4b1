import { type Clock } from '../core/clock.ts'
import { UnacceptableError } from '../core/unacceptable-error.ts'
import { type Log } from '../observe/log.ts'
import { createChannelClearings } from './channel-clearings.ts'
import {
  type ChannelQueue,
  createChannelQueue,
  forget,
  MAX_LOADED,
  MAX_LOADED_BYTES,
  putBack,
  take,
} from './channel-queue.ts'
import { NotDelivered, type OutboundMessage, type Sender } from './message.ts'
import { createOutboxWriter } from './outbox-writer.ts'
import { type Delivered, type OutboxStore, type WaitingMessage } from './outbox.store.ts'
import { createOverflow, type OutboxLimits } from './overflow.ts'
import { KEEP_TRYING_MS, waitAfter } from './retry-policy.ts'

export interface OutboxDeps {
  readonly store: OutboxStore
  readonly sender: Sender
  /** Something of this channel came to its end. */
  readonly onSettled?: (channel: string, state: 'delivered' | 'dead' | 'dropped', count: number) => void
  readonly limits?: OutboxLimits
  readonly clock: Clock
  readonly log: Log
}

const defaultLimits: OutboxLimits = {
  channelMessages: 10_000,
  channelBytes: 64 << 20,
  accountBytes: 256 << 20,
  messageBytes: 1 << 20,
}
/** Messages under way at once; who never answers takes one of these for as long as we wait. */
const MAX_UNDER_WAY = 256
const MAX_UNDER_WAY_OF_ACCOUNT = 64
/** Delivered by a channel and not yet written: as many may come twice after a crash. */
const MAX_UNWRITTEN = 16
/** What is larger is not kept once it has arrived; of what is, each channel keeps a hundred. */
const MAX_KEPT_BYTES = 64 << 10
const CLOSE_WITHIN_MS = 2_000
const REWRITE_MS = 1_000

export type Outbox = ReturnType<typeof createOutbox>

/**
 * Keeps what is to be told to others until they have it. A message is on disk before `send` resolves; channels go on
 * side by side, each in its order, one message at a time.
 *
 *   send ─▶ disk ─▶ under way ─▶ delivered
 *             ▲         │ failed ─▶ the channel waits, longer each time
 *             └─────────┴ a day old ─▶ dead (may be sent again)      too many wait ─▶ the oldest are dropped
 *
 * A channel whose messages are spaced waits after every answer, also after a failure and across a restart.
 */
export function createOutbox(deps: OutboxDeps) {
  const { store, sender, onSettled = () => {}, limits = defaultLimits, clock, log } = deps
  const queues = new Map<string, ChannelQueue>()
  /** Channels whose next message may go, in the order in which their turn comes. */
  const ready = new Set<ChannelQueue>()
  const underWay = new Map<ChannelQueue, Promise<void>>()
  const busyOf = new Map<string, number>()
  const clearings = createChannelClearings()
  let isClosing = false
  const overflow = createOverflow({
    queues,
    store,
    limits,
    clock,
    onDropped(queue, count) {
      onSettled(queue.name, 'dropped', count)
      makeReady(queue)
    },
  })
  const writer = createOutboxWriter({ store, onTaken, onRevived, clock, log })

  async function onTaken(messages: readonly WaitingMessage[]): Promise<void> {
    const touched = new Set<ChannelQueue>()
    for (const message of messages) {
      const queue = queueOf(message.channel, message.accountId)
      take(queue, message)
      touched.add(queue)
    }
    // What is too much now and can't be dropped is still too much at the next message.
    const logged = (error: unknown) => log.error({ err: error }, 'what is too much could not be dropped')
    for (const queue of touched) await overflow.keepChannel(queue).catch(logged)
    for (const accountId of new Set(messages.map((message) => message.accountId)))
      await overflow.keepAccount(accountId).catch(logged)
    for (const queue of touched) makeReady(queue)
  }

  function onRevived(message: WaitingMessage): void {
    const queue = queueOf(message.channel, message.accountId)
    take(queue, message)
    // Who asks for it believes that the receiver is there.
    queue.pause?.abort()
    makeReady(queue)
  }

  function queueOf(channel: string, accountId: string): ChannelQueue {
    const queue = queues.get(channel) ?? createChannelQueue(channel, accountId)
    queues.set(channel, queue)
    return queue
  }

  function makeReady(queue: ChannelQueue): void {
    if (isClosing || queue.isGone || queue.isBusy || queue.isDropping || queue.pause) return
    // Again after each wait: a timer may fire a part of a millisecond early, and a wait may have been cut short.
    const spacingMs = queue.notBeforeMs - clock.steady()
    if (spacingMs > 0) return pauseFor(queue, Math.ceil(spacingMs))
    if (queue.count > 0) ready.add(queue)
    else {
      if (queue.unwritten.size === 0) queues.delete(queue.name)
      clearings.resolve(queue.name)
    }
    pump()
  }

  function isClear(channel: string): boolean {
    const queue = queues.get(channel)
    return !queue || (queue.count === 0 && !queue.isBusy && !queue.pause)
  }

  function pump(): void {
    for (const queue of ready) {
      if (underWay.size >= MAX_UNDER_WAY) return
      const busy = busyOf.get(queue.accountId) ?? 0
      if (busy >= MAX_UNDER_WAY_OF_ACCOUNT) continue
      ready.delete(queue)
      queue.isBusy = true
      busyOf.set(queue.accountId, busy + 1)
      underWay.set(
        queue,
        deliverNext(queue)
          .catch((error: unknown) => {
            log.debug({ err: error, channel: queue.name }, 'not delivered')
            pauseFor(queue, REWRITE_MS)
          })
          .finally(() => {
            underWay.delete(queue)
            queue.isBusy = false
            const left = busyOf.get(queue.accountId)! - 1
            if (left > 0) busyOf.set(queue.accountId, left)
            else busyOf.delete(queue.accountId)
            makeReady(queue)
            pump()
          }),
      )
    }
  }

  async function deliverNext(queue: ChannelQueue): Promise<void> {
    if (queue.messages.length === 0) await load(queue)
    if (queue.isDropping) return
    const message = queue.messages.shift()
    if (!message || queue.isGone) return
    queue.underWay = message
    const { spacingMs = 0 } = message
    try {
      if (spacingMs > 0) await noteSent(message)
      await sender.send(message)
    } catch (error) {
      queue.underWay = undefined
      if (!queue.isGone && !isClosing) await onFailure(queue, message, error)
      return
    }
    queue.underWay = undefined
    if (queue.isGone) return
    queue.notBeforeMs = clock.steady() + spacingMs
    queue.failures = 0
    queue.trouble = null
    forget(queue, [message])
    onSettled(queue.name, 'delivered', 1)
    const isKept = message.destination.kind === 'webhook' && message.sizeBytes <= MAX_KEPT_BYTES
    const written = acknowledge(queue, { id: message.id, attempts: message.attempts + 1, isKept })
    if (queue.unwritten.size >= MAX_UNWRITTEN) await written
  }

  /** It goes all the same when that can't be written: then a restart may send the next one too early. */
  async function noteSent({ id, channel, accountId }: WaitingMessage): Promise<void> {
    const onError = (error: unknown) => log.error({ err: error, channel }, 'a sending was not written')
    await writer.noteSent(accountId, id).catch(onError)
  }

  async function load(queue: ChannelQueue): Promise<void> {
    const dropped = (queue.droppedWhileLoading = new Set())
    const loaded = await store.load(queue.name, queue.loadedUpTo, MAX_LOADED, MAX_LOADED_BYTES)
    queue.droppedWhileLoading = undefined
    queue.messages = loaded.filter(({ id }) => !dropped.has(id))
    queue.loadedUpTo = loaded.at(-1)?.position ?? queue.loadedUpTo
    if (queue.failures === 0) queue.failures = loaded[0]?.attempts ?? 0
    // What was counted but is not there was removed behind our back.
    if (loaded.length === 0) queue.count = queue.bytes = 0
  }

  async function acknowledge(queue: ChannelQueue, attempt: Delivered): Promise<void> {
    queue.unwritten.add(attempt.id)
    try {
      while (!(await isWritten(() => writer.noteDelivered(queue.accountId, attempt))));
    } finally {
      queue.unwritten.delete(attempt.id)
      if (queue.count === 0) makeReady(queue)
    }
  }

  /** What can't be written now is written later; what is never written arrives twice, as it may. */
  async function isWritten(write: () => Promise<void>): Promise<boolean> {
    try {
      await write()
      return true
    } catch (error) {
      log.error({ err: error }, 'a delivery could not be written')
      if (!isClosing) await clock.sleep(REWRITE_MS)
      return isClosing
    }
  }

  async function onFailure(queue: ChannelQueue, message: WaitingMessage, error: unknown): Promise<void> {
    queue.failures += 1
    putBack(queue, message)
    const sentence = (error as Error).message
    queue.trouble = sentence
    const isUnsent = error instanceof NotDelivered && error.isUnsent
    const spacingMs = isUnsent ? 0 : (message.spacingMs ?? 0)
    queue.notBeforeMs = clock.steady() + spacingMs
    const attempt = { id: message.id, attempts: message.attempts + 1, error: sentence, isUnsent }
    await isWritten(() => writer.noteFailed(queue.accountId, attempt))
    if (clock.now() >= message.expiresAtMs) {
      const dead = await store.bury(queue.name, clock.now())
      forget(queue, dead)
      onSettled(queue.name, 'dead', dead.length)
    }
    const retryAfterMs = error instanceof NotDelivered ? error.retryAfterMs : undefined
    const retryMs = waitAfter({ kind: message.destination.kind, failures: queue.failures, retryAfterMs })
    const waitMs = Math.max(retryMs, spacingMs)
    log.debug({ err: error, channel: queue.name, wait_ms: waitMs }, 'not delivered')
    pauseFor(queue, waitMs)
  }

  function pauseFor(queue: ChannelQueue, waitMs: number): void {
    const pause = new AbortController()
    queue.pause = pause
    queue.nextAttemptAtMs = clock.now() + waitMs
    void clock.sleep(waitMs, pause.signal).then(() => {
      queue.pause = undefined
      queue.nextAttemptAtMs = null
      makeReady(queue)
    })
  }

  return {
    /** Takes up what waited when the service ended. */
    async start(): Promise<void> {
      writer.startBehind(await store.lastPosition())
      const nowMs = clock.now()
      for (const { channel, accountId, notBeforeMs } of await store.spacedChannels(nowMs)) {
        const queue = queueOf(channel, accountId)
        queue.notBeforeMs = clock.steady() + notBeforeMs - nowMs
        makeReady(queue)
      }
      for (const { channel, accountId, count, bytes } of await store.backlogs()) {
        const queue = queueOf(channel, accountId)
        queue.count = count
        queue.bytes = bytes
        makeReady(queue)
      }
    },

    /** Resolves when it is on disk. */
    async send(message: OutboundMessage): Promise<void> {
      const sizeBytes = Buffer.byteLength(message.body)
      if (sizeBytes > limits.messageBytes)
        throw new UnacceptableError(
          `A message of ${sizeBytes} bytes is too large to be sent; ${limits.messageBytes} are allowed.`,
        )
      const expiresAtMs = message.createdAtMs + KEEP_TRYING_MS
      await writer.insert({ ...message, attempts: 0, sizeBytes, expiresAtMs })
    },

    /** Resolves when nothing waits in the channel and its next message would be sent at once, or when the signal aborts. */
    async whenClear(channel: string, signal: AbortSignal): Promise<void> {
      while (!isClear(channel) && !signal.aborted) await clearings.wait(channel, signal)
    },

    /** What is under way may still arrive. */
    forgetChannel(channel: string): void {
      const queue = queues.get(channel)
      if (!queue) return
      queue.isGone = true
      queues.delete(channel)
      ready.delete(queue)
      queue.pause?.abort()
      clearings.resolve(channel)
    },

    /** A dead one, or a delivered one that is kept, waits again, behind the others, for another day. */
    revive(channel: string, id: string): Promise<boolean> {
      // Behind what is still to be written of its delivery; there is a queue while there is any such.
      const owner = queues.get(channel)?.accountId ?? channel
      return writer.revive(owner, channel, id)
    },

    /** Resolves when everything that was told up to now is on disk, or was given up. */
    flush: () => writer.flush(),
    waitingIn: (channel: string): Pick<ChannelQueue, 'count' | 'nextAttemptAtMs' | 'trouble'> => {
      const { count = 0, nextAttemptAtMs = null, trouble = null } = queues.get(channel) ?? {}
      return { count, nextAttemptAtMs, trouble }
    },
    waitingInAll: (): number => [...queues.values()].reduce((sum, { count }) => sum + count, 0),

    async close(): Promise<void> {
      isClosing = true
      ready.clear()
      for (const { pause } of queues.values()) pause?.abort()
      const patience = new AbortController()
      await Promise.race([Promise.all(underWay.values()), clock.sleep(CLOSE_WITHIN_MS, patience.signal)])
      patience.abort()
      await sender.close()
      await Promise.all(underWay.values())
      await writer.close()
    },
  }
}
