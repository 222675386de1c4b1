import { randomInt } from 'node:crypto'
import { ownerOfPath } from '../../core/media-path.ts'
import { RtspClientError } from '../rtsp/client/client-error.ts'
import { type MediaTrack } from '../stream.ts'
import { type WebrtcOffer, type WebrtcRefusalReason } from '../messages.ts'
import { createPublisher, openHubPublisher } from './publisher.ts'
import { chooseFormat, isFragmenting } from './format-choice.ts'
import { type Offer, type OfferedFormat, OfferError, parseOffer } from './offer.ts'
import { createPeer, type Peer, type PeerOptions, type WantedTrack } from './peer.ts'
import { createSharedTurns } from './shared-turns.ts'
import { openHubStream, type HubStream } from './hub-stream.ts'
import { createViewer } from './viewer.ts'

/** Browsers on one side, the hub on the other. */
export interface Gateway {
  /** Answers an offer, or rejects with a `GatewayRefusal`. */
  answer(offer: WebrtcOffer): Promise<string>
  /** Nothing happens when there is no such session. */
  end(id: string, reason: string): void
  /** Whose stream the session is of that has this name in our answer (`a=ice-ufrag`). */
  accountOf(ufrag: string): string | undefined
  readonly sessionCount: number
  close(): Promise<void>
}

export interface GatewayOptions {
  readonly peer: PeerOptions
  readonly limits?: { readonly sessions: number; readonly sessionsPerPath: number }
  /** A session is over; it has an `a=ice-ufrag` if it had been answered. */
  readonly onEnded: (id: string, reason: string, ufrag: string | undefined) => void
}

/** Why an offer is not answered. */
export class GatewayRefusal extends Error {
  readonly reason: WebrtcRefusalReason

  constructor(reason: WebrtcRefusalReason, sentence: string) {
    super(sentence)
    this.name = 'GatewayRefusal'
    this.reason = reason
  }
}

interface Session {
  readonly path: string
  readonly kind: WebrtcOffer['kind']
  peer?: Peer
  /** Of our answer. */
  ufrag?: string | undefined
  /** The viewer or the publisher. */
  work?: { start(): void; tick(nowMs: number): string | undefined; close(): void }
  isConnected: boolean
  readonly sinceMs: number
  release(): void
}

const CONNECT_WITHIN_MS = 10_000
const DEFAULT_LIMITS = { sessions: 500, sessionsPerPath: 100 }

