import { type Bus } from '../core/bus.ts'
import { type Clock } from '../core/clock.ts'
import { type Delivery } from '../core/delivery.ts'
import { type AppEvents } from '../core/events.ts'
import { type OutboundLists } from '../core/check-hosts.ts'
import { type DeliveryStanding, type OutboundMessage } from '../core/outbound-message.ts'
import { type Log } from '../observe/log.ts'
import { type Metrics } from '../observe/metrics.ts'
import { createOutboundPolicy } from '../outbound/policy.ts'
import { createSharedResolver, type SharedResolver } from '../outbound/resolve.ts'
import { type Db } from '../storage/database.ts'
import { type JobKind } from '../storage/job-kind.ts'
import { createAddressLookup } from './address-lookup.ts'
import { createBacklogStore } from './backlog.store.ts'
import { createBearerTokens } from './bearer-tokens.ts'
import { deliveryChannels } from './delivery.channels.ts'
import { createDurableNotifier } from './durable-notifier.ts'
import { createEntryStore } from './entries.store.ts'
import { createHttpCaller } from './http-call.ts'
import { type Sender } from './message.ts'
import { createMqttSender } from './mqtt-sender.ts'
import { createOutboxStore } from './outbox.store.ts'
import { createOutbox } from './outbox.ts'
import { createProgressWriter } from './progress-writer.ts'
import { createSettledSweep } from './settled-sweep.ts'
import { createWebhookSender } from './webhook-sender.ts'

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
