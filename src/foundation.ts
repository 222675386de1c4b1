import { hashApiKey } from './accounts/api-key.ts'
import { createSigningKey } from './clips/evidence/signing-key.ts'
import { createAccounts } from './accounts/accounts.module.ts'
import { type Config } from './config/config.ts'
import { createCluster } from './cluster/cluster.ts'
import { type JoinedNode } from './cluster/join-service.ts'
import { nodeRtspUrl } from './config/cluster-settings.ts'
import { watchCertificate } from './config/certificate-files.ts'
import { serviceUrl as ownServiceUrl } from './config/service-url.ts'
import { type Account } from './core/account.ts'
import { createBus } from './core/bus.ts'
import { type Clock } from './core/clock.ts'
import { createEventLinks } from './core/event-links.ts'
import { type AppEvents } from './core/events.ts'
import { createKnownCredentials } from './core/known-credentials.ts'
import { type OwnNode } from './core/own-node.ts'
import { createLinkSigner } from './core/signed-token.ts'
import { createVapid } from './delivery/web-push/vapid.ts'
import { createHealth } from './observe/health.ts'
import { type Log } from './observe/log.ts'
import { createMetrics } from './observe/metrics.ts'
import { createOutbound } from './outbound/outbound.ts'
import { createSharedResolver } from './outbound/resolve.ts'
import { createSessions } from './sessions/sessions.module.ts'
import { createSourceTokenStore } from './sources/source-tokens.store.ts'
import { type Database } from './storage/database.ts'
import { createDeadJobs } from './storage/dead-jobs.ts'
import { createDiskBudget } from './storage/disk-budget.ts'
import { createDiskReserve } from './storage/disk-reserve.ts'
import { checkDiskRoom, foldersOf } from './storage/disk-room.ts'
import { createFileRemoval } from './storage/file-removal.ts'
import { createJobRunner } from './storage/job-runner.ts'
import { createJobStore } from './storage/jobs.store.ts'
import { createObjectStore } from './storage/object-store/object-store.module.ts'
import { readServiceSecret, toInstanceId } from './storage/secret-files.ts'
import { createMediaPorts, openPorts } from './streams/media-endpoints.ts'
import { createStreams } from './streams/streams.module.ts'
import { listRunningChildren } from './supervise/running-children.ts'
import { checkLoopDelay, createUsageMeter } from './supervise/usage-meter.ts'

export type Foundation = ReturnType<typeof createFoundation>

