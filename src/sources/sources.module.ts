import { relative } from 'node:path'
import { type Account } from '../core/account.ts'
import { type Bus } from '../core/bus.ts'
import { type Clock } from '../core/clock.ts'
import { type NodeExchange } from '../core/node-exchange.ts'
import { type OwnNode } from '../core/own-node.ts'
import { type AppEvents } from '../core/events.ts'
import { type PictureLimit } from '../core/picture-limit.ts'
import { type PathHolder } from '../core/refusals.ts'
import { type TakenCameras } from '../core/taken-processes.ts'
import { type Log } from '../observe/log.ts'
import { type Metrics } from '../observe/metrics.ts'
import { type Outbound } from '../outbound/outbound.ts'
import { type Db } from '../storage/database.ts'
import { type DiskBudget } from '../storage/disk-budget.ts'
import { type JobKind } from '../storage/job-kind.ts'
import { type FilePlaces } from '../storage/object-store/file-places.ts'
import { createProcessNodesStore } from '../storage/process-nodes.store.ts'
import { type Streams } from '../streams/streams.module.ts'
import { createDialCheck } from './dial-check.ts'
import { createProber } from './prober.ts'
import { createPulledSources } from './pulled-sources.ts'
import { createSourceChanger } from './source-change.ts'
import { createSourceDirectory, type SourceDirectory, withDirectory } from './source-directory.ts'
import { addSourceMetrics } from './source-metrics.ts'
import { createSourceNews } from './source-news.ts'
import { createSourcePaths, type SourcePathDeps } from './source-paths.ts'
import { createSourceRegistry } from './source-registry.ts'
import { createSourceTokenIssuer } from './source-token-issuer.ts'
import { sourceTokenRoutes } from './source-tokens.routes.ts'
import { createSourceTokenService } from './source-tokens.service.ts'
import { type SourceTokenStore } from './source-tokens.store.ts'
import { type SourceRouteDeps, sourceRoutes } from './sources.routes.ts'
import { createSourceService, type SourceDeps, type SourceService } from './sources.service.ts'
import { type SourceStore } from './sources.store.ts'
import { createStreamProbe } from './stream-probe.ts'
import { createUploadRoom } from './upload-room.ts'
import { createUsesElsewhere, usedNowhereElse } from './uses-elsewhere.ts'
import { VIDEOS } from './video-files.store.ts'
import { createVideoFolder } from './video-upload.ts'
import { createVideoService } from './videos.service.ts'

export interface SourcesDeps {
  readonly options: { readonly dataDir: string; readonly maxPicture: PictureLimit }
  readonly store: SourceStore
  readonly tokens: SourceTokenStore
  readonly bus: Bus<AppEvents>
  readonly streams: Streams
  readonly recordings: SourceDeps['recordings'] & {
    /** The sources on this path have changed. */
    refresh(path: string): Promise<void>
    removeAllOf(accountId: string): Promise<void>
  }
  readonly budget: DiskBudget
  readonly places: FilePlaces
  readonly owners: SourcePathDeps['owners'] & SourceRouteDeps['owners']
  readonly rights: SourceRouteDeps['rights']
  readonly outbound: Pick<Outbound, 'objectionTo' | 'rulesOf'>
  /** Throws when its key is gone or expired. */
  readonly findAccount: (accountId: string) => Promise<Account>
  /** Of all models. */
  readonly knownClasses: () => ReadonlySet<string>
  readonly metrics: Metrics
  readonly db: Db
  /** Of a cluster; a service that is alone is none. */
  readonly node: OwnNode | null
  readonly exchange: NodeExchange | undefined
  readonly clock: Clock
  readonly log: Log
}

