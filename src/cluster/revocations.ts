import { z } from 'zod'
import { type Bus } from '../core/bus.ts'
import { type Clock } from '../core/clock.ts'
import { dropOldest } from '../core/drop-oldest.ts'
import { type AppEvents } from '../core/events.ts'
import { type Log } from '../observe/log.ts'
import { type Topic } from '../core/node-exchange.ts'
import { type Exchange } from './exchange.ts'
import { type Revocation, type RevocationStore } from './revocations.store.ts'

/**
 * A key that was revoked at one node has no rights at any: each lets its own features handle it. It is published to the others, which poll
 * the database every few seconds in case that was lost.
 */
export interface Revocations {
  start(): void
  /** Resolves when what is being handled has ended. */
  close(): Promise<void>
}

export interface RevocationsDeps {
  readonly exchange: Pick<Exchange, 'publish' | 'subscribe'>
  readonly store: RevocationStore
  readonly bus: Bus<AppEvents>
  readonly clock: Clock
  readonly log: Log
}

const POLL_EVERY_MS = 5_000
/** As far as the clocks of two nodes may be apart (`exchange.ts`), and as long as what was begun may take to be committed. */
const OVERLAP_MS = 2 * 60_000
/** What came longer ago is not handled again. One that is forgotten too early is handled twice, which does no harm. */
const MAX_HANDLED = 10_000

const revoked: Topic<Revocation> = {
  name: 'key-revoked',
  schema: z.object({ accountId: z.string().max(100), username: z.string().max(300), purge: z.boolean() }),
}

export function createRevocations({ exchange, store, bus, clock, log }: RevocationsDeps): Revocations {
  const closing = new AbortController()
  /** By account: whether it was purged too. */
  const handled = new Map<string, boolean>()
  /** What others have published, for our own features: it is not published again. */
  const fromOthers = new WeakSet<object>()
  let waking = new AbortController()
  let received: Revocation[] = []
  let pollFrom = clock.now() - OVERLAP_MS
  let polledAt = -Infinity
  let isFailing = false
  let running: Promise<void> | undefined

  function isHandled({ accountId, purge }: Revocation): boolean {
    const wasPurged = handled.get(accountId)
    return wasPurged !== undefined && (wasPurged || !purge)
  }

  function note({ accountId, purge }: Revocation): void {
    const wasPurged = handled.get(accountId) ?? false
    handled.delete(accountId)
    handled.set(accountId, purge || wasPurged)
    dropOldest(handled, MAX_HANDLED)
  }

  /** What fails is in the log by then, and is found again by polling. */
  async function handle(revocation: Revocation): Promise<void> {
    if (isHandled(revocation)) return
    const event = { ...revocation }
    fromOthers.add(event)
    await bus.deliver('key-revoked', event)
    note(revocation)
  }

  /** One that fails keeps none of the others. */
  async function handleAll(revocations: readonly Revocation[]): Promise<void> {
    const failures: unknown[] = []
    for (const revocation of revocations) {
      if (closing.signal.aborted) return
      await handle(revocation).catch((error: unknown) => failures.push(error))
    }
    if (failures.length > 0) throw failures[0]
  }

  async function poll(): Promise<void> {
    const startedAt = clock.now()
    await handleAll(await store.listSince(pollFrom))
    pollFrom = startedAt - OVERLAP_MS
  }

  async function work(): Promise<void> {
    const now = received
    received = []
    try {
      await handleAll(now)
      if (clock.steady() - polledAt >= POLL_EVERY_MS) {
        polledAt = clock.steady()
        await poll()
      }
      isFailing = false
    } catch (error) {
      if (!isFailing) log.warn({ err: error }, 'revoked keys could not be handled; trying again')
      isFailing = true
    }
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      // Made before working, so that being woken meanwhile is not lost.
      waking = new AbortController()
      await work()
      if (received.length > 0 || closing.signal.aborted) continue
      await clock.sleep(Math.max(0, polledAt + POLL_EVERY_MS - clock.steady()), waking.signal)
    }
  }

  bus.on('key-revoked', (event) => {
    if (fromOthers.has(event)) return
    const { accountId, username } = event
    // Rows go once, by whoever was asked; when they are gone, each node removes what is left of them on its machine.
    const revocation = { accountId, username, purge: false }
    note(revocation)
    exchange.publish(revoked, revocation)
  })
  bus.on('key-purged', ({ accountId, username }) => {
    const revocation = { accountId, username, purge: true }
    note(revocation)
    exchange.publish(revoked, revocation)
  })
  exchange.subscribe(revoked, (revocation) => {
    // What is too much is found by polling.
    if (received.length < MAX_HANDLED) received.push(revocation)
    waking.abort()
  })

  return {
    start: () => void (running ??= run()),
    async close() {
      closing.abort()
      waking.abort()
      await running
    },
  }
}