/** What all features stand on: the database, jobs, keys, whom to call, the disk, the media server. */
export function createFoundation(config: Config, log: Log, clock: Clock, database: Database, joined?: JoinedNode) {
  const node: OwnNode | null = joined ? { id: joined.membership.id, epoch: joined.membership.epoch } : null
  const secret = joined?.secret ?? readServiceSecret(config.dataDir)
  const signer = createLinkSigner(secret)
  const { db } = database
  const bus = createBus<AppEvents>((error, event) => log.error({ err: error, event }, 'an event was not handled'))
  const health = createHealth(log)
  health.addCheck('database', () => database.ping())
  const reserve = createDiskReserve(config.databaseUrl)
  health.addCheck('disk', async () => checkDiskRoom(foldersOf(config)))
  const jobStore = createJobStore(database, node)
  const runner = createJobRunner({ store: jobStore, clock, log })
  const metrics = createMetrics()
  const deadJobs = createDeadJobs({ store: jobStore, metrics, clock })
  const sourceTokens = createSourceTokenStore(db)
  const accounts = createAccounts({ db, bus, jobStore, runner, sourceTokens, clock })
  const { authenticator, owners, limiter, sourceRights: rights } = accounts
  const knownCredentials = createKnownCredentials()
  const sessions = createSessions({
    db,
    keys: { ...authenticator, hashOf: hashApiKey },
    limiter,
    knownCredentials,
    node,
    clock,
  })
  const findAccount = (accountId: string) => authenticator.byId(accountId)
  const findKeyHash = (accountId: string) => accounts.store.findKeyHash(accountId)
  const httpPort = { current: config.httpPort }
  const serviceUrl = () => ownServiceUrl(config, httpPort.current)

  const certificate = config.tls && watchCertificate({ files: config.tls, log })
  const ports = createMediaPorts(config)
  const resolver = createSharedResolver()
  const outbound = createOutbound({
    lists: config.outbound,
    mediaPorts: () => openPorts(ports.current),
    findAccount: (accountId) => accounts.store.findById(accountId),
    resolver,
  })
  const objectionTo = (account: Account, hostname: string, port?: number) =>
    outbound.objectionTo(account, hostname, port)
  const streams = createStreams({
    options: { ...config, media: { host: config.host, logLevel: config.logLevel } },
    ports,
    certificate,
    authenticator: {
      ...authenticator,
      byKey: (key, address) => sessions.service.authenticate(key, address),
      byKeyAgain: (key) => sessions.service.recheck(key),
    },
    owners,
    rights,
    leadsHere: (callerId, hostname) => outbound.leadsHere(callerId, hostname),
    nodeSigner: joined && signer,
    clock,
    log,
  })
  const usage = createUsageMeter({ listChildren: listRunningChildren, clock })
  health.addCheck('event loop', async () => checkLoopDelay(usage, 'service'))
  health.addCheck('media server', async () => {
    if (!streams.isListening) throw new Error('not listening')
    checkLoopDelay(usage, 'media server')
  })
  const files = createFileKeeping(config, { db, node, jobStore, runner, metrics, clock, log })
  files.budget.onPass(() => reserve.fill())
  const ownRtspUrl = () => nodeRtspUrl(config.cluster!, config.host, ports.current)
  const neighbours = { options: config.cluster!, streams, ownRtspUrl, bus, limiter, clock, log }
  const findUsername = async (accountId: string) => (await accounts.store.findById(accountId))?.username
  const cluster = joined && createCluster({ joined, ...neighbours, findUsername, metrics })
  if (cluster) sessions.joinNodes({ ...cluster, isKnown: (nodeId) => cluster.directory.isKnown(nodeId) })

  return {
    db,
    /** Of a cluster; a service that is alone is none. */
    node,
    /** The other nodes; undefined where this service is alone. */
    cluster,
    exchange: cluster?.exchange,
    nodeFiles: cluster?.nodeFiles,
    publishNotification: cluster?.publishNotification,
    bus,
    clock,
    log,
    health,
    metrics,
    jobStore,
    deadJobs,
    runner,
    accounts,
    knownCredentials,
    sessions,
    authenticator,
    owners,
    rights,
    findAccount,
    findKeyHash,
    sourceTokens,
    certificate,
    ports,
    /** What is configured, until the server says where it listens. */
    httpPort,
    /** For addresses that are sent to who has not just called us. */
    serviceUrl,
    resolver,
    outbound,
    objectionTo,
    streams,
    reserve,
    ...files,
    signer,
    ...keysOf(secret, config),
    /** In notifications. */
    links: createEventLinks({ signer, serviceUrl, validMs: config.notificationLinkMs, clock }),
    usage,
    /** Each node is a client of its own to brokers. */
    instanceId: node ? `${toInstanceId(secret)}-${node.id}` : toInstanceId(secret),
  }
}

type FileKeepingDeps = Pick<
  Parameters<typeof createObjectStore>[0],
  'db' | 'node' | 'jobStore' | 'runner' | 'metrics' | 'clock' | 'log'
>

/** What features keep in files: how much room that may take, where it is, and how it goes. */
function createFileKeeping({ dataDir, diskBudgetBytes, objectStore: config }: Config, deps: FileKeepingDeps) {
  const { db, jobStore, clock, log } = deps
  const budget = createDiskBudget({ folder: dataDir, fixedBytes: diskBudgetBytes, db, clock, log })
  const objectStore = createObjectStore({ ...deps, dataDir, config, budget })
  const fileRemoval = createFileRemoval({ dataDir, jobStore, clock })
  return { budget, objectStore, places: objectStore.places, fileRemoval }
}

/** Keys that follow from the secret that all nodes share. */
function keysOf(secret: string, { publicUrl }: Config) {
  return {
    /** Signs packages of evidence. */
    evidenceKey: createSigningKey(secret),
    /** By what push services know this service. */
    vapid: createVapid(secret, () => vapidSubject(publicUrl)),
  }
}

/** Whom a push service is to write to (RFC 8292 §2.1): an https URL, or a mail address. */
const vapidSubject = (publicUrl: string | undefined) =>
  publicUrl?.startsWith('https:') ? publicUrl : 'mailto:admin@localhost'
