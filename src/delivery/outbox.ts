import { type Clock } from '../core/clock.ts'
import { isSettledWithin } from '../core/deadline.ts'
import { UnacceptableError } from '../core/delivery.ts'
import { type OutboundMessage } from '../core/outbound-message.ts'
import { type TakenProcesses } from '../core/taken-processes.ts'
import { type Log } from '../observe/log.ts'
import { type BacklogStore } from './backlog.store.ts'
import { createChannelDelivery } from './channel-delivery.ts'
import { type ChannelQueue, take } from './channel-queue.ts'
import { createIntake } from './intake.ts'
import { createOutboxChannels } from './outbox-channels.ts'
import { createOutboxTransfer } from './outbox-transfer.ts'
import { type Sender } from './message.ts'
import { createOutboxWriter } from './outbox-writer.ts'
import { type OutboxStore } from './outbox.store.ts'
import { createOverflow, DEFAULT_OUTBOX_LIMITS, type OutboxLimits } from './overflow.ts'
import { type Spool } from './spool.ts'
import { type WaitingMessage } from './waiting-message.ts'

export interface OutboxDeps {
  readonly store: OutboxStore
  readonly backlog: BacklogStore
  /** Where messages wait that the database does not take at the moment. */
  readonly spool: Spool
  readonly sender: Sender
  /** So many messages of this channel came to their end. */
  readonly onSettled?: (channel: string, state: 'delivered' | 'dead' | 'dropped', count: number) => void
  readonly limits?: OutboxLimits
  readonly clock: Clock
  readonly log: Log
}

const CLOSE_TIMEOUT_MS = 2_000

export type Outbox = ReturnType<typeof createOutbox>

/**
 * Keeps messages to others until they have arrived. A message is on disk before `send` resolves; channels go on side by
 * side, each in its order, one message at a time.
 *
 *   send ─▶ disk ─▶ under way ─▶ delivered
 *    │        ▲         │ failed ─▶ the channel waits, longer each time
 *    │        ├─────────┴ a day old ─▶ dead (may be sent again)      too many wait ─▶ the oldest are dropped
 *    └ spool ─┘ while the database is away
 *
 * A channel whose messages are spaced waits after every answer, also after a failure and across a restart.
 */
export function createOutbox(deps: OutboxDeps) {
  const { store, backlog, spool, sender, onSettled = () => {}, limits = DEFAULT_OUTBOX_LIMITS, clock, log } = deps
  const closing = new AbortController()
  const writer = createOutboxWriter({ store, onTaken, onRevived, clock, log })
  const intake = createIntake({ writer, spool, clock, log, closing: closing.signal })
  const { deliverNext } = createChannelDelivery({
    sender,
    backlog,
    writer,
    onSettled,
    onWritten: (queue) => {
      if (queue.count === 0 || queue.isHeld) channels.wake(queue)
    },
    clock,
    log,
    closing: closing.signal,
  })
  const channels = createOutboxChannels({ deliverNext, clock, closing: closing.signal })
  const overflow = createOverflow({
    queues: channels.queues,
    backlog,
    limits,
    clock,
    log,
    onDropped(queue, count) {
      onSettled(queue.name, 'dropped', count)
      channels.wake(queue)
    },
  })

  async function onTaken(messages: readonly WaitingMessage[]): Promise<void> {
    const grown = new Set<ChannelQueue>()
    for (const message of messages.filter(isSentHere)) {
      const queue = channels.queueOf(message)
      take(queue, message)
      grown.add(queue)
    }
    await overflow.keepWithinLimits(grown)
    for (const queue of grown) channels.wake(queue)
  }

  /**
   * What an earlier service left is written, whoever's its process is by now. Of one that was not taken up here it is sent
   * by the node that has the process, or by us when we take that up.
   */
  const isSentHere = ({ id, processId }: WaitingMessage) =>
    processId === null || !intake.isLeft(id) || transfer.isTaken(processId)

  function onRevived(message: WaitingMessage): void {
    const queue = channels.queueOf(message)
    take(queue, message)
    // The caller believes that the receiver is back.
    queue.pause?.abort()
    channels.wake(queue)
  }

  /** Of what is still to be written of a channel; there is a queue while there is any such. */
  const ownerOf = (channel: string) => channels.queues.get(channel)?.accountId ?? channel

  const transfer = createOutboxTransfer({ store, backlog, writer, channels, clock })

  return {
    /** New messages stand behind what is there, of whichever processes, and behind what there is in the spool. */
    async start(): Promise<void> {
      writer.standBehind(await store.lastPosition('all'))
      intake.start()
    },
    takeUp: (taken: TakenProcesses): Promise<void> => transfer.takeUp(taken),
    takeUpStrays: (): Promise<void> => transfer.takeUpStrays(),
    async handOver(processIds: readonly string[]): Promise<void> {
      await intake.whenSpoolIsEmpty()
      await transfer.handOver(processIds)
    },

    /** Resolves when it is on disk. */
    async send(message: OutboundMessage): Promise<void> {
      checkSize(message, limits)
      await intake.take(message)
    },

    /** Likewise; it is sent by whoever has its process. */
    async leave(message: OutboundMessage): Promise<void> {
      checkSize(message, limits)
      await intake.leave(message)
    },

    /** A dead one, or a delivered one that is kept, waits again, behind the others, for another day. */
    revive(channel: string, id: string): Promise<boolean> {
      // Behind what is still to be written of its delivery.
      return writer.revive(ownerOf(channel), channel, id)
    },

    /**
     * Resolves when everything that was sent up to now, or to this channel, is in the database, or was given up; rejects when
     * that is away.
     */
    async flush(channel?: string): Promise<void> {
      await intake.flush(channel)
      await writer.flush(channel === undefined ? undefined : ownerOf(channel))
    },
    whenClear: (channel: string, signal: AbortSignal) => whenClear({ intake, channels }, channel, signal),
    forgetChannel: (channel: string) => channels.forget(channel),
    waitingIn(channel: string): ReturnType<typeof channels.waitingIn> {
      const waiting = channels.waitingIn(channel)
      return { ...waiting, count: waiting.count + intake.countIn(channel) }
    },
    waitingInAll: channels.waitingInAll,

    async close(): Promise<void> {
      closing.abort()
      await isSettledWithin(channels.whenIdle(), CLOSE_TIMEOUT_MS, clock)
      await sender.close()
      await channels.whenIdle()
      await writer.close()
    },
  }
}

function checkSize({ body }: OutboundMessage, { messageBytes }: Pick<OutboxLimits, 'messageBytes'>): void {
  const sizeBytes = Buffer.byteLength(body)
  if (sizeBytes > messageBytes)
    throw new UnacceptableError(`A message of ${sizeBytes} bytes is too large to be sent; ${messageBytes} are allowed.`)
}

interface ChannelParts {
  readonly intake: Pick<ReturnType<typeof createIntake>, 'whenTaken' | 'countIn'>
  readonly channels: Pick<ReturnType<typeof createOutboxChannels>, 'whenClear'>
}

async function whenClear({ intake, channels }: ChannelParts, channel: string, signal: AbortSignal): Promise<void> {
  do {
    await intake.whenTaken(channel, signal)
    await channels.whenClear(channel, signal)
  } while (intake.countIn(channel) > 0 && !signal.aborted)
}
