import { type Bus } from '../core/bus.ts'
import { type Clock } from '../core/clock.ts'
import { type AppEvents } from '../core/events.ts'
import { type LivePublisher } from '../core/live-publishing.ts'
import { type ProcessRef } from '../core/process-facts.ts'
import { type NodeExchange } from '../core/node-exchange.ts'
import { type OwnNode } from '../core/own-node.ts'
import { isTaken, type TakenProcesses } from '../core/taken-processes.ts'
import { createTurns } from '../core/turns.ts'
import { type Log } from '../observe/log.ts'
import { type Db } from '../storage/database.ts'
import { type JobKind } from '../storage/job-kind.ts'
import { createAccountAlerts } from './account-alerts.ts'
import { alertChannels } from './alerts.channels.ts'
import { type AlertRouteDeps, alertRoutes } from './alerts.routes.ts'
import { createAlertsOnNodes } from './alerts-on-nodes.ts'
import { type AlertDeps, type AlertService, createAlertService } from './alerts.service.ts'
import { createAlertStore } from './alerts.store.ts'
import { type AlertEventDeps, createAlertEvents } from './alert-events.ts'
import { type Delivery } from '../core/delivery.ts'
import { alertDescriptionRoutes } from './descriptions.routes.ts'
import { createEngine } from './engine.ts'
import { createLeftNotifications, isRemoved } from './left-notifications.ts'
import { oneAlertRoutes } from './one-alert.routes.ts'
import { createOneOffs } from './one-offs.ts'
import { oneOffsNaming } from './one-offs-naming.ts'
import { createProcessAlerts } from './process-alerts.ts'
import { type ScenePipeline } from './process-run.ts'
import { createSequenceStore } from './sequences.store.ts'
import { createSourceAliases, type SourceAliases } from './source-aliases.ts'
import { createSpooledSequences, type SpooledSequences } from './spooled-sequences.ts'

export interface AlertsDeps
  extends Pick<LivePublisher, 'publishNotification'>, Omit<AlertEventDeps, 'delivery' | 'sceneOf' | 'bus'> {
  readonly db: Db
  readonly node: OwnNode | null
  /** With the other nodes of a cluster. */
  readonly exchange?: NodeExchange | null | undefined
  readonly bus: Bus<AppEvents>
  readonly delivery: Pick<
    Delivery,
    'createDurableNotifier' | 'createProgressWriter' | 'createSpooledWriter' | 'leave' | 'drop' | 'backlogOf'
  >
  readonly processes: AlertDeps['processes'] & {
    listLiveIds(): string[]
    /** To the worker of a process. */
    send(processId: string, command: SceneCommand): void
  }
  readonly sources: SourceAliases
  readonly telemetry: AlertDeps['telemetry']
  readonly objectionTo: AlertDeps['objectionTo']
  readonly knownClasses: AlertDeps['knownClasses']
  readonly owners: AlertRouteDeps['owners']
  readonly clock: Clock
  readonly log: Log
}

/** Pictures of whole scenes: whether any may be asked for, and one that is. */
type SceneCommand =
  | { readonly type: 'scene-pictures'; readonly isWanted: boolean }
  | { readonly type: 'scene-picture'; readonly trackId: number | null; readonly takenAtMs: number }

const HOUR_MS = 3_600_000
/** Deliveries are given up after a day. */
const KEEP_SEQUENCES_MS = 25 * HOUR_MS