/** The streams and videos that accounts have registered, and tokens for them. */
export function createSources(given: SourcesDeps) {
  const directory = createSourceDirectory()
  const store = withDirectory(given.store, directory, (sourceId, paths) => news?.publish({ sourceId, paths }))
  const deps = { ...given, store }
  const {
    options,
    tokens,
    bus,
    streams,
    recordings,
    budget,
    places,
    owners,
    rights,
    outbound,
    knownClasses,
    metrics,
    clock,
    log,
  } = deps
  const videos = createVideoFolder(options.dataDir, places)
  const uploads = createUploadRoom({ store, budget })
  budget.count({ heldBytes: async () => places.withoutStored(VIDEOS, await store.heldBytes()) })
  budget.count(uploads)
  streams.acceptTokens(createSourceTokenIssuer(tokens, clock))
  const probe = createProber({ clock, log, maxPicture: options.maxPicture })
  const dials = createDialCheck((account, hostname, port) => outbound.objectionTo(account, hostname, port))
  const registry = createSourceRegistry({ store, videos, isLive: (path) => streams.livePaths.isLive(path) })
  const pulled = createPulledSources({ ...deps, registry, rulesOf: (accountId) => outbound.rulesOf(accountId) })
  async function refresh(...changed: readonly (string | null)[]): Promise<void> {
    for (const path of new Set(changed.filter((one) => one !== null))) {
      await pulled.refresh(path)
      await recordings.refresh(path)
    }
  }
  const paths = createSourcePaths({ ...deps, registry, dials, refresh })
  const changeSource = createSourceChanger({ registry, paths, dials, knownClasses, refresh })
  const service = createSourceService({
    ...deps,
    directory,
    registry,
    paths,
    dials,
    changeSource,
    videos,
    refresh,
    elsewhere: () => elsewhere,
  })
  const { elsewhere, news } = createWithOthers(deps, { directory, refresh, service })
  places.add({
    kind: VIDEOS,
    async *listSettled() {
      yield (await store.listUnstored()).map(({ file, accountId }) => ({ file: `${VIDEOS}/${file}`, accountId }))
    },
    isInUse: async (file) => (await store.listSourcesOf(relative(VIDEOS, file))).some((id) => service.isProcessed(id)),
  })
  // What another node has, that node measures.
  const isHere = (path: string | null) => path === null || streams.remotePaths.find(path) === undefined
  const measured = { list: () => directory.list().filter(({ mediaPath }) => isHere(mediaPath)) }
  addSourceMetrics(metrics, measured, service.healthOf)
  const videoService = createVideoService({ store, registry, videos, uploads, probe, dials, clock })
  const tokenService = createSourceTokenService({ sources: service, tokens, streams, clock })

  bus.on('key-revoked', async ({ accountId, purge }) => {
    streams.expel(accountId)
    await pulled.removeAllOf(accountId)
    if (!purge) return
    await service.removeAllOf(accountId)
    // After them, lest one is still recorded.
    await recordings.removeAllOf(accountId)
  })

  const fileNodeOf = (sourceId: string) => store.findFileNode(sourceId)

  const jobs: readonly JobKind[] = [{ kind: 'token-expiry', everyMs: 10_000, handle: () => tokenService.endExpired() }]

  const streamProbe = createStreamProbe({
    probe,
    paths,
    streams,
    rulesOf: (accountId) => outbound.rulesOf(accountId),
  })

  return {
    service,
    routes: [
      sourceRoutes({ sources: service, videos: videoService, probe: streamProbe, fileNodeOf, owners, rights }),
      sourceTokenRoutes(tokenService),
    ],
    jobs,
    /** Where a process reads a source: a path of the media server, or a file. */
    inputs: {
      pathToRead: (sourceId: string) => paths.pathToRead(sourceId),
      async fileOf(sourceId: string): Promise<string | undefined> {
        const file = await store.findFile(sourceId)
        return file === undefined ? undefined : videos.find(file)
      },
    },
    /** The source that is registered for this path, or whatever is published there. */
    async holderOf(path: string): Promise<PathHolder | undefined> {
      const [source] = await store.findByMediaPath(path)
      if (source) return { kind: 'source', accountId: source.accountId, alias: source.alias }
      return streams.livePaths.find(path) && { kind: 'live-stream' }
    },
    /** Learns what there is, and removes what a crash left behind. */
    async restore(): Promise<void> {
      for (const source of await store.listNames()) directory.set(source)
      await videos.cleanUp(() => store.listFiles())
    },
    start: async () => news?.start(),
    /** Calls cameras, once the media server listens. */
    takeUpCameras: (taken: TakenCameras) => pulled.takeUp(taken),
    releaseCameras: (sourceIds: readonly string[]) => pulled.release(sourceIds),
    async close() {
      await news?.close()
      await pulled.close()
    },
  }
}

interface OwnSources {
  readonly directory: SourceDirectory
  readonly refresh: (...paths: readonly string[]) => Promise<void>
  readonly service: Pick<SourceService, 'useOf' | 'listWithOldTelemetry' | 'onChanged'>
}

/** What sources have to do with other nodes: nothing, in a service that is alone. */
function createWithOthers(deps: SourcesDeps, { directory, refresh, service }: OwnSources) {
  const { node, exchange, db, store, streams } = deps
  if (!node || !exchange) return { elsewhere: usedNowhereElse, news: undefined }
  const uses = {
    store: createProcessNodesStore(db, node),
    useOf: (sourceId: string) => service.useOf(sourceId),
    async listOwnWithOldTelemetry(sourceId: string) {
      // The news of its change may be on the way still.
      const source = await store.findById(sourceId)
      if (source) directory.set(source)
      return service.listWithOldTelemetry(sourceId)
    },
  }
  return {
    elsewhere: createUsesElsewhere({ ...deps, ...uses, exchange }),
    news: createSourceNews({
      ...deps,
      exchange,
      directory,
      refresh,
      listOwnPaths: () => [
        ...streams.localPaths.list().map(({ path }) => path),
        ...streams.pulledPaths.listStatuses().map(({ path }) => path),
      ],
      onChanged: (source) => service.onChanged(source),
    }),
  }
}
