import { join } from 'node:path'
import { type Bus } from '../core/bus.ts'
import { type Contact } from '../core/contact.ts'
import { type Delivery } from '../core/delivery.ts'
import { type AppEvents } from '../core/events.ts'
import { type DeliveryStanding } from '../core/outbound-message.ts'
import { type OwnNode } from '../core/own-node.ts'
import { type TakenProcesses } from '../core/taken-processes.ts'
import { type Log } from '../observe/log.ts'
import { type Metrics } from '../observe/metrics.ts'
import { createSharedResolver, type SharedResolver } from '../outbound/resolve.ts'
import { type Db } from '../storage/database.ts'
import { type DiskBudget } from '../storage/disk-budget.ts'
import { type JobKind } from '../storage/job-kind.ts'
import { createBacklogStore } from './backlog.store.ts'
import { deliveryChannels } from './delivery.channels.ts'
import { createDurableNotifier } from './durable-notifier.ts'
import { createEntryStore } from './entries.store.ts'
import { SPOOLED_MESSAGES } from './intake.ts'
import { createOutboxStore } from './outbox.store.ts'
import { createOutbox, type Outbox } from './outbox.ts'
import { createProgressWriter } from './progress-writer.ts'
import { createSenders, type SendersDeps } from './senders.ts'
import { createSettledSweep } from './settled-sweep.ts'
import { createSpool, type Spool } from './spool.ts'
import { createSpooledWriter, type DrainedWriter } from './spooled-writer.ts'

export interface DeliveryDeps extends Omit<SendersDeps, 'resolver'> {
  readonly options: SendersDeps['options'] & { readonly dataDir: string }
  readonly db: Db
  readonly node: OwnNode | null
  readonly bus: Bus<AppEvents>
  readonly budget: Pick<DiskBudget, 'onPass'>
  readonly metrics: Metrics
  readonly log: Log
  readonly resolver?: SharedResolver
}

const SWEEP_EVERY_MS = 10_000

export function createDelivery(deps: DeliveryDeps) {
  const { options, db, node, bus, budget, metrics, clock, log, resolver = createSharedResolver() } = deps
  const backlog = createBacklogStore(db, node)
  const entries = createEntryStore(db)
  const sweep = createSettledSweep(entries, clock)
  const totals = { delivered: 0, dead: 0, dropped: 0 }
  const spool = createSpool({ path: join(options.dataDir, 'delivery.spool'), clock, log })
  budget.onPass(() => spool.fill())
  const spooledWriters: Pick<DrainedWriter<unknown>, 'start' | 'whenEmpty'>[] = []
  const closing = new AbortController()
  const sender = createSenders({ ...deps, resolver })
  const outbox = createOutbox({
    store: createOutboxStore(db),
    backlog,
    spool,
    sender,
    onSettled(channel, state, count) {
      sweep.onSettled(channel)
      totals[state] += count
    },
    clock,
    log,
  })
  addGauges(metrics, outbox, spool, totals)

  function backlogOf(channel: string): Omit<DeliveryStanding, 'lastDeliveredAtMs'> {
    const { count: waiting, nextAttemptAtMs, trouble } = outbox.waitingIn(channel)
    return { waiting, nextAttemptAtMs, trouble }
  }

  async function drop(channel: string): Promise<void> {
    await outbox.flush(channel)
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
    createSpooledWriter(options) {
      const writer = createSpooledWriter(options, { spool, clock, log, closing: closing.signal })
      spooledWriters.push(writer)
      return writer
    },
    leave: (message) => outbox.leave(message),
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
  const jobs: readonly JobKind[] = [
    {
      kind: 'delivery-sweep',
      everyMs: SWEEP_EVERY_MS,
      async handle() {
        await sweep.run()
        if (node) await outbox.takeUpStrays()
      },
    },
  ]

  return {
    service: delivery,
    /** To a contact, now; rejects with a sentence where it did not arrive, and resolves with one on those of several who do not have it. */
    sendTest: (contact: Contact): Promise<string | null> => sender.sendTest(contact),
    channels: deliveryChannels,
    jobs,
    /** What an earlier service left in the spool goes to the database, also of processes that another node has by now. */
    async restore(): Promise<void> {
      await spool.open()
      await outbox.start()
      for (const writer of spooledWriters) writer.start()
    },
    /** Takes up what waits of them, ahead of anything new. */
    restoreProcesses: (taken: TakenProcesses): Promise<void> => outbox.takeUp(taken),
    /** After everybody who writes of them has let them go: all of it is in the database then. */
    async handOverProcesses(processIds: readonly string[]): Promise<void> {
      await Promise.all(spooledWriters.map((writer) => writer.whenEmpty()))
      await outbox.handOver(processIds)
    },
    async close(): Promise<void> {
      closing.abort()
      await outbox.close()
      await spool.close()
    },
  }
}

function addGauges(
  metrics: Metrics,
  outbox: Pick<Outbox, 'waitingInAll'>,
  spool: Pick<Spool, 'countOf'>,
  totals: Readonly<Record<'delivered' | 'dead' | 'dropped', number>>,
): void {
  metrics.addGauge({
    name: 'aerie_deliveries_waiting',
    help: 'Messages to receivers and brokers that wait in the outbox.',
    labels: [],
    read: () => [{ labels: {}, value: outbox.waitingInAll() }],
  })
  metrics.addGauge({
    name: 'aerie_deliveries_spooled',
    help: 'Messages that wait in the spool because the database does not take them.',
    labels: [],
    read: () => [{ labels: {}, value: spool.countOf(SPOOLED_MESSAGES) }],
  })
  metrics.addGauge({
    name: 'aerie_deliveries_settled',
    help: 'Messages that left the outbox since the start, by what became of them.',
    labels: ['outcome'],
    read: () => Object.entries(totals).map(([outcome, value]) => ({ labels: { outcome }, value })),
  })
}
