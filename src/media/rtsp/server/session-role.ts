import { trimSlashes } from '../../../core/url-text.ts'
import { type Client } from '../../listener.ts'
import { ROLE_LOG } from '../../protocol-server.ts'
import { type Subscription } from '../../publication.ts'
import { RtspFailure, type RtspRequest } from '../wire/message.ts'
import { type AnnouncedTrack } from '../wire/sdp-parser.ts'
import { type ClientSocket } from './client-socket.ts'
import { type Gatekeeper } from './gatekeeper.ts'
import { type Player } from './player.ts'
import { type Publisher } from './publisher.ts'
import { createRoleOpener } from './role-opener.ts'
import { type ServerContext } from './server-context.ts'
import { type SessionActivity } from './session-activity.ts'
import { type StreamUrl } from './stream-url.ts'

export type Role = Publisher | Player

/** What a connection is at the moment: a publisher, a player or nothing. RTSP's session id belongs to it. */
export interface SessionRole {
  readonly current: Role | undefined
  /** For DESCRIBE. SETUP of the same stream needs no credentials again. */
  describe(request: RtspRequest, url: StreamUrl): Promise<Subscription>
  /** For ANNOUNCE: the connection becomes a publisher. */
  announce(request: RtspRequest, url: StreamUrl, tracks: readonly AnnouncedTrack[]): Promise<void>
  /** For SETUP: the player of this stream, a new one unless the connection is that already. */
  playerFor(request: RtspRequest, url: StreamUrl): Promise<Player>
  /** Rejects when the right was withdrawn, or the role ended meanwhile. */
  confirm<R extends Role>(role: R): Promise<R>
  /** Throws when the role ended meanwhile. */
  checkCurrent(role: Role): void
  end(reason: string): void
  /** The connection closed: there will be no other role. */
  close(reason: string): void
}

export interface SessionRoleOptions {
  readonly socket: ClientSocket
  readonly context: ServerContext
  readonly gatekeeper: Gatekeeper
  readonly activity: Pick<SessionActivity, 'endStreaming'>
  readonly onCameraCalled: Client['onCameraCalled']
}

export function createSessionRole(options: SessionRoleOptions): SessionRole {
  const { socket, context, gatekeeper, activity, onCameraCalled } = options
  const { hub, log } = context
  const { remoteAddress } = socket
  const open = createRoleOpener(socket, context, { onEnd: endWithStream, onTooSlow: cutOff })
  let current: Role | undefined
  /** What the client has the right to read; checked again before it is used. */
  let described: Subscription | undefined
  let isClosed = false

  function subscribe(request: RtspRequest, url: StreamUrl): Promise<Subscription> {
    return gatekeeper.ask(request, url, (access) => hub.subscribe(url.path, access, onCameraCalled))
  }

  async function confirm<R extends Role>(role: R): Promise<R> {
    await gatekeeper.confirm(role)
    checkCurrent(role)
    return role
  }

  function checkCurrent(role: Role): void {
    if (current !== role) throw new RtspFailure(454, 'The session ended meanwhile.')
  }

  function end(reason: string): void {
    if (!current) return
    const ended = current
    current = undefined
    described = undefined
    ended.close()
    activity.endStreaming()
    log.info({ ...ended.describe(), remoteAddress, reason }, ROLE_LOG[ended.kind].ended)
  }

  /** Clients learn that the stream is over by the end of the connection, since RTSP 1.0 has no message for it. */
  function endWithStream(reason: string): void {
    end(reason)
    socket.end()
  }

  function cutOff(why: string): void {
    const fields = { ...current?.describe(), remoteAddress, why, queuedBytes: socket.queuedBytes() }
    log.warn(fields, 'A reader was too slow.')
    end(why)
    socket.destroy()
  }

  return {
    get current() {
      return current
    },
    describe: async (request, url) => (described = await subscribe(request, url)),
    async announce(request, url, tracks) {
      const publication = await gatekeeper.ask(request, url, (access) => hub.publish(url.path, access))
      if (isClosed) {
        publication.close()
        throw new RtspFailure(454, 'The connection closed meanwhile.')
      }
      current = open.publisher(publication, tracks)
    },
    async playerFor(request, url) {
      const path = trimSlashes(url.path)
      if (current?.kind === 'play') {
        if (path !== current.path) throw new RtspFailure(459, 'A session has tracks of one stream.')
        // ffmpeg, when no UDP comes through: it pauses and sets the tracks up anew by TCP, without naming the session.
        const isAnew = !request.headers.has('session') && current.isFinishedFor(current.trackOf(request.url))
        if (!isAnew) return confirm(current)
        current.close()
        activity.endStreaming()
      }
      const known = described?.path === path ? described : undefined
      if (known) await gatekeeper.confirm(known)
      const subscription = known ?? (await subscribe(request, url))
      if (isClosed) throw new RtspFailure(454, 'The connection closed meanwhile.')
      described = subscription
      const player = open.player(subscription)
      current = player
      return player
    },
    confirm,
    checkCurrent,
    end,
    close(reason) {
      isClosed = true
      end(reason)
    },
  }
}
