import { type Clock } from '../core/clock.ts'
import { unlessAborted } from '../core/deadline.ts'
import { type Log } from '../observe/log.ts'
import { type BacklogStore } from './backlog.store.ts'
import { type ChannelQueue, forget, MAX_LOADED, MAX_LOADED_BYTES, putBack } from './channel-queue.ts'
import { NotDelivered, type Sender } from './message.ts'
import { type OutboxWriter } from './outbox-writer.ts'
import { type Delivered } from './outbox.store.ts'
import { waitAfter } from './retry-policy.ts'
import { type WaitingMessage } from './waiting-message.ts'

export interface ChannelDeliveryDeps {
  readonly sender: Pick<Sender, 'send'>
  readonly backlog: Pick<BacklogStore, 'load' | 'bury'>
  readonly writer: Pick<OutboxWriter, 'noteSent' | 'noteDelivered' | 'noteFailed'>
  readonly onSettled: (channel: string, state: 'delivered' | 'dead', count: number) => void
  /** That a message has arrived is written, or was given up. */
  readonly onWritten: (queue: ChannelQueue) => void
  readonly clock: Clock
  readonly log: Log
  /** Aborts when the service ends: from then on failures say nothing about receivers. */
  readonly closing: AbortSignal
}

/** Delivered by a channel and not yet written: as many may come twice after a crash. */
const MAX_UNWRITTEN = 16
/** What is larger is not kept once it has arrived; of what is, each channel keeps a hundred. */
const MAX_KEPT_BYTES = 64 << 10
const REWRITE_MS = 1_000

/** Sends the next message of a channel, and writes down what became of it. */
export function createChannelDelivery(deps: ChannelDeliveryDeps) {
  const { sender, backlog, writer, onSettled, onWritten, clock, log, closing } = deps

  /** Undefined when there is nothing to send. */
  async function takeNext(queue: ChannelQueue): Promise<WaitingMessage | undefined> {
    if (queue.messages.length === 0) await load(queue)
    return queue.isDropping || queue.isGone || queue.isHeld ? undefined : queue.messages.shift()
  }

  async function load(queue: ChannelQueue): Promise<void> {
    const dropped = (queue.droppedWhileLoading = new Set())
    const loaded = await backlog.load(queue.name, queue.loadedUpTo, MAX_LOADED, MAX_LOADED_BYTES)
    queue.droppedWhileLoading = undefined
    queue.messages = loaded.filter(({ id }) => !dropped.has(id))
    queue.loadedUpTo = loaded.at(-1)?.position ?? queue.loadedUpTo
    if (queue.failures === 0) queue.failures = loaded[0]?.attempts ?? 0
    // What was counted but is not there was removed behind our back.
    if (loaded.length === 0) queue.count = queue.bytes = 0
    // What was not counted but is there came from another node's spool.
    queue.count = Math.max(queue.count, loaded.length)
    queue.bytes = Math.max(
      queue.bytes,
      loaded.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    )
  }

  async function onDelivered(queue: ChannelQueue, message: WaitingMessage): Promise<void> {
    queue.notBeforeMs = clock.steady() + (message.spacingMs ?? 0)
    queue.failures = 0
    queue.trouble = null
    forget(queue, [message])
    onSettled(queue.name, 'delivered', 1)
    const isKept = message.destination.kind === 'webhook' && message.sizeBytes <= MAX_KEPT_BYTES
    const written = writeDelivered(queue, { id: message.id, attempts: message.attempts + 1, isKept })
    if (queue.unwritten.size >= MAX_UNWRITTEN) await written
  }

  /** Answers for how long the channel has to wait. */
  async function onFailure(queue: ChannelQueue, message: WaitingMessage, error: unknown): Promise<number> {
    queue.failures += 1
    putBack(queue, message)
    const sentence = (error as Error).message
    queue.trouble = sentence
    const { isUnsent = false, retryAfterMs } = error instanceof NotDelivered ? error : {}
    const spacingMs = isUnsent ? 0 : (message.spacingMs ?? 0)
    queue.notBeforeMs = clock.steady() + spacingMs
    const attempt = { id: message.id, attempts: message.attempts + 1, error: sentence, isUnsent }
    await tryToWrite(() => writer.noteFailed(queue.accountId, attempt))
    if (clock.now() >= message.expiresAtMs) {
      const dead = await backlog.bury(queue.name, clock.now())
      forget(queue, dead)
      onSettled(queue.name, 'dead', dead.length)
    }
    const retryMs = waitAfter({ kind: message.destination.kind, failures: queue.failures, retryAfterMs })
    const waitMs = Math.max(retryMs, spacingMs)
    log.debug({ err: error, channel: queue.name, wait_ms: waitMs }, 'not delivered')
    return waitMs
  }

  /** It goes all the same when that can't be written: then a restart may send the next one too early. */
  async function writeSent({ id, channel, accountId }: WaitingMessage): Promise<void> {
    const onError = (error: unknown) => log.error({ err: error, channel }, 'a sending was not written')
    await writer.noteSent(accountId, id).catch(onError)
  }

  async function writeDelivered(queue: ChannelQueue, attempt: Delivered): Promise<void> {
    queue.unwritten.add(attempt.id)
    while ((await tryToWrite(() => writer.noteDelivered(queue.accountId, attempt))) === 'try-again');
    queue.unwritten.delete(attempt.id)
    onWritten(queue)
  }

  /** What can't be written now is written later; what is never written arrives twice, as it may. */
  async function tryToWrite(write: () => Promise<void>): Promise<'done' | 'try-again'> {
    try {
      await write()
      return 'done'
    } catch (error) {
      log.error({ err: error }, 'a delivery could not be written')
      if (!closing.aborted) await clock.sleep(REWRITE_MS)
      return closing.aborted ? 'done' : 'try-again'
    }
  }

  async function deliver(queue: ChannelQueue): Promise<number | undefined> {
    const message = await takeNext(queue)
    if (!message) return undefined
    const { signal } = (queue.attempt = new AbortController())
    queue.underWay = message
    try {
      if (message.spacingMs) await writeSent(message)
      signal.throwIfAborted()
      await unlessAborted(sender.send(message, signal), signal)
    } catch (error) {
      queue.underWay = undefined
      // The receiver may have it; whoever sends it next sends it with the same id.
      if (signal.aborted) return void putBack(queue, message)
      return queue.isGone || closing.aborted ? undefined : onFailure(queue, message, error)
    }
    queue.underWay = undefined
    if (!queue.isGone) await onDelivered(queue, message)
    return undefined
  }

  return {
    /** Answers for how long the channel has to wait before its next message, if that is not sent at once. Never rejects. */
    deliverNext: (queue: ChannelQueue): Promise<number | undefined> =>
      deliver(queue).catch((error: unknown) => {
        log.debug({ err: error, channel: queue.name }, 'not delivered')
        return REWRITE_MS
      }),
  }
}
