import { systemClock } from '../../../core/clock.ts'
import { ownerOfPath } from '../../../core/media-path.ts'
import { trimSlashes } from '../../../core/trim-slashes.ts'
import { type Client } from '../../listener.ts'
import { createPlayPace } from '../../play-pace.ts'
import { type Publication, type Subscription } from '../../publication.ts'
import { createGatekeeper } from './gatekeeper.ts'
import { type Answer, RtspFailure, type RtspRequest } from '../wire/message.ts'
import { createPlayer, type Player, type PlayerOptions } from './player.ts'
import { createPublisher, type Publisher } from './publisher.ts'
import { parseSdp } from '../wire/sdp-parser.ts'
import { writeSdp } from '../wire/sdp-writer.ts'
import { type ServerContext } from './server-context.ts'
import { parseStreamUrl, type StreamUrl } from './stream-url.ts'
import { type MediaSocket } from './tcp-reader.ts'
import { formatTransport, parseTransport } from '../wire/transport-header.ts'

/** What a client and the server say to each other in one connection: it has one role at a time, to which RTSP's session id belongs. */
export interface Session {
  /** Never rejects for what a client does. */
  answer(request: RtspRequest): Promise<Answer>
  frame(channel: number, data: Buffer): void
  /** Why the connection has to end; undefined while all is well. */
  check(nowMs: number): string | undefined
  close(reason: string): void
}

/** The connection, as far as a session needs it. */
export interface Peer extends MediaSocket {
  readonly localAddress: string
  readonly remoteAddress: string
  readonly isEncrypted: boolean
  /** Sends what is queued, then closes. */
  end(): void
  /** Closes at once. */
  destroy(): void
}

type Method = (request: RtspRequest, url: StreamUrl) => Answer | Promise<Answer>

