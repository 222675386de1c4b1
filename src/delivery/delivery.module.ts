import { type Bus } from '../core/bus.ts'
import { type Clock } from '../core/clock.ts'
import { type DeliveryEntry, type DeliveryQuery, type DeliveryStanding } from '../core/delivery-entry.ts'
import { type DurableNotifier, type NotifierSource } from '../core/durable-notifier.ts'
import { type AppEvents } from '../core/events.ts'
import { type OutboundLists } from '../core/outbound-lists.ts'
import { type OutboundMessage } from '../core/outbound-message.ts'
import { type Page } from '../core/page.ts'
import { type ProgressWriter, type ProgressWriterOptions } from '../core/progress-writer.ts'
import { type Log } from '../observe/log.ts'
import { type Metrics } from '../observe/metrics.ts'
import { createOutboundPolicy } from '../outbound/policy.ts'
import { createSharedResolver, type SharedResolver } from '../outbound/resolve.ts'
import { type Db } from '../storage/database.ts'
import { type JobKind } from '../storage/job-kind.ts'
import { createBacklogStore } from './backlog.store.ts'
import { createBearerTokens } from './bearer-tokens.ts'
import { deliveryChannels } from './delivery.channels.ts'
import { createAddressLookup } from './address-lookup.ts'
import { createDurableNotifier } from './durable-notifier.ts'
import { createEntryStore } from './entries.store.ts'
import { createHttpCaller } from './http-call.ts'
import { type Sender } from './message.ts'
import { createMqttSender } from './mqtt-sender.ts'
import { createOutbox } from './outbox.ts'
import { createOutboxStore } from './outbox.store.ts'
import { createProgressWriter } from './progress-writer.ts'
import { createSettledSweep } from './settled-sweep.ts'
import { createWebhookSender } from './webhook-sender.ts'

/** Sends messages to others, for sure: whatever was taken arrives at least once, each channel in its order. */
export interface Delivery {
  /** Hands over what a source has, in its order, until it is on disk. */
  createDurableNotifier<Item>(source: NotifierSource<Item, OutboundMessage>): DurableNotifier
  /** Writes down how far sources have come. */
  createProgressWriter<Progress>(options: ProgressWriterOptions<Progress>): ProgressWriter<Progress>
  /** Resolves when nothing waits in the channel and its next message would be sent at once, or when the signal aborts. */
  whenClear(channel: string, signal: AbortSignal): Promise<void>
  /** Everything that waits under this channel is dropped, and what is kept to be listed. */
  drop(channel: string): Promise<void>
  /** Newest first. */
  list(channel: string | readonly string[], query?: Partial<DeliveryQuery>): Promise<Page<DeliveryEntry>>
  find(channel: string, id: string): Promise<DeliveryEntry | undefined>
  /** What waits in a channel, and why the last attempt came to nothing; known without a look into the database. */
  backlogOf(channel: string): Omit<DeliveryStanding, 'lastDeliveredAtMs'>
  /** How it stands with channels: what waits, when it is tried next, when something last arrived. */
  standing(channels: readonly string[]): Promise<ReadonlyMap<string, DeliveryStanding>>
  /** A dead one, or a delivered one whose text is kept, waits again for another day, with its id. False when there is none. */
  resend(channel: string, id: string): Promise<boolean>
}

type Senders = Readonly<Record<OutboundMessage['destination']['kind'], Sender>>

export interface DeliveryDeps {
  readonly options: {
    readonly outbound: OutboundLists
    /** Web origins that may be logged in to for receivers of other origins. */
    readonly authOrigins: readonly string[]
    /** Identifies this installation in the topic of its availability. */
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

const SWEEP_EVERY_MS = 10_000

export function createDelivery(deps: DeliveryDeps) {
  const { options, db, bus, metrics, clock, log, resolver = createSharedResolver() } = deps
  const backlog = createBacklogStore(db)
  const entries = createEntryStore(db)
  const createSenders = (mayCallThisMachine: boolean): Senders => {
    const policy = createOutboundPolicy({ ...options.outbound, mayCallThisMachine, mediaPorts: [] })
    const lookUp = createAddressLookup(policy, (accountId) => resolver.for(accountId))
    const http = createHttpCaller({ lookUp })
    const mayLogIn = (authUrl: URL, receiver: URL) =>
      mayCallThisMachine || authUrl.origin === receiver.origin || options.authOrigins.includes(authUrl.origin)
    return {
      webhook: createWebhookSender({ http, tokens: createBearerTokens(http, clock), mayLogIn, clock }),
      mqtt: createMqttSender({ lookUp, availabilityTopic: `aerie/${options.instanceId}/availability`, clock }),
    }
  }
  // Connections are used again by others: only by those who might have made them themselves.
  const senders = { masters: createSenders(true), children: createSenders(false) }
  const sweep = createSettledSweep(entries, clock)
  const totals = { delivered: 0, dead: 0, dropped: 0 }
  const outbox = createOutbox({
    store: createOutboxStore(db),
    backlog,
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
      sweep.onSettled(channel)
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

  function backlogOf(channel: string): Omit<DeliveryStanding, 'lastDeliveredAtMs'> {
    const { count: waiting, nextAttemptAtMs, trouble } = outbox.waitingIn(channel)
    return { waiting, nextAttemptAtMs, trouble }
  }

  async function drop(channel: string): Promise<void> {
    await outbox.flush()
    outbox.forgetChannel(channel)
    await backlog.remove(channel)
  }

  bus.on('key-revoked', async ({ accountId, purge }) => {
    if (!purge) return
    await outbox.flush()
    for (const channel of await entries.channelsOf(accountId)) await drop(channel)
  })

  const delivery: Delivery = {
    createDurableNotifier: (source) =>
      createDurableNotifier(source, { send: (message) => outbox.send(message), clock }),
    createProgressWriter: (options) => createProgressWriter(options, clock),
    whenClear: (channel, signal) => outbox.whenClear(channel, signal),
    drop,
    list: (channel, { limit = 100, cursor, state } = {}) =>
      entries.list(typeof channel === 'string' ? [channel] : channel, { limit, cursor, state }),
    find: (channel, id) => entries.find(channel, id),
    backlogOf,
    async standing(channels) {
      const last = await entries.lastDeliveries(channels)
      return new Map(
        channels.map((channel) => {
          return [channel, { ...backlogOf(channel), lastDeliveredAtMs: last.get(channel) ?? null }]
        }),
      )
    },
    resend: (channel, id) => outbox.revive(channel, id),
  }
  const jobs: readonly JobKind[] = [{ kind: 'delivery-sweep', everyMs: SWEEP_EVERY_MS, handle: () => sweep.run() }]

  return {
    service: delivery,
    channels: deliveryChannels,
    jobs,
    /** Takes up what waited when the service ended. */
    restore: () => outbox.start(),
    close: () => outbox.close(),
  }
}
