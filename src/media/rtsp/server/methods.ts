import { type PlayPace } from '../../play-pace.ts'
import { type ProtocolLog, ROLE_LOG } from '../../protocol-server.ts'
import { type Answer, RtspFailure, type RtspRequest } from '../wire/message.ts'
import { parseSdp } from '../wire/sdp-parser.ts'
import { writeSdp } from '../wire/sdp-writer.ts'
import { formatTransport, parseTransport } from '../wire/transport-header.ts'
import { type Publisher } from './publisher.ts'
import { type SessionActivity } from './session-activity.ts'
import { type SessionRole } from './session-role.ts'
import { type StreamUrl } from './stream-url.ts'

/** RTSP's methods (RFC 2326 §10) by name. What can't be done is thrown as an `RtspFailure`. */
export type Methods = Readonly<Record<string, Method>>

type Method = (request: RtspRequest, url: StreamUrl) => Answer | Promise<Answer>
type Header = NonNullable<Answer['headers']>[number]

export interface MethodsOptions {
  readonly role: SessionRole
  readonly activity: Pick<SessionActivity, 'startStreaming' | 'pauseStreaming'>
  readonly playPace: PlayPace
  readonly sessionMs: number
  readonly remoteAddress: string
  readonly log: ProtocolLog
}

export function createMethods(options: MethodsOptions): Methods {
  const { role, activity, playPace, sessionMs, remoteAddress, log } = options

  const methods: Methods = {
    OPTIONS: () => ok(['Public', Object.keys(methods).join(', ')]),

    async DESCRIBE(request, url) {
      const { description } = await role.describe(request, url)
      const headers = [
        ['Content-Base', url.base],
        ['Content-Type', 'application/sdp'],
      ] as const
      return { status: 200, headers, body: writeSdp(description) }
    },

    async ANNOUNCE(request, url) {
      if (role.current) throw new RtspFailure(455, 'This connection has a session already.')
      const type = request.headers.get('content-type') ?? 'application/sdp'
      if (!/^application\/sdp\b/i.test(type)) throw new RtspFailure(415, 'A description must be application/sdp.')
      await role.announce(request, url, parseSdp(request.body.toString('utf8')))
      return { status: 200 }
    },

    async SETUP(request, url) {
      const offers = parseTransport(request.headers.get('transport') ?? '')
      if (role.current?.kind === 'publish') {
        const publisher = await role.confirm(role.current)
        const transport = await publisher.setUp(request.url, offers)
        return ok(['Transport', formatTransport(transport, 'record')])
      }
      const player = await role.playerFor(request, url)
      const transport = await player.setUp(player.trackOf(request.url), offers)
      return ok(['Transport', formatTransport(transport, 'play')])
    },

    async PLAY(_request, url) {
      const player = role.current
      if (player?.kind !== 'play') throw new RtspFailure(455, 'Nothing was set up to be played.')
      await playPace.take()
      await role.confirm(player)
      await player.waitForTurn()
      role.checkCurrent(player)
      const rtpInfo = player.play(url.base)
      activity.startStreaming()
      log.info({ ...player.describe(), remoteAddress }, ROLE_LOG.play.began)
      return rtpInfo ? ok(['RTP-Info', rtpInfo]) : ok()
    },

    async RECORD() {
      if (role.current?.kind !== 'publish') throw new RtspFailure(455, 'Nothing was announced.')
      const publisher = await role.confirm(role.current)
      const hasBegun = publisher.record()
      activity.startStreaming()
      if (hasBegun) logPublisher(publisher)
      return ok()
    },

    PAUSE() {
      if (!role.current) throw new RtspFailure(455, 'There is nothing to pause.')
      role.current.pause()
      activity.pauseStreaming()
      return ok()
    },

    TEARDOWN() {
      const answer = ok()
      role.end('torn down')
      return answer
    },

    GET_PARAMETER: () => ok(),
    SET_PARAMETER: () => ok(),
  }

  function logPublisher(publisher: Publisher): void {
    log.info({ ...publisher.describe(), remoteAddress }, ROLE_LOG.publish.began)
    for (const name of publisher.unknownVideo())
      log.warn(
        { path: publisher.path, remoteAddress },
        `${name} is carried on to RTSP readers, and nothing else can be done with it; send H.264 or H.265.`,
      )
  }

  /** With the session that there is now. */
  function ok(...headers: readonly Header[]): Answer {
    const id = role.current?.id
    const session: Header[] = id ? [['Session', `${id};timeout=${Math.round(sessionMs / 1000)}`]] : []
    return { status: 200, headers: [...headers, ...session] }
  }

  return methods
}
