import { dirname } from 'node:path'
import { createAlertEventStore } from '../../src/alerts/alert-events.store.ts'
import { type Alert, type Setup } from '../../src/alerts/alert.ts'
import { createAlerts } from '../../src/alerts/alerts.module.ts'
import { type AlertChange } from '../../src/alerts/alerts.schema.ts'
import { createEventPictureFiles } from '../../src/alerts/event-picture-files.ts'
import { createEventLinks } from '../../src/core/event-links.ts'
import { type OutboundMessage } from '../../src/core/outbound-message.ts'
import { type Account } from '../../src/core/account.ts'
import { type Bus, createBus } from '../../src/core/bus.ts'
import { AppError } from '../../src/core/errors.ts'
import { type AppEvents } from '../../src/core/events.ts'
import { type NodeExchange } from '../../src/core/node-exchange.ts'
import { type OwnNode } from '../../src/core/own-node.ts'
import { type SceneTrack } from '../../src/core/scene.ts'
import { createLinkSigner } from '../../src/core/signed-token.ts'
import { type TakenProcesses } from '../../src/core/taken-processes.ts'
import { type TelemetryCfg } from '../../src/core/telemetry-cfg.ts'
import { createDurableNotifier } from '../../src/delivery/durable-notifier.ts'
import { createProgressWriter } from '../../src/delivery/progress-writer.ts'
import { createLog, type Log } from '../../src/observe/log.ts'
import { createSourceStore } from '../../src/sources/sources.store.ts'
import { createFileRemoval } from '../../src/storage/file-removal.ts'
import { addAccount } from '../builders/account.ts'
import { ownRights } from '../builders/own-rights.ts'
import { sceneAt } from '../builders/alerts.ts'
import { diskOnly } from '../builders/disk-only.ts'
import { aSource } from '../builders/source.ts'
import { createQuiescence } from './quiescence.ts'
import { createMigratedDatabase, type TestDatabase } from './databases.ts'
import { createFakeClock, type FakeClock } from '../builders/fake-clock.ts'

/** Two processes that a test lets run. */
export const [P, Q] = ['00000000-0000-7000-8000-00000000000a', '00000000-0000-7000-8000-00000000000b']
/** A source for each. */
export const [sourceId, otherSourceId] = [
  '00000000-0000-7000-9000-000000000001',
  '00000000-0000-7000-9000-000000000002',
]
const sourceOf = (processId: string) => (processId === P ? sourceId : otherSourceId)

type SentNotification = Readonly<Record<string, unknown>> & { readonly data: Readonly<Record<string, unknown>> }

/** Alerts on a real database, with processes, telemetry, clock and delivery that are the test's. */
export interface AlertRig {
  readonly database: TestDatabase
  readonly account: Account
  /** Of the pictures of events. */
  readonly dataDir: string
  readonly clock: FakeClock
  bus: Bus<AppEvents>
  alerts: ReturnType<typeof createAlerts>
  readonly sent: OutboundMessage[]
  readonly dropped: string[]
  readonly relaunched: string[]
  /** What was sent to workers. */
  readonly commands: object[]
  /** Why nothing arrives. */
  trouble: string | null
  readonly live: Map<string, { isTracking: boolean; keepsPictures: boolean; classes: readonly string[] | null }>
  telemetryCfg: TelemetryCfg | null
  /** So many writes fail, as those into a database that is away do. */
  failures: number
  dropFailures: number
  /** The service starts anew on the same database. */
  restart(): Promise<void>
  /** The same, but it takes up nothing by itself. */
  rebuild(): void
  /** It takes up these processes, of which those that are live come back. */
  takeUp(taken: TakenProcesses): Promise<void>
  brief(processId: string): {
    processId: string
    accountId: string
    sourceId: string
    sourceUrl: string
    isReported: boolean
  }
  /** A process comes into a state. */
  state(processId: string, name: string, change?: { restarts?: number; previousState?: string }): Promise<void>
  see(processId: string, takenAtMs: number, tracks: readonly SceneTrack[]): Promise<void>
  create(setup: Setup, status?: Alert['status'], sourceIds?: string[] | null): Promise<Alert>
  createOneOff(processId: string, setup: Setup): Promise<Alert>
  change(alertId: string, change: AlertChange, force?: boolean): Promise<Alert>
  /** Lets events reach the delivery. */
  settle(): Promise<void>
  notifications(): Promise<SentNotification[]>
  /** As `event P`. */
  events(): Promise<string[]>
}

/** Of one of several nodes, which have the database of the first of them. */
export interface AlertRigNode {
  readonly node: OwnNode
  readonly exchange: NodeExchange
  readonly first?: Pick<AlertRig, 'database' | 'account'>
}

