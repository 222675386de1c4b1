import { createAlertEventStore } from '../../src/alerts/alert-events.store.ts'
import { createAlerts } from '../../src/alerts/alerts.module.ts'
import { createEventPictureFiles } from '../../src/alerts/event-picture-files.ts'
import { type Account } from '../../src/core/account.ts'
import { createBus } from '../../src/core/bus.ts'
import { systemClock } from '../../src/core/clock.ts'
import { type AppEvents } from '../../src/core/events.ts'
import { type OwnNode } from '../../src/core/own-node.ts'
import { type TakenProcesses } from '../../src/core/taken-processes.ts'
import { createDelivery } from '../../src/delivery/delivery.module.ts'
import { createLog } from '../../src/observe/log.ts'
import { createMetrics } from '../../src/observe/metrics.ts'
import { createSourceStore } from '../../src/sources/sources.store.ts'
import { type Job } from '../../src/storage/jobs.store.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { createWebhooks } from '../../src/webhooks/webhooks.module.ts'
import { aTrack, sceneAt } from '../builders/alerts.ts'
import { ownRights } from '../builders/own-rights.ts'
import { diskOnly } from '../builders/disk-only.ts'
import { contactDeps } from './contact-deps.ts'

/** What notifies, with the real delivery, on a database and a data folder; the one process is the test's. */
export interface NotifyingService {
  readonly webhooks: ReturnType<typeof createWebhooks>['service']
  readonly alerts: ReturnType<typeof createAlerts>['service']
  see(takenAtMs: number, trackIds: readonly number[]): void
  /** Sends what came of its processes since it took them up, as it does every few seconds. */
  sweep(): Promise<void>
  close(): Promise<void>
}

export interface NotifyingServiceOptions {
  readonly databaseUrl: string
  readonly dataDir: string
  readonly process: { readonly processId: string; readonly accountId: string; readonly sourceId: string }
  /** One of several; else it is alone. */
  readonly node?: OwnNode
  /** What it takes up at its start; everything unless said otherwise. */
  readonly takes?: TakenProcesses
}

export async function startNotifyingService(options: NotifyingServiceOptions): Promise<NotifyingService> {
  const { databaseUrl, dataDir, node = null, takes = { ids: 'all' } } = options
  const log = createLog({ level: 'silent' })
  const database = openDatabase(databaseUrl)
  const bus = createBus<AppEvents>((error) => {
    throw error
  })
  const passes: (() => unknown)[] = []
  const delivery = createDelivery({
    options: { dataDir, outbound: { deny: [], allow: [] }, authOrigins: [], instanceId: 'test' },
    db: database.db,
    node,
    bus,
    budget: { onPass: (handler) => void passes.push(() => handler(undefined)) },
    metrics: createMetrics(),
    mayCallThisMachine: async () => true,
    ...contactDeps(database.db),
    clock: systemClock,
    log,
  })
  const process = { ...options.process, sourceUrl: 'rtsp://x', isReported: false }
  const { processId } = process
  const isTaken = takes.ids === 'all' || takes.ids.includes(processId)
  const processes = {
    checkLive: async () => {},
    find: async () => ({ state: 'running', stopReason: null, error: null }),
    listLiveIds: () => (isTaken ? [processId] : []),
    factsOf: () => ({
      ...process,
      sourceType: 'stream' as const,
      isTracking: true,
      keepsPictures: false,
      classes: null,
    }),
    send: () => {},
    relaunch: () => {},
  }
  const notified = {
    db: database.db,
    node,
    bus,
    delivery: delivery.service,
    processes,
    objectionTo: async () => undefined,
    links: { urlOf: () => 'http://service/link', isValid: () => false },
    owners: { resolve: async (caller: Account) => caller },
    clock: systemClock,
    log,
  }
  const places = diskOnly(dataDir)
  const eventPictures = createEventPictureFiles({
    dataDir,
    store: createAlertEventStore(database.db),
    places,
    room: { hasRoom: async () => true },
    clock: systemClock,
    log,
  })
  const webhooks = createWebhooks({ ...notified, options: { authOrigins: [] } })
  const alerts = createAlerts({
    ...notified,
    sources: createSourceStore(database.db),
    telemetry: { cfgOf: () => null },
    knownClasses: () => new Set(['person']),
    eventPictures,
    places,
    budget: { count() {} },
    fileRemoval: { async removeHere() {}, async leaveTo() {} },
    rights: ownRights,
    findAccount: async () => {},
  })
  await delivery.restore()
  for (const feature of [delivery, webhooks, alerts]) await feature.restoreProcesses(takes)
  for (const feature of [webhooks, alerts]) await feature.takeUpProcesses(takes)
  for (const pass of passes) await pass()
  return {
    webhooks: webhooks.service,
    alerts: alerts.service,
    see(takenAtMs, trackIds) {
      const tracks = trackIds.map((id) => aTrack(id, [0.5, 0.5]))
      bus.emit('scene', { process, scene: sceneAt(takenAtMs, tracks) })
    },
    async sweep() {
      for (const job of delivery.jobs) await job.handle({} as Job, new AbortController().signal)
    },
    async close() {
      for (const feature of [alerts, webhooks, delivery]) await feature.close()
      await database.close()
    },
  }
}
