import { type Bus } from '../core/bus.ts'
import { type Clock } from '../core/clock.ts'
import { type AppEvents } from '../core/events.ts'
import { type PathHolder } from '../core/path-holder.ts'
import { type PictureLimit } from '../core/picture-limit.ts'
import { createLinkSigner } from '../core/signed-token.ts'
import { type Account } from '../core/words.ts'
import { type MediaServerOptions } from '../media/messages.ts'
import { type Log } from '../observe/log.ts'
import { type Outbound } from '../outbound/outbound.ts'
import { type Db } from '../storage/database.ts'
import { createDiskBudget } from '../storage/disk-budget.ts'
import { type JobKind } from '../storage/job-runner.ts'
import { readServiceSecret } from '../storage/service-secret.ts'
import { inTurns } from './access-turns.ts'
import { createInternalTokens } from './internal-tokens.ts'
import { createLivePaths } from './live-paths.ts'
import { createAdmission, createMediaAccess, type MediaAccessDeps, tokenPrincipal } from './media-access.ts'
import { createMediaAddresses } from './media-addresses.ts'
import { createMediaServer, type MediaPorts } from './media-server.ts'
import { createProber } from './prober.ts'
import { createRecorder } from './recorder.ts'
import { createRecordingKeeper } from './recording-keeper.ts'
import { createRecordingService } from './recordings.service.ts'
import { createRecordingStore } from './recordings.store.ts'
import { createSourceTokenStore } from './source-tokens.store.ts'
import { createSourceService } from './sources.service.ts'
import { createSourceStore } from './sources.store.ts'
import { createStreamProbe } from './stream-probe.ts'
import { createUploadRoom } from './upload-room.ts'
import { createVideoFolder } from './video-upload.ts'

export interface SourcesOptions {
  readonly dataDir: string
  readonly maxPicture: PictureLimit
  readonly publicUrl: string | undefined
  readonly mediaAuth: 'always' | 'remote' | 'off'
  readonly recording: { readonly segmentSeconds: number; readonly mergeSeconds: number }
  readonly diskBudgetBytes: number | undefined
  readonly media: MediaServerOptions
}

export interface SourcesDeps {
  readonly options: SourcesOptions
  readonly db: Db
  readonly bus: Bus<AppEvents>
  readonly clock: Clock
  readonly log: Log
  readonly authenticator: MediaAccessDeps['authenticator']
  readonly owners: MediaAccessDeps['owners']
  readonly processes: { isProcessing(sourceId: string): boolean }
  readonly outputs: MediaAccessDeps['outputs'] & {
    holderOf(path: string): Promise<PathHolder | undefined>
  }
  readonly outbound: Pick<Outbound, 'objectionTo' | 'leadsHere' | 'rulesOf'>
  /** Throws when its key is gone or expired. */
  readonly findAccount: (accountId: string) => Promise<Account>
}

/** Everything about video that comes in: the media server, sources, recordings. */
export function createSources({
  options,
  db,
  bus,
  clock,
  log,
  authenticator,
  owners,
  processes,
  outputs,
  outbound,
  findAccount,
}: SourcesDeps) {
  const { dataDir } = options
  const store = createSourceStore(db)
  const tokens = createSourceTokenStore(db)
  const recordingStore = createRecordingStore(db)
  const livePaths = createLivePaths()
  const internalTokens = createInternalTokens()
  const budget = createDiskBudget({ folder: dataDir, fixedBytes: options.diskBudgetBytes, db, clock, log })
  const videos = createVideoFolder(dataDir)
  const uploads = createUploadRoom({ store, budget })
  budget.count({ heldBytes: () => store.heldBytes() })
  budget.count(uploads)

  const auth = options.mediaAuth
  const admit = createAdmission({ auth, authenticator, owners, tokens, internalTokens, outputs, clock })
  const decideAccess = inTurns(createMediaAccess(admit), internalTokens)
  const mediaServer = createMediaServer({ options: options.media, decideAccess, livePaths, clock, log })
  const configuredPorts: MediaPorts = { rtspPort: options.media.rtspPort, rtmpPort: options.media.rtmpPort }
  const addresses = createMediaAddresses({
    ports: () => mediaServer.ports ?? configuredPorts,
    publicUrl: options.publicUrl,
    host: options.media.host,
    isTls: options.media.tls !== undefined,
    leadsHere: (callerId, hostname) => outbound.leadsHere(callerId, hostname),
  })
  const recorder = createRecorder({
    dataDir,
    ...options.recording,
    store: recordingStore,
    sources: store,
    livePaths,
    internalTokens,
    rtspUrl: (path, token) => addresses.internalRtspUrl(path, token),
    clock,
    log,
  })
  const keeper = createRecordingKeeper({ dataDir, store: recordingStore, recorder, clock, log })
  budget.count(keeper.kept)
  budget.onPass((state) => keeper.onPass(state))
  const probe = createProber({ clock, log, maxPicture: options.maxPicture })
  const service = createSourceService({
    store,
    tokens,
    videos,
    uploads,
    probe,
    livePaths,
    recorder,
    addresses,
    objectionTo: (account, hostname, port) => outbound.objectionTo(account, hostname, port),
    findAccount,
    owners,
    outputs,
    processes,
    expel: (principal) => mediaServer.expel(principal),
    clock,
  })

  bus.on('key-revoked', async ({ accountId, purge }) => {
    mediaServer.expel(accountId)
    if (!purge) return
    await service.removeAllOf(accountId)
    await keeper.removeAllOf(accountId)
  })

  async function endExpiredTokens(): Promise<void> {
    for (const id of await tokens.removeExpired(clock.now())) mediaServer.expel(tokenPrincipal(id))
  }

  const jobs: readonly JobKind[] = [
    ...keeper.jobs,
    budget.job,
    { kind: 'token-expiry', everyMs: 10_000, handle: endExpiredTokens },
  ]

  /** An address by which one of our workers may read this path, or publish to it, until it is taken back. */
  function grant(action: 'read' | 'publish', path: string) {
    const token = internalTokens.issue({ action, path })
    return { url: addresses.internalRtspUrl(path, token), revoke: () => internalTokens.revoke(token) }
  }

  return {
    service,
    probe: createStreamProbe({
      probe,
      sources: service,
      isLive: (path) => livePaths.find(path) !== undefined,
      grant: (path) => grant('read', path),
      rulesOf: (accountId) => outbound.rulesOf(accountId),
    }),
    recordings: createRecordingService({
      dataDir,
      store: recordingStore,
      signer: createLinkSigner(readServiceSecret(dataDir)),
      findAccount,
      clock,
    }),
    jobs,
    mediaServer,
    livePaths,
    internalTokens,
    addresses,
    budget,
    admit,
    /** The source that is registered for this path, or whatever is published there. */
    async holderOf(path: string): Promise<PathHolder | undefined> {
      const [source] = await store.findByMediaPath(path)
      if (source) return { kind: 'source', accountId: source.accountId, alias: source.alias }
      return livePaths.find(path) && { kind: 'live-stream' }
    },
    async fileOf(sourceId: string): Promise<string | undefined> {
      const file = await store.findFile(sourceId)
      return file === undefined ? undefined : videos.find(file)
    },
    grant,
    /** Mends what a crash left behind, then lets video in. */
    async start(): Promise<MediaPorts> {
      await videos.cleanUp(new Set(await store.listFiles()))
      await recorder.recover()
      return mediaServer.start()
    },
    async close(): Promise<void> {
      await recorder.close()
      await mediaServer.stop()
    },
  }
}
