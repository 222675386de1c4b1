import { type Bus } from '../core/bus.ts'
import { type Clock } from '../core/clock.ts'
import { type DigestProof } from '../core/digest.ts'
import { type AppEvents } from '../core/events.ts'
import { createOutboundPolicy } from '../core/outbound.ts'
import { createLinkSigner } from '../core/signed-token.ts'
import { type Account } from '../core/words.ts'
import { type MediaServerOptions } from '../media/messages.ts'
import { type Log } from '../observe/log.ts'
import { type Db } from '../storage/database.ts'
import { createDiskBudget } from '../storage/disk-budget.ts'
import { type JobKind } from '../storage/job-runner.ts'
import { readServiceSecret } from '../storage/service-secret.ts'
import { createInternalTokens } from './internal-tokens.ts'
import { createLivePaths } from './live-paths.ts'
import { createAdmission, createMediaAccess, tokenPrincipal } from './media-access.ts'
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
import { createVideoFolder } from './video-upload.ts'

export interface SourcesOptions {
  readonly dataDir: string
  readonly publicUrl: string | undefined
  readonly mediaAuth: 'always' | 'remote' | 'off'
  readonly recording: { readonly segmentSeconds: number; readonly mergeSeconds: number }
  readonly diskBudgetBytes: number | undefined
  readonly outbound: { readonly deny: readonly string[]; readonly allow: readonly string[] }
  readonly media: MediaServerOptions
}

export interface SourcesDeps {
  readonly options: SourcesOptions
  readonly db: Db
  readonly bus: Bus<AppEvents>
  readonly clock: Clock
  readonly log: Log
  readonly authenticator: {
    byKey(key: string, address: string): Promise<Account>
    byDigest(username: string, proof: DigestProof, address: string): Promise<Account>
    /** Of somebody who was let in with this key before. */
    byKeyAgain(key: string): Promise<Account>
  }
  readonly owners: { mayUse(account: Account, username: string): Promise<boolean> }
  readonly processes: { isProcessing(sourceId: string): boolean }
  readonly outputs: {
    mayRead(token: string, path: string): Promise<boolean>
    hasPath(path: string): Promise<boolean>
  }
  /** The address with its host resolved; rejects when it may not be called. */
  readonly dialable: (url: string) => Promise<string>
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
  dialable,
}: SourcesDeps) {
  const { dataDir } = options
  const store = createSourceStore(db)
  const tokens = createSourceTokenStore(db)
  const recordingStore = createRecordingStore(db)
  const livePaths = createLivePaths()
  const internalTokens = createInternalTokens()
  const budget = createDiskBudget(dataDir, options.diskBudgetBytes)
  budget.count(() => recordingStore.totalBytes())
  budget.count(() => store.totalBytes())
  const videos = createVideoFolder(dataDir)
  budget.count(async () => videos.incomingBytes)

  const admission = { auth: options.mediaAuth, authenticator, owners, tokens, internalTokens, outputs, clock }
  const admit = createAdmission(admission)
  const admitAgain = createAdmission({
    ...admission,
    authenticator: { ...authenticator, byKey: (key) => authenticator.byKeyAgain(key) },
  })
  const decideAccess = createMediaAccess(admit)
  const mediaServer = createMediaServer({ options: options.media, decideAccess, livePaths, clock, log })
  const configuredPorts: MediaPorts = { rtspPort: options.media.rtspPort, rtmpPort: options.media.rtmpPort }
  const addresses = createMediaAddresses({
    ports: () => mediaServer.ports ?? configuredPorts,
    publicUrl: options.publicUrl,
    host: options.media.host,
    isTls: options.media.tls !== undefined,
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
  const keeper = createRecordingKeeper({ dataDir, store: recordingStore, recorder, budget, clock, log })
  const probe = createProber({ clock, log })
  const service = createSourceService({
    store,
    tokens,
    videos,
    probe,
    livePaths,
    recorder,
    addresses,
    budget,
    outbound: createOutboundPolicy(options.outbound),
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

  const jobs: readonly JobKind[] = [...keeper.jobs, { kind: 'token-expiry', everyMs: 10_000, handle: endExpiredTokens }]

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
      dialable,
    }),
    recordings: createRecordingService({
      dataDir,
      store: recordingStore,
      signer: createLinkSigner(readServiceSecret(dataDir)),
      clock,
    }),
    jobs,
    mediaServer,
    livePaths,
    internalTokens,
    addresses,
    budget,
    admit,
    /** For who was let in before and stays: failed attempts do not count. */
    admitAgain,
    /** Whether somebody publishes to this path, or a source is registered for it. */
    isPathTaken: async (path: string) =>
      livePaths.find(path) !== undefined || (await store.findByMediaPath(path)).length > 0,
    fileOf: (sourceId: string) => videos.find(sourceId),
    grant,
    /** Mends what a crash left behind, then lets video in. */
    async start(): Promise<MediaPorts> {
      await videos.cleanUp((sourceId) => store.exists(sourceId))
      await recorder.recover()
      return mediaServer.start()
    },
    async close(): Promise<void> {
      await recorder.close()
      await mediaServer.stop()
    },
  }
}