export async function createAlertRig(at?: AlertRigNode): Promise<AlertRig> {
  const { database, account } = at?.first ?? (await createDatabase())
  const settle = createQuiescence(database.db)
  const rig: AlertRig = {
    database,
    account,
    dataDir: folderOf(database.url),
    clock: createFakeClock(),
    ...({} as Pick<AlertRig, 'bus' | 'alerts'>),
    sent: [],
    dropped: [],
    relaunched: [],
    commands: [],
    trouble: null,
    live: new Map(),
    telemetryCfg: null,
    failures: 0,
    dropFailures: 0,
    async restart() {
      build(rig, at)
      await rig.takeUp({ ids: 'all' })
    },
    rebuild: () => build(rig, at),
    async takeUp(taken) {
      await rig.alerts.restoreProcesses(taken)
      await rig.alerts.takeUpProcesses(taken)
    },
    brief: (processId) => ({
      processId,
      accountId: account.id,
      sourceId: sourceOf(processId),
      sourceUrl: 'rtsp://x',
      isReported: false,
    }),
    async state(processId, name, { restarts = 0, previousState = '' } = {}) {
      const isLive = !['stopped', 'finished', 'failed'].includes(name)
      if (!isLive) rig.live.delete(processId)
      else if (!rig.live.has(processId))
        rig.live.set(processId, { isTracking: true, keepsPictures: true, classes: null })
      const brief = rig.brief(processId)
      await rig.bus.deliver('process-state', {
        ...brief,
        state: name,
        previousState,
        isLive,
        reason: null,
        restarts,
      })
    },
    see: (processId, takenAtMs, tracks) =>
      rig.bus.deliver('scene', { process: rig.brief(processId), scene: sceneAt(takenAtMs, tracks) }),
    create: (setup, status = 'active', sourceIds = null) =>
      rig.alerts.service.create(account, { alias: 'yard', status, source_uuids: sourceIds, ...setup }),
    createOneOff: (processId, setup) =>
      rig.alerts.service.createOneOff(account, processId, { alias: 'once', status: 'active', ...setup }),
    change: (alertId, change, force = false) => rig.alerts.service.change(account, alertId, change, force),
    settle,
    async notifications() {
      await rig.settle()
      return rig.sent.map(({ body }) => JSON.parse(body) as SentNotification)
    },
    async events() {
      const notifications = await rig.notifications()
      return notifications.map(({ event, process_uuid: at }) => `${String(event)} ${at === P ? 'P' : 'Q'}`)
    },
  }
  build(rig, at)
  return rig
}

async function createDatabase(): Promise<Pick<AlertRig, 'database' | 'account'>> {
  const database = await createMigratedDatabase('sqlite')
  const { account } = await addAccount(database, { username: 'admin', minutes: 10 })
  const sources = createSourceStore(database.db)
  for (const [id, alias] of [
    [sourceId, 'yard camera'],
    [otherSourceId, 'gate camera'],
  ] as const)
    await sources.insertWithinLimits(account, aSource({ id, alias, accountId: account.id, mediaPath: null }))
  return { database, account }
}

/** Files go with the database. */
const folderOf = (url: string) => dirname(url.slice('sqlite:'.length))

function eventDepsOf({ database: { db }, dataDir, clock }: AlertRig, log: Log) {
  const places = diskOnly(dataDir)
  const store = createAlertEventStore(db)
  return {
    eventPictures: createEventPictureFiles({ dataDir, store, places, room: { hasRoom: async () => true }, clock, log }),
    places,
    budget: { count() {} },
    fileRemoval: createFileRemoval({ dataDir, jobStore: { add: async () => {} }, clock }),
    links: createEventLinks({
      signer: createLinkSigner('secret'),
      serviceUrl: () => 'http://service',
      validMs: 3_600_000,
      clock,
    }),
    rights: ownRights,
    findAccount: async () => {},
  }
}

function build(rig: AlertRig, at: AlertRigNode | undefined): void {
  const { database, account, live } = rig
  const log = createLog({ level: 'silent', write: () => {} })
  rig.bus = createBus<AppEvents>((error) => {
    throw error
  })
  let group: { readonly isLost: boolean } | undefined
  async function send(message: OutboundMessage): Promise<void> {
    // As the outbox does: what comes together is written together, and the same id is not taken twice.
    if (!group) setImmediate(() => (group = undefined))
    group ??= { isLost: rig.failures-- > 0 }
    if (group.isLost) throw new Error('no database')
    if (rig.sent.every(({ id }) => id !== message.id)) rig.sent.push(message)
  }
  const { clock } = rig
  rig.alerts = createAlerts({
    db: database.db,
    node: at?.node ?? null,
    exchange: at?.exchange,
    bus: rig.bus,
    delivery: {
      createDurableNotifier: (source) => createDurableNotifier(source, { send, clock }),
      createProgressWriter: (options) => createProgressWriter(options, clock),
      leave: send,
      createSpooledWriter: ({ save }) => ({ write: save, waiting: () => new Map() }),
      async drop(channel) {
        if (rig.dropFailures-- > 0) throw new Error('no database')
        rig.dropped.push(channel)
      },
      backlogOf: () => ({ waiting: 3, nextAttemptAtMs: null, trouble: rig.trouble }),
    },
    owners: { resolve: async (caller) => caller },
    objectionTo: async (_account, hostname) =>
      hostname === '169.254.169.254' ? 'may not be called; see AERIE_OUTBOUND_DENY' : undefined,
    processes: {
      async checkLive(_account, processId) {
        if (!live.has(processId)) throw new AppError('process-not-live', { process_uuid: processId, state: 'stopped' })
      },
      factsOf(processId) {
        const facts = live.get(processId)
        return (
          facts && { processId, accountId: account.id, sourceId: sourceOf(processId), sourceType: 'stream', ...facts }
        )
      },
      listLiveIds: () => [...live.keys()],
      send: (processId, command) => void rig.commands.push({ processId, ...command }),
      relaunch: (processId) => void rig.relaunched.push(processId),
    },
    sources: createSourceStore(database.db),
    telemetry: { cfgOf: () => rig.telemetryCfg },
    knownClasses: () => new Set(['person', 'car']),
    clock,
    log,
    ...eventDepsOf(rig, log),
  })
}
