import { join } from 'node:path'
import { type Bus } from '../core/bus.ts'
import { type Clock } from '../core/clock.ts'
import { type AppEvents, type ProcessBrief } from '../core/events.ts'
import { type ObjectSizes } from '../core/object-size.ts'
import { type PictureLimit } from '../core/picture-limit.ts'
import { type LinkSigner } from '../core/signed-token.ts'
import { stillCounts } from '../core/still-counts.ts'
import { type VideoOutput } from '../core/video-output.ts'
import { type Log } from '../observe/log.ts'
import { type Metrics } from '../observe/metrics.ts'
import { type Db } from '../storage/database.ts'
import { type DiskBudget } from '../storage/disk-budget.ts'
import { type JobKind } from '../storage/job-runner.ts'
import { type Streams } from '../streams/streams.module.ts'
import { chargingOnceUsed, type ProcessLedger } from './charging.ts'
import { createDetectionChannel } from './detection-channel.ts'
import { detectionRoutes } from './detection.routes.ts'
import { createKeyWatch, type KeyWatchDeps } from './key-watch.ts'
import { createModelSpeeds, speedOf } from './model-speeds.ts'
import { modelRoutes } from './models.routes.ts'
import { type ModelSummary } from './models.ts'
import { createProcessRecordings } from './process-recordings.ts'
import { addProcessMetrics } from './process-metrics.ts'
import { createWorkerLauncher } from './pipeline-worker.ts'
import { isLive, type Process } from './process.ts'
import { createProcessService, type ProcessDeps, type ProcessSources } from './processes.service.ts'
import { processChannels } from './processes.channels.ts'
import { type ProcessRouteDeps, processRoutes } from './processes.routes.ts'
import { type AttachedOutput } from './processes.schema.ts'
import { createProcessStore } from './processes.store.ts'
import { createProcessedVideoKeeper } from './processed-video-keeper.ts'
import { createProcessedVideoLinks } from './processed-video-links.ts'
import { processedVideoRoutes } from './processed-video.routes.ts'
import { createProcessedVideos } from './processed-videos.ts'
import { createSupervisor } from './supervisor.ts'

export interface ProcessesOptions {
  readonly dataDir: string
  readonly maxPicture: PictureLimit
  readonly workerMemoryBytes: number
  readonly modelsDir?: string | undefined
  readonly inferenceThreads: number
  readonly reconnectMs: number | null
  readonly terrainDir?: string | undefined
  readonly sizes?: ObjectSizes | undefined
  /** The default one. */
  readonly model: string
}

export interface ProcessesDeps {
  readonly options: ProcessesOptions
  readonly db: Db
  readonly bus: Bus<AppEvents>
  readonly streams: ProcessDeps['streams'] & Pick<Streams, 'grant'>
  readonly sources: ProcessSources
  readonly ledger: ProcessLedger
  readonly accounts: KeyWatchDeps['accounts']
  /** Attached to processes. */
  readonly outputs: {
    list(processId: string): Promise<AttachedOutput['output'][]>
    listVideos(processId: string): Promise<VideoOutput[]>
  }
  readonly telemetry: ProcessDeps['telemetry'] & ProcessRouteDeps['telemetry']
  readonly models: readonly ModelSummary[]
  readonly owners: ProcessRouteDeps['owners']
  readonly outboundOf: ProcessDeps['outboundOf']
  readonly budget: DiskBudget
  readonly signer: LinkSigner
  readonly metrics: Metrics
  readonly clock: Clock
  readonly log: Log
}

const DAY_MS = 86_400_000
/** How long the records of processes that have ended are kept. */
const KEEP_DAYS = 30
/** For so long a process may outlive the last day of its key. */
const KEY_WATCH_EVERY_MS = 3_000

