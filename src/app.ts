import { createHttpsRedirect } from './api/https-redirect.ts'
import { listenForHttp } from './api/listen.ts'
import { createServer } from './api/server.ts'
import { createNodeOfRequest } from './api/node-of-request.ts'
import { joinService, type JoinedNode } from './cluster/join-service.ts'
import { ALONE_CONNECTIONS } from './cluster/node-connections.store.ts'
import { serveAlone } from './cluster/serve-alone.store.ts'
import { type ClusterConfig, nodeRtspUrl } from './config/cluster-settings.ts'
import { type Config } from './config/config.ts'
import { readServiceVersion } from './config/service-version.ts'
import { type Clock, systemClock } from './core/clock.ts'
import { createNodeWork, type NodeWork } from './core/node-work.ts'
import { type ServicePorts } from './core/service-ports.ts'
import { type TakenCameras, type TakenProcesses } from './core/taken-processes.ts'
import { createFeatures } from './features.ts'
import { createFoundation } from './foundation.ts'
import { type Log } from './observe/log.ts'
import { type Database, openDatabase } from './storage/database.ts'
import { readNodeInstance } from './storage/secret-files.ts'

/** Composes everything; with `foundation.ts` and `features.ts`, all that knows every module. */
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
  const { accounts, sessions, health, metrics, runner, reserve, ports, httpPort, certificate, cluster } = foundation
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

  const work = createNodeWork(features)
  const redirect =
    config.httpRedirectPort === undefined
      ? undefined
      : createHttpsRedirect({ options: { ...config, certificate }, httpsPort: () => httpPort.current, log, clock })

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
      httpPort.current = await listenForHttp(http, config.host, config.httpPort)
      joined?.report({
        load: ownLoad,
        rtspUrl: () => nodeRtspUrl(config.cluster!, config.host, ports.current),
      })
      await cluster?.start(work, isHere)
      const httpRedirectPort =
        redirect && (await listenForHttp(redirect, config.host, config.httpRedirectPort!, 'HTTP redirect'))
      return { httpPort: httpPort.current, httpRedirectPort, ...ports.current }
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
