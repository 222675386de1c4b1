import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Bus } from '../core/bus.ts'
import { type Clock } from '../core/clock.ts'
import { type DurableNotifier, type NotifierSource } from '../core/durable-notifier.ts'
import { type AppEvents } from '../core/events.ts'
import { type OutboundLists } from '../core/outbound-lists.ts'
import { type Page } from '../core/page.ts'
import { type ProgressWriter, type ProgressWriterOptions } from '../core/progress-writer.ts'
import { type Log } from '../observe/log.ts'
import { type Metrics } from '../observe/metrics.ts'
import { createOutboundPolicy } from '../outbound/policy.ts'
import { createSharedResolver, type SharedResolver } from '../outbound/resolve.ts'
import { type Db } from '../storage/database.ts'
import { type JobKind } from '../storage/job-runner.ts'
import { createBearerTokens } from './bearer-tokens.ts'
import { deliveryChannels } from './delivery.channels.ts'
import { createDial } from './dial.ts'
import { createDurableNotifier } from './durable-notifier.ts'
import { createEntryStore, type EntryQuery } from './entries.store.ts'
import { createHttpCaller } from './http-call.ts'
import { type OutboundMessage, type OutboxEntry, type Sender } from './message.ts'
import { createMqttSender } from './mqtt-sender.ts'
import { createOutbox } from './outbox.ts'
import { createOutboxStore } from './outbox.store.ts'
import { createProgressWriter } from './progress-writer.ts'
import { createWebhookSender } from './webhook-sender.ts'

/** Tells others, for sure: whatever was taken arrives at least once, each channel in its order. */
export interface Delivery {
  /** Resolves when it is on disk. The same id again is the same message, and is not taken twice. */
  send(message: OutboundMessage): Promise<void>
  /** Hands over what a source has, in its order, until it is on disk. */
  createNotifier<Item>(source: NotifierSource<Item, OutboundMessage>): DurableNotifier
  /** Writes down how far sources have come. */
  createProgressWriter<Progress>(options: ProgressWriterOptions<Progress>): ProgressWriter<Progress>
  /** Resolves when nothing waits in the channel and its next message would be sent at once, or when the signal aborts. */
  whenClear(channel: string, signal: AbortSignal): Promise<void>
  /** Everything that waits under this channel is dropped; with `'all'`, also what is kept to be listed. */
  drop(channel: string, what?: 'waiting' | 'all'): Promise<void>
  /** Newest first. */
  list(channel: string | readonly string[], query?: Partial<EntryQuery>): Promise<Page<OutboxEntry>>
  find(channel: string, id: string): Promise<OutboxEntry | undefined>
  /** How it stands with channels: what waits, when it is tried next, when something last arrived. */
  standing(channels: readonly string[]): Promise<ReadonlyMap<string, Standing>>
  /** A dead one, or a delivered one whose text is kept, waits again for another day, with its id. False when there is none. */
  resend(channel: string, id: string): Promise<boolean>
}

export interface Standing {
  readonly waiting: number
  readonly nextAttemptAtMs: number | null
  /** Why the last attempt came to nothing; null after one that arrived. */
  readonly trouble: string | null
  readonly lastDeliveredAtMs: number | null
}

type Senders = Readonly<Record<OutboundMessage['destination']['kind'], Sender>>

export interface DeliveryDeps {
  readonly options: {
    readonly outbound: OutboundLists
    /** Web origins that may be logged in to for receivers of other origins. */
    readonly authOrigins: readonly string[]
    /** Tells this installation from others, in the topic of its availability. */
    readonly instanceId: string
  }
  readonly db: Db
  readonly bus: Bus<AppEvents>
  readonly metrics: Metrics
  readonly clock: Clock
  readonly log: Log
  /** Whether this account may have this machine itself called: a master may. */
  readonly mayCallThisMachine: (accountId: string) => Promise<boolean>
  readonly resolver?: SharedResolver
}

const DAY_MS = 86_400_000
const SWEEP_EVERY_MS = 10_000
/** What is settled stays listed for this long, and of each channel only so many. */
const KEEP_MS = 7 * DAY_MS
const KEEP = { delivered: 100, dead: 1_000, dropped: 100 } as const

