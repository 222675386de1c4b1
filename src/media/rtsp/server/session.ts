import { systemClock } from '../../../core/clock.ts'
import { ownerOfPath } from '../../../core/media-path.ts'
import { trimSlashes } from '../../../core/trim-slashes.ts'
import { type Client } from '../../listener.ts'
import { createPlayPace } from '../../play-pace.ts'
import { type Publication, type Subscription } from '../../publication.ts'
import { createGatekeeper } from './gatekeeper.ts'
import { type Answer, RtspFailure, type RtspRequest } from '../wire/message.ts'
import { createPlaySession, type PlaySession, type PlaySessionOptions } from './player.ts'
import { createPublishSession, type PublishSession } from './publisher.ts'
import { parseSdp } from '../wire/sdp-parser.ts'
import { writeSdp } from '../wire/sdp-writer.ts'
import { type ServerContext } from './server-context.ts'
import { parseStreamUrl, type StreamUrl } from './stream-url.ts'
import { type MediaSocket } from './tcp-reader.ts'
import { formatTransport, parseTransport } from '../wire/transport-header.ts'

/** What a client and the server say to each other in one connection: at most one session at a time, which ends with it. */
export interface Conversation {
  /** Never rejects for what a client does. */
  answer(request: RtspRequest): Promise<Answer>
  frame(channel: number, data: Buffer): void
  /** Why the connection has to end; undefined while all is well. */
  check(nowMs: number): string | undefined
  close(reason: string): void
}

/** The connection, as far as a conversation needs it. */
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

export function createConversation(
  peer: Peer,
  context: ServerContext,
  { onGranted, onStreaming }: Pick<Client, 'onGranted' | 'onStreaming'>,
): Conversation {
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
  let session: PublishSession | PlaySession | undefined
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
      if (session) throw new RtspFailure(455, 'This connection has a session already.')
      const type = request.headers.get('content-type') ?? 'application/sdp'
      if (!/^application\/sdp\b/i.test(type)) throw new RtspFailure(415, 'A description must be application/sdp.')
      const tracks = parseSdp(request.body.toString('utf8'))
      const publication = await gatekeeper.ask(request, url, (access) => hub.publish(url.path, access))
      session = openPublishSession(publication, tracks)
      return { status: 200 }
    },

    async SETUP(request, url) {
      const offers = parseTransport(request.headers.get('transport') ?? '')
      if (session?.kind === 'publish') {
        const publishing = await confirmed(session)
        const transport = await publishing.setUp(request.url, offers)
        return { status: 200, headers: [['Transport', formatTransport(transport, 'record')], ...sessionHeader()] }
      }
      const playing = await playSessionFor(request, url)
      const transport = await playing.setUp(playing.trackOf(request.url), offers)
      return { status: 200, headers: [['Transport', formatTransport(transport, 'play')], ...sessionHeader()] }
    },

    async PLAY(_request, url) {
      const playing = session
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
      if (session?.kind !== 'publish') throw new RtspFailure(455, 'Nothing was announced.')
      const publishing = await confirmed(session)
      publishing.record()
      beginStreaming()
      log.info({ ...publishing.describe(), remoteAddress }, 'A publisher sends.')
      return { status: 200, headers: sessionHeader() }
    },

    PAUSE() {
      if (!session) throw new RtspFailure(455, 'There is nothing to pause.')
      session.pause()
      onStreaming(false)
      return { status: 200, headers: sessionHeader() }
    },

    TEARDOWN() {
      const headers = sessionHeader()
      endSession('torn down')
      return { status: 200, headers }
    },

    GET_PARAMETER: () => ({ status: 200, headers: sessionHeader() }),
    SET_PARAMETER: () => ({ status: 200, headers: sessionHeader() }),
  }

  /** The session, once it is sure that its right has not been taken away since it began. */
  async function confirmed<S extends PublishSession | PlaySession>(current: S): Promise<S> {
    await gatekeeper.confirm(current)
    checkCurrent(current)
    return current
  }

  function checkCurrent(current: PublishSession | PlaySession): void {
    if (session !== current) throw new RtspFailure(454, 'The session ended meanwhile.')
  }

  function openPublishSession(publication: Publication, tracks: ReturnType<typeof parseSdp>): PublishSession {
    if (isClosed) {
      publication.close()
      throw new RtspFailure(454, 'The connection closed meanwhile.')
    }
    const onEnd = (reason: string) => leave(reason)
    return createPublishSession({
      publication,
      tracks,
      network: networkOf(publication),
      idleMs: timeouts.publisherMs,
      now,
      onEnd,
    })
  }

  async function playSessionFor(request: RtspRequest, url: StreamUrl): Promise<PlaySession> {
    const path = trimSlashes(url.path)
    if (session?.kind === 'play') {
      if (path !== session.path) throw new RtspFailure(459, 'A session has tracks of one stream.')
      // ffmpeg, when no UDP comes through: it pauses and sets the tracks up anew by TCP, without naming the session.
      const isAnew = !request.headers.has('session') && session.isFinishedFor(session.trackOf(request.url))
      if (!isAnew) return confirmed(session)
      session.close()
      endStreaming()
    }
    const known = described?.path === path ? described : undefined
    if (known) await gatekeeper.confirm(known)
    const subscription = known ?? (await gatekeeper.ask(request, url, (access) => hub.subscribe(url.path, access)))
    if (isClosed) throw new RtspFailure(454, 'The connection closed meanwhile.')
    described = subscription
    const playing = createPlaySession({
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
    session = playing
    return playing
  }

  function networkOf({ path }: Publication | Subscription): PlaySessionOptions['network'] {
    return { ...network, account: ownerOfPath(path) }
  }

  function sessionHeader(): (readonly [string, string])[] {
    return session ? [['Session', `${session.id};timeout=${Math.round(timeouts.sessionMs / 1000)}`]] : []
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

  function endSession(reason: string): void {
    if (!session) return
    const ended = session
    session = undefined
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
    endSession(reason)
    peer.end()
  }

  function cutOff(why: string): void {
    log.warn({ ...session?.describe(), remoteAddress, why, queuedBytes: peer.queuedBytes() }, 'A reader was too slow.')
    endSession(why)
    peer.destroy()
  }

  function checkHeaders({ headers, method }: RtspRequest): void {
    if (!headers.has('cseq')) throw new RtspFailure(400, 'A request needs a CSeq.')
    const required = headers.get('require')
    if (required) throw new RtspFailure(551, 'An extension is not known here.', [['Unsupported', required]])
    if (!Object.hasOwn(methods, method)) throw new RtspFailure(501, 'This method is not known here.')
    const named = headers.get('session')?.split(';')[0]?.trim()
    const isOutside = method === 'OPTIONS' || method === 'DESCRIBE' || method === 'ANNOUNCE'
    if (named && !isOutside && named !== session?.id) throw new RtspFailure(454, 'There is no such session.')
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
      if (session?.kind === 'play') session.touch()
      try {
        checkHeaders(request)
        return await methods[request.method]!(request, parseStreamUrl(request.url))
      } catch (error) {
        return toAnswer(error, request)
      }
    },
    frame: (channel, data) => session?.frame(channel, data),
    check(nowMs) {
      if (idleSinceMs !== undefined && nowMs - idleSinceMs > timeouts.startMs) return 'nothing was published or played'
      if (session) return session.check(nowMs)
      return nowMs - lastRequestAtMs > timeouts.sessionMs ? 'no sign of life' : undefined
    },
    close(reason) {
      isClosed = true
      endSession(reason)
    },
  }
}
