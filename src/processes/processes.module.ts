import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { type Bus } from '../core/bus.ts'
import { type Clock } from '../core/clock.ts'
import { type AppEvents } from '../core/events.ts'
import { type InferenceProvider } from '../core/inference-provider.ts'
import { type ObjectSizes } from '../core/object-size.ts'
import { type NodeExchange } from '../core/node-exchange.ts'
import { type OwnNode } from '../core/own-node.ts'
import { type PictureLimit } from '../core/picture-limit.ts'
import { type LinkSigner } from '../core/signed-token.ts'
import { type TakenProcesses } from '../core/taken-processes.ts'
import { type VideoOutput } from '../core/video-output.ts'
import { type Log } from '../observe/log.ts'
import { type Metrics } from '../observe/metrics.ts'
import { type Db } from '../storage/database.ts'
import { type DiskBudget } from '../storage/disk-budget.ts'
import { type FilePlaces } from '../storage/object-store/file-places.ts'
import { type Streams } from '../streams/streams.module.ts'
import { type CapacityDeps, createCapacity } from './capacity.ts'
import { toAlertMessage } from './alert-message.ts'
import { withChargedEnds } from './charged-ends.ts'
import { chargingOnceUsed, type ProcessLedger } from './charging.ts'
import { createCrowding } from './crowding.ts'
import { createDescribeProcess, type DescribeProcessDeps } from './describe-process.ts'
import { createDetectionChannel } from './detection-channel.ts'
import { detectionRoutes } from './detection.routes.ts'
import { createInferenceTurns } from './inference-turns.ts'
import { type KeyWatchDeps } from './key-watch.ts'
import { addMinutesMetrics } from './minutes-metrics.ts'
import { createMinutesWatch } from './minutes-watch.ts'
import { createCostFinder, createModelSpeeds, createSpeedFinder } from './model-speeds.ts'
import { modelRoutes } from './models.routes.ts'
import { type ModelSummary } from './models.ts'
import { createWorkerLauncher } from './pipeline-worker.ts'
import { oneProcessRoutes } from './one-process.routes.ts'
import { type ProcessCluster } from './process-cluster.ts'
import { createProcessEndWriter } from './process-end-writer.ts'
import { createProcessEvents } from './process-events.ts'
import { createProcessLauncher, type ProcessLauncherDeps } from './process-launcher.ts'
import { type ProcessSources } from './process-source.ts'
import { createHealthOf, type ProcessHealthDeps } from './process-health.ts'
import { addProcessMetrics } from './process-metrics.ts'
import { createProcessRecovery } from './process-recovery.ts'
import { createProcessedVideo, type ProcessedVideo } from './processed-video.ts'
import { createProcessesElsewhere } from './processes-elsewhere.ts'
import { processedVideoRoutes } from './processed-video.routes.ts'
import { processChannels } from './processes.channels.ts'
import { processJobs } from './processes.jobs.ts'
import { type ProcessRouteDeps, processRoutes } from './processes.routes.ts'
import { createProcessService, type ProcessDeps, type ProcessService } from './processes.service.ts'
import { withAnnouncedStarts } from './announced-starts.ts'
import { createProcessStore, type ProcessStore } from './processes.store.ts'
import { createRunningCount } from './running-count.ts'
import { createSeenProcesses, type SeenProcessesDeps } from './seen-processes.ts'
import { createSourceUse } from './source-use.ts'
import { createStatusFeed } from './status-feed.ts'
import { createSupervisor, type Supervisor } from './supervisor.ts'
import { createTelemetryFeed, type TelemetryFeedDeps } from './telemetry-feed.ts'

export interface ProcessesOptions {
  readonly dataDir: string
  readonly maxPicture: PictureLimit
  readonly workerMemoryBytes: number
  readonly modelsDir?: string | undefined
  readonly inferenceThreads: number
  readonly provider: InferenceProvider
  readonly admit: ProcessDeps['admit']
  readonly reconnectMs: number | null
  readonly terrainDir?: string | undefined
  readonly sizes?: ObjectSizes | undefined
  /** The default one. */
  readonly model: string
}

