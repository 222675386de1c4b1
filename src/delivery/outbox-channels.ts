import { type Clock } from '../core/clock.ts'
import { type ChannelOwner } from './backlog.store.ts'
import { createChannelClearings } from './channel-clearings.ts'
import { type ChannelQueue, createChannelQueue } from './channel-queue.ts'
import { createChannelScheduler } from './channel-scheduler.ts'

export interface OutboxChannelsDeps {
  /** Sends the next message of a channel. Answers for how long the channel has to wait, if at all. Never rejects. */
  readonly deliverNext: (queue: ChannelQueue) => Promise<number | undefined>
  readonly clock: Clock
  /** Aborts when nothing more is to be sent. */
  readonly closing: AbortSignal
}

/** With redirects and a login an attempt may take minutes; whoever goes on with the process does not wait for that. */
const ATTEMPT_ENDS_WITHIN_MS = 2_000

export type OutboxChannels = ReturnType<typeof createOutboxChannels>

/**
 * All channels in which something waits, is under way, or was sent just now. A channel sends one message at a time; after
 * a failure, and where its messages are spaced, it pauses first.
 *
 *   idle ─▶ ready ─▶ busy ─▶ paused ─▶ ready
 *             ▲        └─▶ ready, or idle when nothing is left
 *             └ a message was added
 */
export function createOutboxChannels({ deliverNext, clock, closing }: OutboxChannelsDeps) {
  const queues = new Map<string, ChannelQueue>()
  const clearings = createChannelClearings()
  /** Of those that are held: nothing of them is under way, and what has arrived is written. */
  const rests = createChannelClearings()
  /** Whether one that is new is held. */
  let isHeldFor = (_queue: Pick<ChannelQueue, 'processId'>) => false
  const scheduler = createChannelScheduler({
    async run(queue) {
      const waitMs = await deliverNext(queue)
      if (waitMs !== undefined) pause(queue, waitMs)
    },
    onDone: wake,
  })
  closing.addEventListener('abort', () => {
    scheduler.clear()
    for (const queue of queues.values()) queue.pause?.abort()
  })

  /** Its next message is sent, if there is one and it may go now. */
  function wake(queue: ChannelQueue): void {
    if (queue.isHeld) return rests.resolve(queue.name)
    if (closing.aborted || queue.isGone || queue.isBusy || queue.isDropping || queue.pause) return
    // Again after each wait: a timer may fire a part of a millisecond early, and a wait may have been cut short.
    const spacingMs = queue.notBeforeMs - clock.steady()
    if (spacingMs > 0) return pause(queue, Math.ceil(spacingMs))
    if (queue.count > 0) return scheduler.add(queue)
    if (queue.unwritten.size === 0) queues.delete(queue.name)
    clearings.resolve(queue.name)
  }

  function pause(queue: ChannelQueue, waitMs: number): void {
    const ending = new AbortController()
    queue.pause = ending
    queue.nextAttemptAtMs = clock.now() + waitMs
    void clock.sleep(waitMs, ending.signal).then(() => {
      queue.pause = undefined
      queue.nextAttemptAtMs = null
      wake(queue)
    })
  }

  async function rest(queue: ChannelQueue): Promise<void> {
    queue.isHeld = true
    scheduler.remove(queue)
    queue.pause?.abort()
    const resting = new AbortController()
    void endAttempt(queue, resting.signal)
    while ((queue.isBusy || queue.unwritten.size > 0) && !closing.aborted) await rests.wait(queue.name, closing)
    resting.abort()
  }

  async function endAttempt(queue: ChannelQueue, rested: AbortSignal): Promise<void> {
    await clock.sleep(ATTEMPT_ENDS_WITHIN_MS, rested)
    if (!rested.aborted) queue.attempt?.abort()
  }

  function isClear(channel: string): boolean {
    const queue = queues.get(channel)
    return !queue || (queue.count === 0 && !queue.isBusy && !queue.pause)
  }

  return {
    queues: queues as ReadonlyMap<string, ChannelQueue>,
    /** Makes it if there is none yet. */
    queueOf(owner: ChannelOwner): ChannelQueue {
      const known = queues.get(owner.channel)
      if (known) return known
      const queue = createChannelQueue(owner)
      queue.isHeld = isHeldFor(owner)
      queues.set(owner.channel, queue)
      return queue
    },
    wake,
    /**
     * Resolves when nothing is under way of these, and what has arrived is written; nothing sets out, also of new ones, until they are
     * released. An attempt that takes long is ended.
     */
    async hold(isAmong: (queue: Pick<ChannelQueue, 'processId'>) => boolean): Promise<void> {
      isHeldFor = isAmong
      await Promise.all([...queues.values()].filter(isAmong).map(rest))
    },
    /** All that are held. */
    release(): void {
      isHeldFor = () => false
      for (const queue of [...queues.values()].filter(({ isHeld }) => isHeld)) {
        queue.isHeld = false
        wake(queue)
      }
    },
    /** Resolves when nothing waits in the channel and its next message would be sent at once, or when the signal aborts. */
    async whenClear(channel: string, signal: AbortSignal): Promise<void> {
      while (!isClear(channel) && !signal.aborted) await clearings.wait(channel, signal)
    },
    /** What is under way may still arrive. */
    forget(channel: string): void {
      const queue = queues.get(channel)
      if (!queue) return
      queue.isGone = true
      queues.delete(channel)
      scheduler.remove(queue)
      queue.pause?.abort()
      clearings.resolve(channel)
    },
    waitingIn: (channel: string): Pick<ChannelQueue, 'count' | 'nextAttemptAtMs' | 'trouble'> => {
      const { count = 0, nextAttemptAtMs = null, trouble = null } = queues.get(channel) ?? {}
      return { count, nextAttemptAtMs, trouble }
    },
    waitingInAll: (): number => [...queues.values()].reduce((sum, { count }) => sum + count, 0),
    /** Resolves when everything that is under way now has ended. */
    whenIdle: () => scheduler.whenIdle(),
  }
}
