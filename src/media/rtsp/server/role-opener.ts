import { ownerOfPath } from '../../../core/media-path.ts'
import { type EndReason, type Publication, type Subscription } from '../../publication.ts'
import { type AnnouncedTrack } from '../wire/sdp-parser.ts'
import { type ClientSocket } from './client-socket.ts'
import { createPlayer, type Player, type PlayerOptions } from './player.ts'
import { createPublisher, type Publisher } from './publisher.ts'
import { type ServerContext } from './server-context.ts'

/** Opens publishers and players on one connection, with the limits of the server. */
export interface RoleOpener {
  publisher(publication: Publication, tracks: readonly AnnouncedTrack[]): Publisher
  player(subscription: Subscription): Player
}

export interface RoleEvents {
  /** The stream ended. */
  readonly onEnd: (reason: EndReason) => void
  /** The client can't keep up with the stream. */
  readonly onTooSlow: (why: string) => void
}

export function createRoleOpener(
  socket: ClientSocket,
  context: ServerContext,
  { onEnd, onTooSlow }: RoleEvents,
): RoleOpener {
  const { limits, timeouts, now, fanOut, udpPorts, waitingBytes } = context
  const { localAddress, remoteAddress, isEncrypted } = socket

  function networkFor(account: string): PlayerOptions['network'] {
    return { localAddress, remoteAddress, isEncrypted, udpPorts, account }
  }

  return {
    publisher(publication, tracks) {
      const network = networkFor(ownerOfPath(publication.path))
      return createPublisher({ publication, tracks, network, idleMs: timeouts.publisherMs, now, onEnd })
    },
    player(subscription) {
      const account = ownerOfPath(subscription.path)
      return createPlayer({
        subscription,
        network: networkFor(account),
        socket,
        fanOut,
        joinWaiting: (end) => waitingBytes.join(account, end),
        limits: { maxQueuedBytes: limits.maxQueuedBytes, maxQueuedMs: timeouts.maxQueuedMs },
        idleMs: timeouts.sessionMs,
        now,
        onEnd,
        onTooSlow,
      })
    },
  }
}