export interface ProcessesDeps {
  readonly options: ProcessesOptions
  readonly db: Db
  readonly node: OwnNode | null
  /** Where this service has several nodes. */
  readonly cluster?: ProcessCluster | undefined
  /** With the other nodes of a cluster. */
  readonly exchange?: NodeExchange | null | undefined
  readonly bus: Bus<AppEvents>
  readonly streams: ProcessDeps['streams'] & ProcessLauncherDeps['streams'] & Pick<Streams, 'grant' | 'livePaths'>
  readonly sources: ProcessSources
  readonly ledger: ProcessLedger
  readonly accounts: KeyWatchDeps['accounts']
  /** Attached to processes. */
  readonly outputs: DescribeProcessDeps['outputs'] & {
    listVideos(processId: string): Promise<VideoOutput[]>
  }
  readonly telemetry: ProcessLauncherDeps['telemetry'] &
    ProcessRouteDeps['telemetry'] &
    DescribeProcessDeps['telemetry'] &
    ProcessHealthDeps['telemetry'] &
    TelemetryFeedDeps['telemetry']
  readonly models: readonly ModelSummary[]
  readonly owners: ProcessRouteDeps['owners']
  readonly rights: ProcessRouteDeps['rights'] & SeenProcessesDeps['rights']
  readonly outboundOf: ProcessLauncherDeps['outboundOf']
  readonly budget: DiskBudget
  readonly places: FilePlaces
  readonly usage: CapacityDeps['usage']
  readonly signer: LinkSigner
  readonly metrics: Metrics
  readonly clock: Clock
  readonly log: Log
}

function launcherOfWorkers(
  options: ProcessesDeps['options'],
  clock: Clock,
  log: Log,
): ReturnType<typeof createWorkerLauncher> {
  const { inferenceThreads, workerMemoryBytes: maxMemoryBytes } = options
  // As many models at once as there are cores for.
  const slots = Math.max(1, Math.floor(availableParallelism() / inferenceThreads))
  return createWorkerLauncher({ turns: createInferenceTurns({ slots, clock }), maxMemoryBytes, clock, log })
}

function addMetrics(
  minutes: Parameters<typeof addMinutesMetrics>[1],
  findLive: Supervisor['findLive'],
  shown: Parameters<typeof addProcessMetrics>[0],
): void {
  const { metrics, aliasOf } = shown
  addProcessMetrics(shown)
  addMinutesMetrics(metrics, minutes, (processId) => aliasOf(findLive(processId)?.process.sourceId ?? '') ?? '')
}

async function onKeyRevoked(
  { accountId, purge }: AppEvents['key-revoked'],
  deps: {
    service: ProcessService
    store: Pick<ProcessStore, 'removeAllOf'>
    video: Pick<ProcessedVideo, 'removeForgotten'>
  },
): Promise<void> {
  const { service, store, video } = deps
  await service.stopAll({ id: accountId }, 'key-revoked')
  if (!purge) return
  await store.removeAllOf(accountId)
  await video.removeForgotten()
}

function holdOutputs(processes: Pick<Supervisor, 'listLiveIds' | 'send'>, areHeld: boolean): void {
  for (const id of processes.listLiveIds()) processes.send(id, { type: 'hold-outputs', areHeld })
}