export function createDelivery(deps: DeliveryDeps) {
  const { options, db, bus, metrics, clock, log, resolver = createSharedResolver() } = deps
  const store = createOutboxStore(db)
  const entries = createEntryStore(db)
  const createSenders = (mayCallThisMachine: boolean): Senders => {
    const policy = createOutboundPolicy({ ...options.outbound, mayCallThisMachine, mediaPorts: [] })
    const dial = createDial(policy, (accountId) => resolver.for(accountId))
    const http = createHttpCaller({ dial })
    const mayLogIn = (authUrl: URL, receiver: URL) =>
      mayCallThisMachine || authUrl.origin === receiver.origin || options.authOrigins.includes(authUrl.origin)
    return {
      webhook: createWebhookSender({ http, tokens: createBearerTokens(http, clock), mayLogIn, clock }),
      mqtt: createMqttSender({ dial, availabilityTopic: `aerie/${options.instanceId}/availability`, clock }),
    }
  }
  // Connections are used again by others: only by those who might have made them themselves.
  const senders = { masters: createSenders(true), children: createSenders(false) }
  /** Channels in which something was settled since the last sweep; undefined before the first. */
  let settled: Set<string> | undefined
  const totals = { delivered: 0, dead: 0, dropped: 0 }
  const outbox = createOutbox({
    store,
    sender: {
      async send(message) {
        const own = (await deps.mayCallThisMachine(message.accountId)) ? senders.masters : senders.children
        await own[message.destination.kind].send(message)
      },
      async close() {
        const all = Object.values(senders).flatMap((own) => Object.values(own))
        await Promise.all(all.map((sender) => sender.close()))
      },
    },
    onSettled(channel, state, count) {
      settled?.add(channel)
      totals[state] += count
    },
    clock,
    log,
  })
  metrics.addGauge({
    name: 'aerie_deliveries_waiting',
    help: 'Messages to receivers and brokers that wait in the outbox.',
    labels: [],
    read: () => [{ labels: {}, value: outbox.waitingInAll() }],
  })
  metrics.addGauge({
    name: 'aerie_deliveries_settled',
    help: 'Messages that left the outbox since the start, by what became of them.',
    labels: ['outcome'],
    read: () => Object.entries(totals).map(([outcome, value]) => ({ labels: { outcome }, value })),
  })

  async function drop(channel: string, what: 'waiting' | 'all' = 'waiting'): Promise<void> {
    await outbox.flush()
    outbox.forgetChannel(channel)
    await store.remove(channel, what)
  }

  async function sweep(): Promise<void> {
    const channels = settled ?? (await entries.settledChannels())
    settled = new Set()
    for (const channel of channels) {
      await entries.trim(channel, KEEP)
      // SQLite never waits by itself; others want their turn.
      await nextTurn()
    }
    await entries.removeSettledBefore(clock.now() - KEEP_MS)
  }

  bus.on('key-revoked', async ({ accountId, purge }) => {
    if (!purge) return
    await outbox.flush()
    for (const channel of await entries.channelsOf(accountId)) await drop(channel, 'all')
  })

  const delivery: Delivery = {
    send: (message) => outbox.send(message),
    createNotifier: (source) => createDurableNotifier(source, { send: (message) => outbox.send(message), clock }),
    createProgressWriter: (options) => createProgressWriter(options, clock),
    whenClear: (channel, signal) => outbox.whenClear(channel, signal),
    drop,
    list: (channel, { limit = 100, cursor, state } = {}) =>
      entries.list(typeof channel === 'string' ? [channel] : channel, { limit, cursor, state }),
    find: (channel, id) => entries.find(channel, id),
    async standing(channels) {
      const last = await entries.lastDeliveries(channels)
      return new Map(
        channels.map((channel) => {
          const { count: waiting, nextAttemptAtMs, trouble } = outbox.waitingIn(channel)
          return [channel, { waiting, nextAttemptAtMs, trouble, lastDeliveredAtMs: last.get(channel) ?? null }]
        }),
      )
    },
    resend: (channel, id) => outbox.revive(channel, id),
  }
  const jobs: readonly JobKind[] = [{ kind: 'delivery-sweep', everyMs: SWEEP_EVERY_MS, handle: sweep }]

  return {
    service: delivery,
    channels: deliveryChannels,
    jobs,
    /** Takes up what waited when the service ended. */
    restore: () => outbox.start(),
    close: () => outbox.close(),
  }
}
