import { isSettledWithin } from '../core/deadline.ts'
import { type OutboundMessage } from '../core/outbound-message.ts'
import { DatabaseAway } from '../core/outages.ts'
import { createChannelClearings } from './channel-clearings.ts'
import { type OutboxWriter } from './outbox-writer.ts'
import { KEEP_TRYING_MS } from './retry-policy.ts'
import { createSpooledWriter, type SpooledWriterDeps } from './spooled-writer.ts'

/** How messages come into the outbox: by the database, or by the spool while that is away. */
export interface Intake {
  /** What an earlier service left in the spool goes into the outbox, ahead of anything new. */
  start(): void
  /** Whether an earlier service left this one, and it is not in the outbox yet: its process may be another node's. */
  isLeft(id: string): boolean
  /** Resolves when nothing is in the spool, or when the service ends. */
  whenSpoolIsEmpty(): Promise<void>
  /** Resolves when it is on disk. */
  take(message: OutboundMessage): Promise<void>
  /** The same for what is made of what an earlier service left. */
  leave(message: OutboundMessage): Promise<void>
  /** How many of a channel are not in the outbox yet. */
  countIn(channel: string): number
  /** Resolves when there are none, or when the signal aborts. */
  whenTaken(channel: string, signal: AbortSignal): Promise<void>
  /** Resolves when all that was sent up to now, or of this channel, is in the outbox, or was refused; rejects when the database does not take it. */
  flush(channel?: string): Promise<void>
}

export interface IntakeDeps extends SpooledWriterDeps {
  readonly writer: Pick<OutboxWriter, 'insert'>
}

export const SPOOLED_MESSAGES = 'message'
const MAX_FLUSH_MS = 5_000
/** The writer makes several transactions of them; what leaves the spool costs one flush for all. */
const MAX_AT_ONCE = 1_000

export function createIntake({ writer, ...deps }: IntakeDeps): Intake {
  /** Ids of what was sent and is not in the outbox, by channel. */
  const expected = new Map<string, Set<string>>()
  /** Of these, what an earlier service left. */
  const left = new Set<string>()
  /** One of them was taken, or given up. */
  const changes = createChannelClearings()
  const spooled = createSpooledWriter<OutboundMessage>(
    { kind: SPOOLED_MESSAGES, save, onLost: forget, maxAtOnce: MAX_AT_ONCE },
    deps,
  )

  function note({ channel, id }: OutboundMessage): void {
    expected.set(channel, (expected.get(channel) ?? new Set()).add(id))
  }

  function forget({ channel, id }: OutboundMessage): void {
    left.delete(id)
    const own = expected.get(channel)
    if (!own?.delete(id)) return
    if (own.size === 0) expected.delete(channel)
    changes.resolve(channel)
  }

  async function whenTaken(channel: string, signal: AbortSignal): Promise<void> {
    while (expected.has(channel) && !signal.aborted) await changes.wait(channel, signal)
  }

  /** Not until nothing is left: a busy channel may always have something newer. */
  async function whenNewestTaken(channel: string, signal: AbortSignal): Promise<void> {
    const newest = [...expected.get(channel)!].at(-1)!
    while (expected.get(channel)?.has(newest) && !signal.aborted) await changes.wait(channel, signal)
  }

  async function save(messages: ReadonlyMap<string, OutboundMessage>): Promise<void> {
    // To the last one: nothing newer may come to the database while one of them is under way.
    const outcomes = await Promise.allSettled([...messages.values()].map(insert))
    const failure = outcomes.find((outcome) => outcome.status === 'rejected')
    if (failure) throw failure.reason
  }

  async function insert(message: OutboundMessage): Promise<void> {
    const sizeBytes = Buffer.byteLength(message.body)
    // Older versions did not say of which process it is.
    const { processId = null } = message as Partial<OutboundMessage>
    await writer.insert({
      ...message,
      processId,
      attempts: 0,
      sizeBytes,
      expiresAtMs: message.createdAtMs + KEEP_TRYING_MS,
    })
    forget(message)
  }

  async function take(message: OutboundMessage): Promise<void> {
    note(message)
    try {
      await spooled.write(new Map([[message.id, message]]), () => message.accountId)
    } catch (error) {
      forget(message)
      throw error
    }
  }

  return {
    start() {
      for (const message of spooled.waiting().values()) {
        note(message)
        left.add(message.id)
      }
      spooled.start()
    },
    isLeft: (id) => left.has(id),
    whenSpoolIsEmpty: () => spooled.whenEmpty(),
    take,
    leave(message) {
      left.add(message.id)
      return take(message)
    },
    countIn: (channel) => expected.get(channel)?.size ?? 0,
    whenTaken,
    async flush(channel) {
      const leaving = new AbortController()
      const flushed = [...expected.keys()].filter((name) => channel === undefined || name === channel)
      const taken = Promise.all(flushed.map((name) => whenNewestTaken(name, leaving.signal)))
      const areTaken = await isSettledWithin(taken, MAX_FLUSH_MS, deps.clock)
      leaving.abort()
      if (!areTaken) throw new DatabaseAway(new Error('messages wait for it'))
    },
  }
}