/** Everything about processes: which run, what they see, and their clients. */
export function createProcesses({
  options,
  db,
  node,
  cluster,
  exchange,
  bus,
  streams,
  sources,
  ledger,
  accounts,
  outputs,
  telemetry,
  models,
  outboundOf,
  budget,
  places,
  usage,
  signer,
  metrics,
  clock,
  log,
  ...access
}: ProcessesDeps) {
  const store = withAnnouncedStarts(createProcessStore(db, node), cluster)
  const findLive = (processId: string) => supervisor.findLive(processId)
  const listProcesses = () => supervisor.listLiveProcesses().map(({ process }) => process)
  const healthOf = createHealthOf({ findLive, telemetry, sources })
  const channel = createDetectionChannel(cluster)
  const statusFeed = createStatusFeed({ channel, listProcesses, healthOf, clock })
  const telemetryFeed = createTelemetryFeed({ channel, listProcesses, telemetry, clock })
  const { inferenceThreads, model: defaultModel, dataDir, admit } = options
  const modelCacheDir = join(dataDir, 'models')
  const speeds = createModelSpeeds(join(modelCacheDir, 'speeds.json'))
  const findSpeed = createSpeedFinder({ speeds, listProcesses, inferenceThreads, clock })
  const inferenceMsOf = createCostFinder({ speeds, findSpeed, models })
  const capacity = createCapacity({ usage, listProcesses, inferenceMsOf, clock })
  const events = createProcessEvents({ bus, channel, lookAt: statusFeed.look, speeds, inferenceThreads, clock, log })
  const chargedEnds = withChargedEnds({ store, ledger, clock })
  const supervisor = createSupervisor({
    ...events,
    options: { ...options, modelCacheDir, areOutputsHeld: () => cluster?.isWithinLease() === false },
    launch: launcherOfWorkers(options, clock, log),
    store: chargedEnds,
    ledger: chargingOnceUsed(ledger),
    grant: streams.grant,
    isPathLive: (path) => streams.livePaths.isLive(path),
    shortage: () => capacity.shortage,
    clock,
    log,
  })
  cluster?.onLeaseChange((isWithin) => holdOutputs(supervisor, !isWithin))
  const crowding = createCrowding({ capacity, processes: supervisor, clock })
  const video = createProcessedVideo({ dataDir, supervisor, store, accounts, budget, places, signer, clock, log })
  const launcher = createProcessLauncher({
    sources,
    streams,
    supervisor,
    telemetry,
    outboundOf,
    recordingsOf: (process) => video.recordings.outputsOf(process),
  })
  const ends = createProcessEndWriter({ store: chargedEnds, onState: events.onState, clock })
  const service = createProcessService({ store, streams, sources, supervisor, launcher, ends, capacity, admit, clock })
  const isHere = (processId: string) => findLive(processId) !== undefined
  const recovery = createProcessRecovery({ store, sources, outputs, launcher, ends, isHere, log })
  const aliasOf = (sourceId: string) => sources.aliasOf(sourceId)
  const countRunning = (accountIds: readonly string[]) => store.countRunning(accountIds)
  const countHere = () => supervisor.countRunning()
  const countAll = node ? () => store.countRunningInAll() : undefined
  const minutes = createMinutesWatch({ ledger, listProcesses, countRunning, onLow: events.onMinutesLow })
  addMetrics(minutes, findLive, { metrics, listProcesses, aliasOf, healthOf })
  sources.addUser(createSourceUse(listProcesses, healthOf, (id, url) => findLive(id)?.setSourceUrl(url)))
  streams.livePaths.onLive(({ path }) => supervisor.pathIsLive(path))
  bus.on('alert-event', (event) => channel.onAlert(toAlertMessage(event)))
  bus.on('key-revoked', (event) => onKeyRevoked(event, { service, store, video }))

  const statuses = { find: (processId: string, outputId: string) => findLive(processId)?.outputStatus(outputId) }
  const describe = createDescribeProcess({ outputs, statuses, telemetry, healthOf, aliasOf })
  const onNodes = { db, node, exchange, channel, processes: service, describe, findLive, clock, log }
  const { describeAll, stopAll, ...elsewhere } = createProcessesElsewhere(onNodes)
  const seen = createSeenProcesses({ processes: service, ...access })
  const offered = { models, defaultModel, ...access, seen }

  return {
    service,
    /** Live processes, and the way to their workers. */
    live: supervisor,
    /** By account, on all nodes. */
    countRunningOf: countRunning,
    /** On all nodes, of all accounts. */
    countRunningInAll: createRunningCount({ countHere, countAll, clock }),
    video,
    capacity,
    listWithAliases: () =>
      listProcesses().map((process) => ({ process, sourceAlias: aliasOf(process.sourceId) ?? null })),
    routes: [
      processRoutes({ ...offered, processes: { ...service, stopAll }, describeAll, telemetry, cluster }),
      oneProcessRoutes({ processes: service, describe, seen }),
      detectionRoutes({ processes: { ...supervisor, ...service }, channel, seen }),
      processedVideoRoutes({ links: video.links }),
      modelRoutes({ ...offered, speeds: { find: findSpeed } }),
    ],
    channels: processChannels,
    jobs: processJobs({ store, video, accounts, supervisor, service, minutes, clock }),
    start: async () => [statusFeed, telemetryFeed, crowding, elsewhere].forEach((watch) => watch.start()),
    /** Those that ran go on. */
    takeUpProcesses: (taken: TakenProcesses) => recovery.recover(taken),
    /** Ends the worker of one that is to go on elsewhere; false for one that stays. */
    leaveProcess: (processId: string) => service.handOver(processId),
    /** Its clients connect again. */
    dismissClients: (processId: string) => channel.onMoved(processId),
    /** Ends the workers and leaves the processes for the next start; subscribers still get their last messages. */
    async stop() {
      for (const feed of [statusFeed, telemetryFeed]) feed.close()
      crowding.stop()
      await Promise.all([supervisor.close(), elsewhere.close()])
    },
  }
}