export function createSession(
  peer: Peer,
  context: ServerContext,
  { onGranted, onStreaming }: Pick<Client, 'onGranted' | 'onStreaming'>,
): Session {
  const { hub, log, limits, timeouts, now, fanOut, udpPorts, waitingBytes, refusals } = context
  const { remoteAddress } = peer
  const gatekeeper = createGatekeeper({
    remoteAddress,
    maxWrong: limits.maxWrongCredentials,
    nonceMs: timeouts.nonceMs,
    now,
    onGranted(granted) {
      idleSinceMs ??= hasStreamed ? undefined : now()
      onGranted(granted)
    },
  })
  const network = { localAddress: peer.localAddress, remoteAddress, isEncrypted: peer.isEncrypted, udpPorts }
  const plays = createPlayPace({ ...systemClock, steady: now })
  let role: Publisher | Player | undefined
  /** What DESCRIBE found: SETUP needs no credentials again, but asks whether they are still good. */
  let described: Subscription | undefined
  let lastRequestAtMs = now()
  /** Since when it could begin a session and stream, and has not. */
  let idleSinceMs: number | undefined
  /** In this session. */
  let hasStreamed = false
  let isClosed = false

  const methods: Readonly<Record<string, Method>> = {
    OPTIONS: () => ({ status: 200, headers: [['Public', Object.keys(methods).join(', ')], ...sessionHeader()] }),

    async DESCRIBE(request, url) {
      described = await gatekeeper.ask(request, url, (access) => hub.subscribe(url.path, access))
      const headers = [
        ['Content-Base', url.base],
        ['Content-Type', 'application/sdp'],
      ] as const
      return { status: 200, headers, body: writeSdp(described.description) }
    },

    async ANNOUNCE(request, url) {
      if (role) throw new RtspFailure(455, 'This connection has a session already.')
      const type = request.headers.get('content-type') ?? 'application/sdp'
      if (!/^application\/sdp\b/i.test(type)) throw new RtspFailure(415, 'A description must be application/sdp.')
      const tracks = parseSdp(request.body.toString('utf8'))
      const publication = await gatekeeper.ask(request, url, (access) => hub.publish(url.path, access))
      role = openPublisher(publication, tracks)
      return { status: 200 }
    },

    async SETUP(request, url) {
      const offers = parseTransport(request.headers.get('transport') ?? '')
      if (role?.kind === 'publish') {
        const publishing = await confirmed(role)
        const transport = await publishing.setUp(request.url, offers)
        return { status: 200, headers: [['Transport', formatTransport(transport, 'record')], ...sessionHeader()] }
      }
      const playing = await playerFor(request, url)
      const transport = await playing.setUp(playing.trackOf(request.url), offers)
      return { status: 200, headers: [['Transport', formatTransport(transport, 'play')], ...sessionHeader()] }
    },

    async PLAY(_request, url) {
      const playing = role
      if (playing?.kind !== 'play') throw new RtspFailure(455, 'Nothing was set up to be played.')
      await plays.take()
      await confirmed(playing)
      await playing.turn()
      checkCurrent(playing)
      const rtpInfo = playing.play(url.base)
      beginStreaming()
      log.info({ ...playing.describe(), remoteAddress }, 'A reader plays.')
      return { status: 200, headers: [...(rtpInfo ? [['RTP-Info', rtpInfo] as const] : []), ...sessionHeader()] }
    },

    async RECORD() {
      if (role?.kind !== 'publish') throw new RtspFailure(455, 'Nothing was announced.')
      const publishing = await confirmed(role)
      publishing.record()
      beginStreaming()
      log.info({ ...publishing.describe(), remoteAddress }, 'A publisher sends.')
      return { status: 200, headers: sessionHeader() }
    },

    PAUSE() {
      if (!role) throw new RtspFailure(455, 'There is nothing to pause.')
      role.pause()
      onStreaming(false)
      return { status: 200, headers: sessionHeader() }
    },

    TEARDOWN() {
      const headers = sessionHeader()
      endRole('torn down')
      return { status: 200, headers }
    },

    GET_PARAMETER: () => ({ status: 200, headers: sessionHeader() }),
    SET_PARAMETER: () => ({ status: 200, headers: sessionHeader() }),
  }

  /** The session, once it is sure that its right has not been taken away since it began. */
  async function confirmed<S extends Publisher | Player>(current: S): Promise<S> {
    await gatekeeper.confirm(current)
    checkCurrent(current)
    return current
  }

  function checkCurrent(current: Publisher | Player): void {
    if (role !== current) throw new RtspFailure(454, 'The session ended meanwhile.')
  }

  function openPublisher(publication: Publication, tracks: ReturnType<typeof parseSdp>): Publisher {
    if (isClosed) {
      publication.close()
      throw new RtspFailure(454, 'The connection closed meanwhile.')
    }
    const onEnd = (reason: string) => leave(reason)
    return createPublisher({
      publication,
      tracks,
      network: networkOf(publication),
      idleMs: timeouts.publisherMs,
      now,
      onEnd,
    })
  }

  async function playerFor(request: RtspRequest, url: StreamUrl): Promise<Player> {
    const path = trimSlashes(url.path)
    if (role?.kind === 'play') {
      if (path !== role.path) throw new RtspFailure(459, 'A session has tracks of one stream.')
      // ffmpeg, when no UDP comes through: it pauses and sets the tracks up anew by TCP, without naming the session.
      const isAnew = !request.headers.has('session') && role.isFinishedFor(role.trackOf(request.url))
      if (!isAnew) return confirmed(role)
      role.close()
      endStreaming()
    }
    const known = described?.path === path ? described : undefined
    if (known) await gatekeeper.confirm(known)
    const subscription = known ?? (await gatekeeper.ask(request, url, (access) => hub.subscribe(url.path, access)))
    if (isClosed) throw new RtspFailure(454, 'The connection closed meanwhile.')
    described = subscription
    const playing = createPlayer({
      subscription,
      network: networkOf(subscription),
      socket: peer,
      fanOut,
      joinWaiting: (end) => waitingBytes.join(ownerOfPath(path), end),
      limits: { maxQueuedBytes: limits.maxQueuedBytes, maxQueuedMs: timeouts.maxQueuedMs },
      idleMs: timeouts.sessionMs,
      now,
      onEnd: (reason) => leave(reason),
      onTooSlow: cutOff,
    })
    role = playing
    return playing
  }

  function networkOf({ path }: Publication | Subscription): PlayerOptions['network'] {
    return { ...network, account: ownerOfPath(path) }
  }

  function sessionHeader(): (readonly [string, string])[] {
    return role ? [['Session', `${role.id};timeout=${Math.round(timeouts.sessionMs / 1000)}`]] : []
  }

  function beginStreaming(): void {
    hasStreamed = true
    idleSinceMs = undefined
    onStreaming(true)
  }

  function endStreaming(): void {
    hasStreamed = false
    idleSinceMs ??= now()
    onStreaming(false)
  }

  function endRole(reason: string): void {
    if (!role) return
    const ended = role
    role = undefined
    described = undefined
    ended.close()
    endStreaming()
    log.info(
      { ...ended.describe(), remoteAddress, reason },
      `A ${ended.kind === 'play' ? 'reader' : 'publisher'} left.`,
    )
  }

  /** The stream is over: clients learn it by the end of the connection, since RTSP 1.0 has no message for it. */
  function leave(reason: string): void {
    endRole(reason)
    peer.end()
  }

  function cutOff(why: string): void {
    log.warn({ ...role?.describe(), remoteAddress, why, queuedBytes: peer.queuedBytes() }, 'A reader was too slow.')
    endRole(why)
    peer.destroy()
  }

  function checkHeaders({ headers, method }: RtspRequest): void {
    if (!headers.has('cseq')) throw new RtspFailure(400, 'A request needs a CSeq.')
    const required = headers.get('require')
    if (required) throw new RtspFailure(551, 'An extension is not known here.', [['Unsupported', required]])
    if (!Object.hasOwn(methods, method)) throw new RtspFailure(501, 'This method is not known here.')
    const named = headers.get('session')?.split(';')[0]?.trim()
    const isOutside = method === 'OPTIONS' || method === 'DESCRIBE' || method === 'ANNOUNCE'
    if (named && !isOutside && named !== role?.id) throw new RtspFailure(454, 'There is no such session.')
  }

  function toAnswer(error: unknown, request: RtspRequest): Answer {
    if (!(error instanceof RtspFailure)) {
      log.warn({ err: error, method: request.method, remoteAddress }, 'A request failed.')
      return { status: 500 }
    }
    // The first 401 of a connection is how every client learns that credentials are asked for.
    const isWorthALine = error.status !== 401 || request.headers.has('authorization')
    const { status, message, headers, phrase } = error
    if (isWorthALine)
      refusals.note({ method: request.method, status, remoteAddress, why: message }, 'A request was refused.')
    return { status, isLast: gatekeeper.isFedUp, ...(headers && { headers }), ...(phrase && { phrase }) }
  }

  return {
    async answer(request) {
      lastRequestAtMs = now()
      if (role?.kind === 'play') role.touch()
      try {
        checkHeaders(request)
        return await methods[request.method]!(request, parseStreamUrl(request.url))
      } catch (error) {
        return toAnswer(error, request)
      }
    },
    frame: (channel, data) => role?.frame(channel, data),
    check(nowMs) {
      if (idleSinceMs !== undefined && nowMs - idleSinceMs > timeouts.startMs) return 'nothing was published or played'
      if (role) return role.check(nowMs)
      return nowMs - lastRequestAtMs > timeouts.sessionMs ? 'no sign of life' : undefined
    },
    close(reason) {
      isClosed = true
      endRole(reason)
    },
  }
}
