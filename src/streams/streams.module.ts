import { type ServedCertificate } from '../core/certificate.ts'
import { type Clock } from '../core/clock.ts'
import { type MediaPorts } from '../core/service-ports.ts'
import { type LinkSigner } from '../core/signed-token.ts'
import { type Log } from '../observe/log.ts'
import { inTurns } from './access-turns.ts'
import { createGrants, createInternalTokens, type GrantAccess } from './grants.ts'
import { createKnownPaths } from './known-paths.ts'
import { createLivePaths, type LivePaths, type LocalPath } from './live-paths.ts'
import { type Admit, createAdmission, createMediaAccess, type MediaAccessDeps, type MediaAuth } from './media-access.ts'
import { createMediaAddresses, type MediaAddresses } from './media-addresses.ts'
import { type KnownMediaPorts } from './media-endpoints.ts'
import { createMediaServer, type MediaServerDeps } from './media-server.ts'
import { createNodeRelays, type NodeRelays } from './node-relays.ts'
import { NO_CLAIMS, type PathClaims, withClaims } from './path-claims.ts'
import { type TokenIssuer } from './path-tokens.ts'
import { createPulledPaths, type PulledPaths } from './pulled-paths.ts'
import { createRelayTokens, NO_RELAY_TOKENS } from './relay-tokens.ts'
import { createRemotePaths, type RemotePaths } from './remote-paths.ts'
import { createVideoTimes, type VideoTimes } from './video-times.ts'

export interface StreamsOptions {
  readonly publicUrl: string | undefined
  readonly mediaAuth: MediaAuth
  readonly media: MediaServerDeps['options']
}

export interface StreamsDeps {
  readonly options: StreamsOptions
  readonly ports: KnownMediaPorts
  readonly certificate: ServedCertificate | undefined
  readonly authenticator: MediaAccessDeps['authenticator']
  readonly owners: MediaAccessDeps['owners']
  readonly rights: MediaAccessDeps['rights']
  /** Whether this host leads to this machine. */
  readonly leadsHere: (callerId: string, hostname: string) => Promise<boolean>
  /** With the secret that all nodes share; undefined on a node that is alone. */
  readonly nodeSigner?: LinkSigner | undefined
  /** The file that the media server's process runs, if it is another. */
  readonly mediaServerEntry?: URL
  readonly clock: Clock
  readonly log: Log
}

/** The media server as the main process knows it: what is live there, with which rights and by which addresses it is used. */
export interface Streams {
  /** What is live, here or on another node: all of it can be read here. */
  readonly livePaths: LivePaths
  /** What arrives at our own media server, for those who act on it: each stream is recorded by the node that has it. */
  readonly localPaths: LivePaths<LocalPath>
  readonly remotePaths: RemotePaths
  readonly nodeRelays: NodeRelays
  readonly pulledPaths: PulledPaths
  readonly videoTimes: Pick<VideoTimes, 'find'>
  /** When video came to paths of other nodes, as those say. */
  noteRemoteVideo(path: string, agoMs: number): void
  /** When video comes to ours. */
  onLocalVideo(handler: (path: string, agoMs: number) => void): void
  /** Whether there is something to read: it is live, or a camera that is connected on demand. */
  canBeRead(path: string): boolean
  /** Why the camera of this path is not connected, in words; undefined where there is none, or nothing is known against it. */
  cameraFault(path: string): string | undefined
  readonly addresses: MediaAddresses
  readonly admit: Admit
  readonly grant: GrantAccess
  /** From now on these tokens are credentials too. */
  acceptTokens(issuer: TokenIssuer): void
  /** From now on a publisher must have the path among all nodes. */
  claimBy(claims: PathClaims): void
  /** Ends whatever this principal publishes or reads. */
  expel(principal: string): void
  readonly isListening: boolean
  /** Lets video in; rejects with a sentence when it can't listen. */
  start(): Promise<MediaPorts>
  close(): Promise<void>
}

export function createStreams(deps: StreamsDeps): Streams {
  const { options, ports, certificate, authenticator, owners, rights, leadsHere, nodeSigner, clock, log } = deps
  const { localPaths, reports: livePathReports } = createLivePaths()
  const { remotePaths, relayOrders } = createRemotePaths()
  const livePaths = createKnownPaths(localPaths, remotePaths, relayOrders)
  const { nodeRelays, relayReports } = createNodeRelays()
  const relayTokens = nodeSigner ? createRelayTokens(nodeSigner, clock) : NO_RELAY_TOKENS
  let claims = NO_CLAIMS
  const videoHandlers: ((path: string, agoMs: number) => void)[] = []
  const internalTokens = createInternalTokens()
  const { pulledPaths, pullOrders } = createPulledPaths(clock)
  const issuers: TokenIssuer[] = [pullOrders.issuer]
  const videoTimes = createVideoTimes(clock)
  const admit = createAdmission({
    auth: options.mediaAuth,
    authenticator,
    owners,
    rights,
    internalTokens,
    relayTokens,
    issuers,
    isPulled: (path) => pulledPaths.has(path) || remotePaths.find(path)?.isCamera === true,
  })
  const addresses = createMediaAddresses({
    ports: () => ports.current,
    publicUrl: options.publicUrl,
    host: options.media.host,
    leadsHere,
  })
  const decide = createMediaAccess(admit, () => addresses.howToGiveAKey())
  const decideAccess = inTurns(
    withClaims(decide, () => claims),
    internalTokens,
    relayTokens,
  )
  const server = createMediaServer({
    options: options.media,
    certificate,
    decideAccess,
    livePathReports,
    pullOrders,
    relayOrders,
    relayReports,
    onUnused: (path) => claims.unused(path),
    videoTimes: {
      note(path, agoMs) {
        videoTimes.note(path, agoMs)
        for (const handler of videoHandlers) handler(path, agoMs)
      },
    },
    ports,
    clock,
    log,
    ...(deps.mediaServerEntry && { entry: deps.mediaServerEntry }),
  })
  return {
    livePaths,
    localPaths,
    remotePaths,
    nodeRelays,
    pulledPaths,
    videoTimes,
    noteRemoteVideo: (path, agoMs) => videoTimes.note(path, agoMs),
    onLocalVideo: (handler) => void videoHandlers.push(handler),
    canBeRead: (path) => livePaths.isLive(path) || pulledPaths.has(path) || remotePaths.find(path) !== undefined,
    cameraFault(path) {
      const remote = remotePaths.find(path)
      if (remote?.isCamera && !remote.live)
        return `The node "${remote.nodeId}", which calls this camera, has no video of it now.`
      const status = pulledPaths.find(path)
      return status && status.state !== 'connected' ? status.lastError?.sentence : undefined
    },
    addresses,
    admit,
    grant: createGrants(internalTokens, addresses),
    acceptTokens: (issuer) => void issuers.push(issuer),
    claimBy: (next) => void (claims = next),
    expel: (principal) => server.expel(principal),
    get isListening() {
      return server.isListening
    },
    start: () => server.start(),
    close: () => server.stop(),
  }
}
