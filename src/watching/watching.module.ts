import { type Clock } from '../core/clock.ts'
import { type OutboundLists } from '../core/check-hosts.ts'
import { type LinkSigner } from '../core/signed-token.ts'
import { hlsUrl } from '../core/media-path.ts'
import { type OwnNode } from '../core/own-node.ts'
import { type Log } from '../observe/log.ts'
import { type Streams } from '../streams/streams.module.ts'
import { hlsRoutes } from './hls.routes.ts'
import { startHlsWorker } from './hls-worker.ts'
import { createHls } from './hls.service.ts'
import { playerRoutes } from './player.routes.ts'
import { createVodWatching, type RecordedVod } from './vod-watching.ts'
import { createRunFolder, removeDeadRunFolders } from './run-folder.ts'
import { createWatchAccess } from './watch-access.ts'
import { createWebrtcGateway } from './webrtc-gateway.ts'
import { type WebrtcRouteDeps, webrtcRoutes } from './webrtc.routes.ts'
import { createWebrtc, type WebrtcDeps } from './webrtc.service.ts'

export interface WatchingDeps {
  readonly options: {
    readonly host: string
    readonly webrtc: {
      readonly port: number
      readonly hosts: readonly string[]
      readonly stunServers: readonly string[]
    }
    readonly outbound: OutboundLists
    readonly corsOrigins: readonly string[]
  }
  readonly streams: Pick<Streams, 'canBeRead' | 'cameraFault' | 'livePaths' | 'grant' | 'admit'>
  readonly owners: WebrtcDeps['owners']
  readonly previews: WebrtcDeps['previews']
  readonly vod: RecordedVod
  readonly node: OwnNode | null
  readonly knownCredentials: WebrtcRouteDeps['knownCredentials']
  readonly signer: LinkSigner
  readonly clock: Clock
  readonly log: Log
}

/** Live paths in browsers: HLS, WebRTC, and a page that plays either. */
export function createWatching({
  options,
  streams,
  owners,
  previews,
  vod,
  node,
  knownCredentials,
  signer,
  clock,
  log,
}: WatchingDeps) {
  const tidied = removeDeadRunFolders(log)
  const access = createWatchAccess('hls', streams)
  const hls = createHls({
    access,
    streams,
    startWorker: (path) => startHlsWorker({ path, folder: createRunFolder(), streams, clock, log }),
    owners,
    signer,
    nodeId: node?.id,
    clock,
    log,
  })
  const webrtcOptions = {
    host: options.host,
    port: options.webrtc.port,
    advertisedHosts: options.webrtc.hosts,
    stunServers: options.webrtc.stunServers,
    // Browsers are strangers; one on this machine connects to us by itself.
    outbound: { ...options.outbound, mayCallThisMachine: false, mediaPorts: [] },
  }
  const webrtc = createWebrtc({
    createGateway: (handlers) => createWebrtcGateway({ options: webrtcOptions, clock, log, ...handlers }),
    access: createWatchAccess('webrtc', streams),
    streams,
    owners,
    previews,
    hlsUrl: (path) => hlsUrl('', path),
    clock,
    log,
  })
  return {
    routes: [
      hlsRoutes({
        hls,
        vod: createVodWatching({ access, vod, clock }),
        knownCredentials,
        isForOtherOrigins: options.corsOrigins.length > 0,
      }),
      webrtcRoutes({ webrtc, nodeId: node?.id, knownCredentials }),
      playerRoutes(options),
    ],
    async close(): Promise<void> {
      await webrtc.close()
      await hls.close()
      await tidied
    },
  }
}
