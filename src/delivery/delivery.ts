import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Resolve, resolveByDns } from '../core/allowed-addresses.ts'
import { type Bus } from '../core/bus.ts'
import { type Clock } from '../core/clock.ts'
import { type AppEvents } from '../core/events.ts'
import { createOutboundPolicy } from '../core/outbound.ts'
import { type Page } from '../core/page.ts'
import { type Log } from '../observe/log.ts'
import { type Metrics } from '../observe/metrics.ts'
import { type Db } from '../storage/database.ts'
import { type JobKind } from '../storage/job-runner.ts'
import { createBearerTokens } from './bearer-tokens.ts'
import { createDial } from './dial.ts'
import { createEntryStore, type EntryQuery } from './entries.store.ts'
import { createHttpCaller } from './http-call.ts'
import { type OutboundMessage, type OutboxEntry, type Sender } from './message.ts'
import { createMqttSender } from './mqtt-sender.ts'
import { createOutbox } from './outbox.ts'
import { createOutboxStore } from './outbox.store.ts'
import { createWebhookSender } from './webhook-sender.ts'

/** Tells others, for sure: whatever was taken arrives at least once, each channel in its order. */
export interface Delivery {
  /** Resolves when it is on disk. The same id again is the same message, and is not taken twice. */
  send(message: OutboundMessage): Promise<void>
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

export interface DeliveryDeps {
  readonly options: {
    readonly outbound: { readonly deny: readonly string[]; readonly allow: readonly string[] }
    /** Tells this installation from others, in the topic of its availability. */
    readonly instanceId: string
  }
  readonly db: Db
  readonly bus: Bus<AppEvents>
  readonly metrics: Metrics
  readonly clock: Clock
  readonly log: Log
  readonly resolve?: Resolve
}

const DAY_MS = 86_400_000
const SWEEP_EVERY_MS = 10_000
/** What is settled stays listed for this long, and of each channel only so many. */
const KEEP_MS = 7 * DAY_MS
const KEEP = { delivered: 100, dead: 1_000, dropped: 100 } as const

export function createDelivery({ options, db, bus, metrics, clock, log, resolve = resolveByDns }: DeliveryDeps) {
  const store = createOutboxStore(db)
  const entries = createEntryStore(db)
  const dial = createDial(createOutboundPolicy(options.outbound), resolve)
  const http = createHttpCaller({ dial })
  const senders: Readonly<Record<OutboundMessage['destination']['kind'], Sender>> = {
    webhook: createWebhookSender({ http, tokens: createBearerTokens(http, clock), clock }),
    mqtt: createMqttSender({ dial, availabilityTopic: `aerie/${options.instanceId}/availability`, clock }),
  }
  /** Channels in which something was settled since the last sweep; undefined before the first. */
  let settled: Set<string> | undefined
  const totals = { delivered: 0, dead: 0, dropped: 0 }
  const outbox = createOutbox({
    store,
    sender: {
      send: (message) => senders[message.destination.kind].send(message),
      close: async () => void (await Promise.all(Object.values(senders).map((sender) => sender.close()))),
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
    delivery,
    jobs,
    /** Takes up what waited when the service ended. */
    start: () => outbox.start(),
    close: () => outbox.close(),
  }
}
