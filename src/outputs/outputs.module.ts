import { type Bus } from '../core/bus.ts'
import { type Clock } from '../core/clock.ts'
import { type AppEvents } from '../core/events.ts'
import { type LinkSigner } from '../core/signed-token.ts'
import { type TakenProcesses } from '../core/taken-processes.ts'
import { type Streams } from '../streams/streams.module.ts'
import { createFeed } from './feed.ts'
import { type FeedRouteDeps, feedRoutes } from './feed.routes.ts'
import { createOutputPaths, type OutputPathsDeps } from './output-paths.ts'
import { createOutputTokenIssuer, createOutputTokens } from './output-tokens.ts'
import { type OutputRouteDeps, outputRoutes } from './outputs.routes.ts'
import { createOutputService, type OutputDeps } from './outputs.service.ts'
import { type OutputStore } from './outputs.store.ts'
import { createPreviews, type PreviewDeps } from './previews.ts'

export interface OutputsDeps {
  readonly streams: Pick<Streams, 'acceptTokens'>
  readonly signer: LinkSigner
  readonly store: OutputStore
  readonly bus: Bus<AppEvents>
  readonly processes: OutputDeps['processes'] &
    PreviewDeps['processes'] & {
      listLiveIds(): string[]
      /** To its worker: somebody looks at the feed, or nobody any more. */
      send(processId: string, command: { readonly type: 'feed'; readonly isWanted: boolean }): void
    }
  readonly paths: OutputDeps['paths'] & OutputPathsDeps['paths'] & PreviewDeps['livePaths']
  readonly objectionTo: OutputDeps['objectionTo']
  readonly telemetry: OutputDeps['telemetry']
  readonly owners: OutputRouteDeps['owners']
  readonly rights: FeedRouteDeps['rights']
  readonly clock: Clock
}

/** Everything about where results go: video that is sent, previews, and the feed for quick looks. */
export function createOutputs(deps: OutputsDeps) {
  const { streams, signer, store, bus, processes, paths, telemetry, objectionTo, owners, rights, clock } = deps
  const feed = createFeed((processId, isWanted) => processes.send(processId, { type: 'feed', isWanted }))
  const previews = createPreviews({ processes, livePaths: paths, clock })
  const tokens = createOutputTokens(signer)
  streams.acceptTokens(createOutputTokenIssuer(tokens, store))
  const outputPaths = createOutputPaths({ store, paths, clock })
  const service = createOutputService({ store, tokens, processes, paths, outputPaths, telemetry, objectionTo, clock })

  bus.on('feed-picture', ({ processId, jpeg }) => feed.onPicture(processId, jpeg))
  bus.on('process-state', async ({ processId, isLive }) => {
    if (isLive) return
    feed.onEnd(processId)
    await store.detachAll(processId)
  })
  bus.on('key-revoked', async ({ accountId, purge }) => {
    if (purge) await store.removeAllOf(accountId)
  })

  return {
    service,
    previews,
    routes: [outputRoutes({ outputs: service, owners }), feedRoutes({ feed, processes, rights })],
    /** Detaches outputs from those that did not come back. */
    takeUpProcesses: ({ ids }: TakenProcesses) => store.detachAllBut(ids, processes.listLiveIds()),
    /** Viewers of its feed connect again. */
    dismissClients: (processId: string) => feed.onEnd(processId),
    /** A request that waits for a preview would keep the HTTP server from closing. */
    release: () => previews.close(),
  }
}