export function createGateway({ peer: peerOptions, limits = DEFAULT_LIMITS, onEnded }: GatewayOptions): Gateway {
  const sessions = new Map<string, Session>()
  const hubStreams = new Map<string, { readonly opened: Promise<HubStream>; users: number }>()
  const turns = createSharedTurns()
  const timer = setInterval(tick, 1_000)

  function tick(): void {
    const nowMs = Date.now()
    for (const [id, session] of sessions) {
      const reason = session.isConnected
        ? session.work?.tick(nowMs)
        : nowMs - session.sinceMs > CONNECT_WITHIN_MS
          ? 'it did not connect'
          : undefined
      if (reason) finish(id, reason)
    }
  }

  function finish(id: string, reason: string): void {
    const session = sessions.get(id)
    if (!session) return
    sessions.delete(id)
    session.work?.close()
    session.peer?.close()
    session.release()
    onEnded(id, reason, session.ufrag)
  }

  function checkRoom(path: string): void {
    const onPath = [...sessions.values()].filter((session) => session.path === path).length
    if (sessions.size >= limits.sessions || onPath >= limits.sessionsPerPath) {
      throw new GatewayRefusal('full', 'As many watch as can be served.')
    }
  }

  /** One reader of the hub for all viewers of a path; gone with the last of them. */
  function useHubStream(path: string, url: string): { opened: Promise<HubStream>; release: () => void } {
    let hubStream = hubStreams.get(path)
    if (!hubStream) {
      const opened = openHubStream(url, () => hubStreams.get(path)?.opened === opened && hubStreams.delete(path))
      opened.catch(() => hubStreams.get(path)?.opened === opened && hubStreams.delete(path))
      hubStreams.set(path, (hubStream = { opened, users: 0 }))
    }
    const used = hubStream
    used.users++
    let isReleased = false
    return {
      opened: used.opened,
      release() {
        if (isReleased) return
        isReleased = true
        if (--used.users > 0) return
        if (hubStreams.get(path) === used) hubStreams.delete(path)
        used.opened.then((open) => open.close()).catch(() => {})
      },
    }
  }

  function begin(id: string, session: Session, peer: Peer): void {
    session.peer = peer
    peer.onGone((reason) => finish(id, reason))
    peer.onConnected(() => {
      session.isConnected = true
      session.work?.start()
    })
  }

  async function watch({ id, path, url }: WebrtcOffer, sdp: string, offer: Offer, session: Session): Promise<string> {
    const { opened, release } = useHubStream(path, url)
    session.release = release
    const hubStream = await opened
    const uses = chooseTracks(hubStream, offer)
    const wanted: WantedTrack[] = offer.media.map((media) => {
      const use = uses.find(({ mid }) => mid === media.mid)
      return { media, use: use && { direction: 'send', format: use.format, ssrc: use.ssrc } }
    })
    const peer = createPeer(peerOptions, sdp, wanted)
    const viewerTracks = uses.map(({ track, format, ssrc, mid }) => {
      const peerTrack = peer.tracks[offer.media.findIndex((media) => media.mid === mid)]!
      return { track, payloadType: format.payloadType, ssrc, peerTrack }
    })
    session.work = createViewer({
      hubStream,
      tracks: viewerTracks,
      onEnd: (reason) => finish(id, reason),
      turns,
      now: Date.now,
    })
    begin(id, session, peer)
    return peer.answer()
  }

  async function publish({ id, path, url }: WebrtcOffer, sdp: string, offer: Offer, session: Session): Promise<string> {
    for (const [other, { path: taken, kind }] of sessions) {
      // The same camera again, after a reload: it has the same rights, and the old one will hardly come back.
      if (other !== id && kind === 'publish' && taken === path) finish(other, 'another publisher took over')
    }
    const uses = choosePublished(offer)
    const tracks = uses.map(({ format, kind }) => toTrack(kind, format))
    const hubPublisher = await openHubPublisher(url, tracks)
    session.release = () => void hubPublisher.close()
    const wanted: WantedTrack[] = offer.media.map((media) => {
      const use = uses.find(({ mid }) => mid === media.mid)
      return { media, use: use && { direction: 'receive', format: use.format } }
    })
    const peer = createPeer(peerOptions, sdp, wanted)
    const publisherTracks = uses.map(({ mid }, index) => ({
      track: tracks[index]!,
      peerTrack: peer.tracks[offer.media.findIndex((media) => media.mid === mid)]!,
    }))
    session.work = createPublisher({
      hubPublisher,
      tracks: publisherTracks,
      onEnd: (reason) => finish(id, reason),
      now: Date.now,
    })
    begin(id, session, peer)
    return peer.answer()
  }

  return {
    async answer(request) {
      const { id, path, kind, sdp } = request
      checkRoom(path)
      const session: Session = { path, kind, isConnected: false, sinceMs: Date.now(), release: () => {} }
      sessions.set(id, session)
      try {
        const offer = parseOffer(sdp)
        const answer = await (kind === 'watch' ? watch : publish)(request, sdp, offer, session)
        if (!sessions.has(id)) throw new GatewayRefusal('not-live', 'The stream ended meanwhile.')
        session.ufrag = /^a=ice-ufrag:(\S+)/m.exec(answer)?.[1]
        return answer
      } catch (error) {
        sessions.delete(id)
        session.work?.close()
        session.peer?.close()
        session.release()
        throw toRefusal(error)
      }
    },
    end: finish,
    accountOf(ufrag) {
      for (const session of sessions.values()) if (session.ufrag === ufrag) return ownerOfPath(session.path)
      return undefined
    },
    get sessionCount() {
      return sessions.size
    },
    async close() {
      clearInterval(timer)
      for (const id of [...sessions.keys()]) finish(id, 'the gateway stops')
      await Promise.allSettled([...hubStreams.values()].map(async ({ opened }) => (await opened).close()))
    },
  }
}

