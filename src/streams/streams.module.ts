import { type ServedCertificate } from '../core/certificate.ts'
import { type Clock } from '../core/clock.ts'
import { type MediaPorts } from '../core/service-ports.ts'
import { type Log } from '../observe/log.ts'
import { inTurns } from './access-turns.ts'
import { createGrants, createInternalTokens, type GrantAccess } from './grants.ts'
import { createLivePaths, type LivePaths } from './live-paths.ts'
import { type Admit, createAdmission, createMediaAccess, type MediaAccessDeps, type MediaAuth } from './media-access.ts'
import { createMediaAddresses, type MediaAddresses } from './media-addresses.ts'
import { type KnownMediaPorts } from './media-endpoints.ts'
import { createMediaServer, type MediaServerDeps } from './media-server.ts'
import { type TokenIssuer } from './path-tokens.ts'
import { createPulledPaths, type PulledPaths } from './pulled-paths.ts'
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
  /** Whether this host leads to this machine. */
  readonly leadsHere: (callerId: string, hostname: string) => Promise<boolean>
  readonly clock: Clock
  readonly log: Log
}

/** The media server as the main process knows it: what is live there, with which rights and by which addresses it is used. */
export interface Streams {
  readonly livePaths: LivePaths
  readonly pulledPaths: PulledPaths
  readonly videoTimes: Pick<VideoTimes, 'find'>
  /** Whether there is something to read: it is live, or a camera that is connected on demand. */
  canBeRead(path: string): boolean
  /** Why the camera of this path is not connected, in words; undefined where there is none, or nothing is known against it. */
  cameraFault(path: string): string | undefined
  readonly addresses: MediaAddresses
  readonly admit: Admit
  readonly grant: GrantAccess
  /** From now on these tokens are credentials too. */
  acceptTokens(issuer: TokenIssuer): void
  /** Ends whatever this principal publishes or reads. */
  expel(principal: string): void
  readonly isListening: boolean
  /** Lets video in; rejects with a sentence when it can't listen. */
  start(): Promise<MediaPorts>
  close(): Promise<void>
}

export function createStreams(deps: StreamsDeps): Streams {
  const { options, ports, certificate, authenticator, owners, leadsHere, clock, log } = deps
  const { livePaths, reports: livePathReports } = createLivePaths()
  const internalTokens = createInternalTokens()
  const { pulledPaths, pullOrders } = createPulledPaths(clock)
  const issuers: TokenIssuer[] = [pullOrders.issuer]
  const videoTimes = createVideoTimes(clock)
  const admit = createAdmission({
    auth: options.mediaAuth,
    authenticator,
    owners,
    internalTokens,
    issuers,
    isPulled: (path) => pulledPaths.has(path),
  })
  const addresses = createMediaAddresses({
    ports: () => ports.current,
    publicUrl: options.publicUrl,
    host: options.media.host,
    leadsHere,
  })
  const decideAccess = inTurns(
    createMediaAccess(admit, () => addresses.howToGiveAKey()),
    internalTokens,
  )
  const server = createMediaServer({
    options: options.media,
    certificate,
    decideAccess,
    livePathReports,
    pullOrders,
    videoTimes,
    ports,
    clock,
    log,
  })
  return {
    livePaths,
    pulledPaths,
    videoTimes,
    canBeRead: (path) => livePaths.isLive(path) || pulledPaths.has(path),
    cameraFault(path) {
      const status = pulledPaths.find(path)
      return status && status.state !== 'connected' ? status.lastError?.sentence : undefined
    },
    addresses,
    admit,
    grant: createGrants(internalTokens, addresses),
    acceptTokens: (issuer) => void issuers.push(issuer),
    expel: (principal) => server.expel(principal),
    get isListening() {
      return server.isListening
    },
    start: () => server.start(),
    close: () => server.stop(),
  }
}
