import { type ChannelQueue } from './channel-queue.ts'

/** Runs the channels that have something to send: in turns, many at once, and no account more than its part of them. */
export interface ChannelScheduler {
  /** The next message of this channel may be sent, as soon as its turn comes. */
  add(queue: ChannelQueue): void
  remove(queue: ChannelQueue): void
  /** Nothing is started any more. */
  clear(): void
  /** Resolves when everything that is under way now has ended. */
  whenIdle(): Promise<void>
}

export interface ChannelSchedulerDeps {
  /** Sends one message of a channel, which is busy meanwhile. Never rejects. */
  readonly run: (queue: ChannelQueue) => Promise<void>
  /** It is not busy any more. */
  readonly onDone: (queue: ChannelQueue) => void
}

/** Messages under way at once; a receiver that never answers takes one of these for as long as we wait. */
const MAX_UNDER_WAY = 256
const MAX_UNDER_WAY_OF_ACCOUNT = 64

export function createChannelScheduler({ run, onDone }: ChannelSchedulerDeps): ChannelScheduler {
  /** In the order in which their turn comes. */
  const ready = new Set<ChannelQueue>()
  const underWay = new Map<ChannelQueue, Promise<void>>()
  const busyByAccount = new Map<string, number>()

  function startReady(): void {
    for (const queue of ready) {
      if (underWay.size >= MAX_UNDER_WAY) return
      const busy = busyByAccount.get(queue.accountId) ?? 0
      if (busy >= MAX_UNDER_WAY_OF_ACCOUNT) continue
      ready.delete(queue)
      queue.isBusy = true
      busyByAccount.set(queue.accountId, busy + 1)
      underWay.set(
        queue,
        run(queue).finally(() => end(queue)),
      )
    }
  }

  function end(queue: ChannelQueue): void {
    underWay.delete(queue)
    queue.isBusy = false
    const left = busyByAccount.get(queue.accountId)! - 1
    if (left > 0) busyByAccount.set(queue.accountId, left)
    else busyByAccount.delete(queue.accountId)
    onDone(queue)
    startReady()
  }

  return {
    add(queue) {
      ready.add(queue)
      startReady()
    },
    remove: (queue) => void ready.delete(queue),
    clear: () => ready.clear(),
    async whenIdle() {
      await Promise.all(underWay.values())
    },
  }
}
