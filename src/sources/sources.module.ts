import { type Account } from '../core/account.ts'
import { type Bus } from '../core/bus.ts'
import { type Clock } from '../core/clock.ts'
import { type AppEvents } from '../core/events.ts'
import { type PathHolder } from '../core/path-holder.ts'
import { type PictureLimit } from '../core/picture-limit.ts'
import { type Log } from '../observe/log.ts'
import { type Outbound } from '../outbound/outbound.ts'
import { type DiskBudget } from '../storage/disk-budget.ts'
import { type JobKind } from '../storage/job-runner.ts'
import { type Streams } from '../streams/streams.module.ts'
import { createProber } from './prober.ts'
import { createSourceTokenIssuer, tokenPrincipal } from './source-token-issuer.ts'
import { type SourceTokenStore } from './source-tokens.store.ts'
import { type SourceRouteDeps, sourceRoutes } from './sources.routes.ts'
import { createSourceService, type SourceDeps } from './sources.service.ts'
import { type SourceStore } from './sources.store.ts'
import { createStreamProbe } from './stream-probe.ts'
import { createUploadRoom } from './upload-room.ts'
import { createVideoFolder } from './video-upload.ts'

export interface SourcesDeps {
  readonly options: { readonly dataDir: string; readonly maxPicture: PictureLimit }
  readonly store: SourceStore
  readonly tokens: SourceTokenStore
  readonly bus: Bus<AppEvents>
  readonly streams: Streams
  readonly recordings: SourceDeps['recordings'] & { removeAllOf(accountId: string): Promise<void> }
  readonly budget: DiskBudget
  readonly owners: SourceDeps['owners'] & SourceRouteDeps['owners']
  readonly outbound: Pick<Outbound, 'objectionTo' | 'rulesOf'>
  /** Throws when its key is gone or expired. */
  readonly findAccount: (accountId: string) => Promise<Account>
  readonly clock: Clock
  readonly log: Log
}

/** The streams and videos that accounts have registered, and who else may use them. */
export function createSources(deps: SourcesDeps) {
  const { options, store, tokens, bus, streams, recordings, budget, owners, outbound, clock, log } = deps
  const videos = createVideoFolder(options.dataDir)
  const uploads = createUploadRoom({ store, budget })
  budget.count({ heldBytes: () => store.heldBytes() })
  budget.count(uploads)
  streams.acceptTokens(createSourceTokenIssuer(tokens, clock))
  const probe = createProber({ clock, log, maxPicture: options.maxPicture })
  const service = createSourceService({
    ...deps,
    videos,
    uploads,
    probe,
    objectionTo: (account, hostname, port) => outbound.objectionTo(account, hostname, port),
  })

  bus.on('key-revoked', async ({ accountId, purge }) => {
    streams.expel(accountId)
    if (!purge) return
    await service.removeAllOf(accountId)
    // After them, lest one is still recorded.
    await recordings.removeAllOf(accountId)
  })

  async function endExpiredTokens(): Promise<void> {
    for (const id of await tokens.removeExpired(clock.now())) streams.expel(tokenPrincipal(id))
  }

  const jobs: readonly JobKind[] = [{ kind: 'token-expiry', everyMs: 10_000, handle: endExpiredTokens }]

  const streamProbe = createStreamProbe({
    probe,
    sources: service,
    streams,
    rulesOf: (accountId) => outbound.rulesOf(accountId),
  })

  return {
    service,
    routes: [sourceRoutes({ sources: service, probe: streamProbe, owners })],
    jobs,
    /** The source that is registered for this path, or whatever is published there. */
    async holderOf(path: string): Promise<PathHolder | undefined> {
      const [source] = await store.findByMediaPath(path)
      if (source) return { kind: 'source', accountId: source.accountId, alias: source.alias }
      return streams.livePaths.find(path) && { kind: 'live-stream' }
    },
    async fileOf(sourceId: string): Promise<string | undefined> {
      const file = await store.findFile(sourceId)
      return file === undefined ? undefined : videos.find(file)
    },
    /** Removes what a crash left behind. */
    async restore(): Promise<void> {
      await videos.cleanUp(new Set(await store.listFiles()))
    },
  }
}