function toRefusal(error: unknown): GatewayRefusal {
  if (error instanceof GatewayRefusal) return error
  const { message } = error as Error
  if (error instanceof OfferError) return new GatewayRefusal('offer-invalid', message)
  if (error instanceof RtspClientError && error.status === 404) return new GatewayRefusal('not-live', message)
  if (error instanceof RtspClientError && error.status === 409) return new GatewayRefusal('path-in-use', message)
  // Our own token is good for the path, so it is the limit of whose path it is.
  if (error instanceof RtspClientError && error.status === 403) return new GatewayRefusal('limit-reached', message)
  return new GatewayRefusal('unavailable', message)
}

interface Use {
  readonly track: number
  readonly mid: string
  readonly format: OfferedFormat
  readonly ssrc: number
}

/** What of the stream goes into which section of the offer. Sound that can't go is left out; a picture must go. */
function chooseTracks(hubStream: HubStream, offer: Offer): Use[] {
  const sections = offer.media.filter(({ direction }) => direction === 'recvonly' || direction === 'sendrecv')
  const uses: Use[] = []
  for (const [index, track] of hubStream.tracks.entries()) {
    if (uses.some(({ track: used }) => hubStream.tracks[used]!.kind === track.kind)) continue
    const section = sections.find(({ kind }) => kind === track.kind)
    const format = section && chooseFormat(track, section.formats)
    if (format) uses.push({ track: index, mid: section.mid, format, ssrc: randomInt(1, 2 ** 32) })
  }
  checkPicture(
    hubStream,
    sections.some(({ kind }) => kind === 'video'),
    uses,
  )
  return uses
}

function checkPicture(hubStream: HubStream, isWanted: boolean, uses: readonly Use[]): void {
  const video = hubStream.tracks.find(({ kind }) => kind === 'video')
  if (video && isWanted) {
    const name = video.encodingName || 'its codec'
    if (!uses.some(({ track }) => hubStream.tracks[track] === video)) {
      throw new GatewayRefusal(
        'cannot-carry',
        `The stream’s picture is ${name}, which this browser does not take by WebRTC.`,
      )
    }
    if (hubStream.hasReorderedPictures) {
      throw new GatewayRefusal('cannot-carry', `The stream’s ${name} has B-frames, which WebRTC cannot carry.`)
    }
  }
  if (uses.length === 0) throw new GatewayRefusal('cannot-carry', 'Nothing of the stream fits the offer.')
}

/** The first picture in H.264 and the first sound in Opus that the browser would send. */
function choosePublished(offer: Offer): { mid: string; kind: 'video' | 'audio'; format: OfferedFormat }[] {
  const sections = offer.media.filter(({ direction }) => direction === 'sendonly' || direction === 'sendrecv')
  const video = sections.find(({ kind }) => kind === 'video')
  const baseline = /profile-level-id=42/
  const h264 = video?.formats.filter((format) => format.name === 'H264' && isFragmenting(format)) ?? []
  const picture = h264.find(({ fmtp }) => baseline.test(fmtp)) ?? h264[0]
  if (!picture) throw new GatewayRefusal('cannot-carry', 'The offer has no H.264 picture to send.')
  const audio = sections.find(({ kind }) => kind === 'audio')
  const sound = audio?.formats.find(({ name }) => name === 'OPUS')
  return [
    { mid: video!.mid, kind: 'video', format: picture },
    ...(sound ? [{ mid: audio!.mid, kind: 'audio' as const, format: sound }] : []),
  ]
}

function toTrack(kind: 'video' | 'audio', { payloadType, clockRate, channels }: OfferedFormat): MediaTrack {
  const common = { kind, payloadType, clockRate }
  if (kind === 'audio') return { ...common, codec: 'opus', encodingName: 'opus', channels }
  return { ...common, codec: 'h264', encodingName: 'H264', fmtp: 'packetization-mode=1' }
}
