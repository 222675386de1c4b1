import { type Clock } from '../core/clock.ts'
import { type MediaServerOptions } from '../media/messages.ts'
import { type Log } from '../observe/log.ts'
import { inTurns } from './access-turns.ts'
import { createGrants, type GrantAccess } from './grants.ts'
import { createInternalTokens } from './internal-tokens.ts'
import { createLivePaths, type LivePaths } from './live-paths.ts'
import { type Admit, createAdmission, createMediaAccess, type MediaAccessDeps } from './media-access.ts'
import { createMediaAddresses, type MediaAddresses } from './media-addresses.ts'
import { type KnownMediaPorts, type MediaPorts } from './media-ports.ts'
import { createMediaServer } from './media-server.ts'
import { type TokenIssuer } from './path-tokens.ts'

export interface StreamsOptions {
  readonly publicUrl: string | undefined
  readonly mediaAuth: 'always' | 'remote' | 'off'
  readonly media: MediaServerOptions
}

export interface StreamsDeps {
  readonly options: StreamsOptions
  readonly ports: KnownMediaPorts
  readonly authenticator: MediaAccessDeps['authenticator']
  readonly owners: MediaAccessDeps['owners']
  /** Whether whoever dials this host reaches this machine. */
  readonly leadsHere: (callerId: string, hostname: string) => Promise<boolean>
  readonly clock: Clock
  readonly log: Log
}

/** The media server as the main process knows it: what is live there, who may use it, and by which addresses. */
export interface Streams {
  readonly livePaths: Omit<LivePaths, 'handle' | 'clear'>
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
  const { options, ports, authenticator, owners, leadsHere, clock, log } = deps
  const livePaths = createLivePaths()
  const internalTokens = createInternalTokens()
  const issuers: TokenIssuer[] = []
  const admit = createAdmission({ auth: options.mediaAuth, authenticator, owners, internalTokens, issuers })
  const decideAccess = inTurns(createMediaAccess(admit), internalTokens)
  const server = createMediaServer({ options: options.media, decideAccess, livePaths, ports, clock, log })
  const addresses = createMediaAddresses({
    ports: () => ports.current,
    publicUrl: options.publicUrl,
    host: options.media.host,
    isTls: options.media.tls !== undefined,
    leadsHere,
  })
  return {
    livePaths,
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