/** Everything about alerts: what is looked for, and who is notified. */
export function createAlerts(deps: AlertsDeps) {
  const { db, bus, delivery, processes, telemetry, objectionTo, knownClasses, owners, clock, log } = deps
  const store = createAlertStore(db)
  const sequenceStore = createSequenceStore(db, deps.node)
  const sources = createSourceAliases(deps.sources, clock)
  const sequences: SpooledSequences = createSpooledSequences(sequenceStore, delivery, {
    isOneOfSeveral: deps.node !== null,
    onLeft: (left) => sendLeft(left),
  })
  const oneOffs = createOneOffs()
  const accountAlerts = createAccountAlerts({ store, oneOffs })
  const turns = createTurns()
  const pipelineOf = (processId: string) => createScenePipeline(processId, processes)
  const events = createAlertEvents({ ...deps, sceneOf: (...scene) => engine.sceneOf(...scene) })
  const { record } = events
  const sendLeft = createLeftNotifications({ ...deps, store, sequences, sources, record })
  const engine = createEngine({ ...deps, record, sequences, sources, pipelineOf })
  const shared = { store, sequences, oneOffs, engine, delivery, turns, processes, clock, log }
  const listHere = (accountId: string) => service.listActive({ id: accountId })
  const onNodes = createAlertsOnNodes({ ...shared, db, node: deps.node, exchange: deps.exchange, listHere })
  const { elsewhere } = onNodes
  const broadcast: AlertDeps['broadcast'] = (change) => onNodes.broadcast(change)
  const service: AlertService = createAlertService({
    ...shared,
    broadcast,
    elsewhere,
    accountAlerts,
    telemetry,
    objectionTo,
    knownClasses,
  })

  async function close({ processId, accountId }: ProcessRef): Promise<void> {
    await turns.take(accountId, async () => {
      await engine.close(processId, 'process-ended')
      oneOffs.removeAllAt(processId)
      sequences.close(processId)
      await sequenceStore.endProcess(processId, clock.now())
    })
  }

  const processAlerts = createProcessAlerts({ engine, accountAlerts, sequences, sources, turns, clock, log })

  bus.on('process-state', async (change) => {
    const { state, previousState, isLive } = change
    if (!isLive) return close(change)
    // The next flight; its pipeline is launched now.
    if (state === 'starting' && previousState === 'waiting') return processAlerts.renew(change)
    if (state === 'starting' || state === 'stopping') return
    const opened = processAlerts.open(change)
    engine.setSeeing(change.processId, state === 'running')
    await opened
    if (engine.noteRestarts(change.processId, change.restarts)) await processAlerts.renew(change)
  })
  bus.on('scene', ({ process, scene }) => engine.onScene(process.processId, scene))
  bus.on('track-pictures', ({ process, pictures }) => engine.onPictures(process.processId, pictures))
  bus.on('scene-picture', ({ processId, picture }) => engine.onScenePicture(processId, picture))
  bus.on('key-revoked', async ({ accountId, purge }) => {
    if (!purge) return
    await store.removeAllOf(accountId)
    await events.removeAllOf(accountId)
  })

  const jobs: readonly JobKind[] = [
    {
      kind: 'alert-sequence-retention',
      everyMs: HOUR_MS,
      handle: () => sequenceStore.removeEndedBefore(clock.now() - KEEP_SEQUENCES_MS),
    },
    events.job,
  ]

  return {
    service,
    /** What holds a contact beside registered alerts. */
    oneOffsNaming: (accountId: string, contactId: string) =>
      oneOffsNaming(accountId, contactId, { oneOffs, elsewhere }),
    routes: [
      alertDescriptionRoutes(),
      alertRoutes({ alerts: service, elsewhere, owners }),
      oneAlertRoutes(service, elsewhere),
      events.routes,
    ],
    channels: alertChannels,
    jobs,
    /** Before processes come back: a crash left something on, and what was found to wait. */
    async restoreProcesses({ ids }: TakenProcesses): Promise<void> {
      await sequences.takeOver(ids)
      for (const { alertId, progress } of await sequences.listProgress(ids)) {
        if (await isRemoved(alertId, progress, store)) await sequences.saveProgress(alertId, progress.process, null)
        else engine.restore(alertId, progress)
      }
    },
    /** Opens those that have come back. */
    async takeUpProcesses({ ids }: TakenProcesses): Promise<void> {
      const isAmong = isTaken(ids)
      const live = processes.listLiveIds().filter(isAmong)
      await sequenceStore.endAllBut(ids, live, clock.now())
      await Promise.all(
        live.flatMap((processId) => processes.factsOf(processId) ?? []).map((facts) => processAlerts.open(facts)),
      )
      await engine.flushUnclaimed()
      sequences.closeAllBut(ids, processes.listLiveIds())
    },
    /** One-off alerts end, as by a restart. */
    async handOverProcesses(processIds: readonly string[]): Promise<void> {
      for (const processId of processIds) {
        await engine.handOver(processId)
        oneOffs.removeAllAt(processId)
        sequences.close(processId)
      }
    },
    start: async () => onNodes.start(),
    /** Resolves when the last notifications are on disk. */
    async close() {
      await Promise.all([engine.closeAll(), onNodes.close()])
      await events.close()
    },
  }
}

function createScenePipeline(
  processId: string,
  processes: Pick<AlertsDeps['processes'], 'factsOf' | 'send'>,
): ScenePipeline {
  return {
    keepsPictures: () => processes.factsOf(processId)?.keepsPictures ?? false,
    setWanted: (isWanted) => processes.send(processId, { type: 'scene-pictures', isWanted }),
    request: (trackId, takenAtMs) => processes.send(processId, { type: 'scene-picture', trackId, takenAtMs }),
  }
}