/** Everything about processes: who runs, what they see, and who listens. */
export function createProcesses({
  options,
  db,
  bus,
  streams,
  sources,
  ledger,
  accounts,
  outputs,
  telemetry,
  models,
  owners,
  outboundOf,
  budget,
  signer,
  metrics,
  clock,
  log,
}: ProcessesDeps) {
  const store = createProcessStore(db)
  const videos = createProcessedVideos(options.dataDir)
  const channel = createDetectionChannel()
  const modelCacheDir = join(options.dataDir, 'models')
  const speeds = createModelSpeeds(join(modelCacheDir, 'speeds.json'))

  function onState(process: Process, previous: Process): void {
    log.info({ process_uuid: process.id, state: process.state, reason: process.stopReason }, 'process')
    bus.emit('process-state', {
      processId: process.id,
      accountId: process.accountId,
      sourceId: process.sourceId,
      state: process.state,
      previousState: previous.state,
      isLive: isLive(process.state),
      reason: process.error ?? process.stopReason,
      restarts: process.restarts,
    })
    if (isLive(process.state)) return
    channel.onEnd(process)
    if (process.stats)
      speeds
        .note(process.options.model, options.inferenceThreads, process.stats, clock.now())
        .catch((error: unknown) => log.warn({ err: error }, 'the speed of a model could not be noted'))
  }

  const supervisor = createSupervisor({
    options: { ...options, modelCacheDir },
    launch: createWorkerLauncher({ maxMemoryBytes: options.workerMemoryBytes, clock, log }),
    store,
    ledger: chargingOnceUsed(ledger),
    grant: streams.grant,
    onScene: (process, scene) => {
      channel.onScene(process, scene)
      bus.emit('scene', { process: toBrief(process), scene })
    },
    onState,
    onPicture: ({ id }, jpeg) => bus.emit('feed-picture', { processId: id, jpeg }),
    onTrackPictures: (process, pictures) => bus.emit('track-pictures', { process: toBrief(process), pictures }),
    clock,
    log,
  })
  const recordings = createProcessRecordings(supervisor, (processId) => videos.folderOf(processId))
  const service = createProcessService({
    store,
    streams,
    sources,
    supervisor,
    telemetry,
    outboundOf,
    attachedOutputs: (processId) => outputs.listVideos(processId),
    recordingsOf: (process) => recordings.outputsOf(process),
    onState,
    clock,
    log,
  })
  addProcessMetrics(metrics, () => supervisor.list().map(({ process }) => process))
  streams.livePaths.onLive(({ path }) => supervisor.pathIsLive(path))
  bus.on('key-revoked', async ({ accountId, purge }) => {
    await service.stopAll({ id: accountId }, 'key-revoked')
    if (!purge) return
    await store.removeAllOf(accountId)
    await removeForgottenVideos()
  })
  const removeForgottenVideos = () => videos.removeUnknown((processId) => store.exists(processId))

  const keeper = createProcessedVideoKeeper({
    videos,
    recordings,
    findOwners: (processIds) => store.findOwners(processIds),
    log,
  })
  budget.count(keeper.kept)
  budget.onPass((state) => keeper.onPass(state))

  const listAccounts = () => [...new Set(supervisor.list().map(({ process }) => process.accountId))]
  const jobs: readonly JobKind[] = [
    {
      kind: 'process-retention',
      everyMs: DAY_MS / 24,
      async handle() {
        await store.removeEndedBefore(clock.now() - KEEP_DAYS * DAY_MS)
        await removeForgottenVideos()
      },
    },
    {
      kind: 'process-key-watch',
      everyMs: KEY_WATCH_EVERY_MS,
      handle: createKeyWatch({ accounts, processes: { ...service, listAccounts } }),
    },
  ]

  async function hasKey(processId: string): Promise<boolean> {
    const [owner] = await store.findOwners([processId])
    return owner !== undefined && stillCounts(accounts.byId(owner.accountId))
  }

  function speedNow(model: string) {
    const running = supervisor.list().find((live) => live.process.options.model === model && live.process.stats)
    return running && speedOf(options.inferenceThreads, running.process.stats!, clock.now())
  }

  /** With how it stands with each; undefined for the websockets, and before the pipeline has said so. */
  async function attachedTo(processId: string): Promise<AttachedOutput[]> {
    const attached = await outputs.list(processId)
    return attached.map((output) => ({ output, status: supervisor.find(processId)?.outputStatus(output.id) }))
  }

  const videoLinks = createProcessedVideoLinks({ videos, signer, hasKey, clock })
  const defaultModel = options.model

  return {
    service,
    /** Processes that go on, and the way to their workers. */
    live: supervisor,
    videoLinks,
    routes: [
      processRoutes({ processes: service, outputs: { attachedTo }, telemetry, models, defaultModel, owners }),
      detectionRoutes({ processes: { ...supervisor, ...service }, channel, owners }),
      processedVideoRoutes({ links: videoLinks }),
      modelRoutes({
        models,
        defaultModel,
        // A model that is at work is as fast as it is now.
        speeds: { find: (model) => speedNow(model) ?? speeds.find(model) },
      }),
    ],
    channels: processChannels,
    removeVideo: (processId: string) => videos.remove(processId),
    jobs,
    /** Takes up again what ran when the service ended. */
    start: () => service.recover(),
    /** Ends the workers and leaves the processes for the next start; who listens to them hears their last. */
    stop: () => supervisor.close(),
  }
}

function toBrief({ id, accountId, sourceId, sourceUrl, options }: Process): ProcessBrief {
  return { processId: id, accountId, sourceId, sourceUrl, isReported: options.isReported }
}
