import { type Clock } from '../core/clock.ts'
import { type DurableNotifier, type NotifierSource, UnacceptableError } from '../core/delivery.ts'

export interface DurableNotifierDeps<Message> {
  /** Resolves when it is on disk. The same id again is not taken twice. */
  readonly send: (message: Message) => Promise<void>
  readonly clock: Clock
}

const RETRY_MS = 1_000

export function createDurableNotifier<Item, Message extends { readonly id: string }>(
  source: NotifierSource<Item, Message>,
  { send, clock }: DurableNotifierDeps<Message>,
): DurableNotifier {
  const closing = new AbortController()
  /** Of those that go now, what the outbox has: when others of them failed, these are not sent again. */
  const takenIds = new Set<string>()
  let running: Promise<void> | undefined

  async function sendOne(message: Message): Promise<void> {
    try {
      await send(message)
    } catch (error) {
      if (!(error instanceof UnacceptableError)) throw error
      source.onRefused(error)
    }
    takenIds.add(message.id)
  }

  /** All at once: the outbox writes what comes together in one transaction, and in its order. */
  async function handOver(items: readonly Item[]): Promise<void> {
    if (source.prepare) await source.prepare(items)
    const left = items.flatMap((item) => source.messagesOf(item)).filter(({ id }) => !takenIds.has(id))
    const outcomes = await Promise.allSettled(left.map(sendOne))
    const failure = outcomes.find((outcome) => outcome.status === 'rejected')
    if (failure) throw failure.reason
    takenIds.clear()
  }

  async function run(): Promise<void> {
    while (source.isReady()) {
      if (source.awaitTurn) await source.awaitTurn()
      const items = source.next()
      try {
        await handOver(items)
        source.onTaken(items)
      } catch (error) {
        source.onFailure(error)
        if (closing.signal.aborted) {
          source.onGivenUp?.()
          break
        }
        await clock.sleep(RETRY_MS, closing.signal)
      }
    }
    running = undefined
    source.onIdle?.()
  }

  const flush = async () => running

  return {
    get isBusy() {
      return running !== undefined
    },
    wake() {
      if (source.isReady()) running ??= run()
    },
    flush,
    close() {
      closing.abort()
      return flush()
    },
  }
}
