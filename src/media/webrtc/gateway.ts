import { checkEvery } from '../../core/clock.ts'
import { type MediaTrack } from '../stream.ts'
import { type RtspPublisher } from '../rtsp/client/publisher.ts'
import { type WebrtcOffer } from '../messages.ts'
import { toRefusal } from './gateway-refusal.ts'
import { createGatewaySessions, type GatewaySession, type GatewaySessionOptions } from './gateway-sessions.ts'
import { type Offer, parseOffer } from './offer.ts'
import { type Peer, type PeerTrack, type WantedTrack } from './peer.ts'
import { createPublisher } from './publisher.ts'
import { createSharedHubStreams, type OpenHubStream } from './shared-hub-streams.ts'
import { createSharedTurns } from './shared-turns.ts'
import { chooseReceived, chooseSent } from './track-choice.ts'
import { createViewer } from './viewer.ts'

/** Browsers on one side, the hub on the other. */
export interface Gateway {
  /** Answers an offer, or rejects with a `GatewayRefusal`. */
  answer(offer: WebrtcOffer): Promise<string>
  /** Nothing happens when there is no such session. */
  end(id: string, reason: string): void
  /** The owner of the path whose session has this name in our answer (`a=ice-ufrag`). */
  accountOf(ufrag: string): string | undefined
  readonly sessionCount: number
  close(): Promise<void>
}

export interface GatewayOptions {
  /** Throws when the offer cannot be answered. */
  readonly createPeer: (sdp: string, wanted: readonly WantedTrack[]) => Peer
  readonly hub: {
    readonly openStream: OpenHubStream
    openPublisher(url: string, tracks: readonly MediaTrack[]): Promise<RtspPublisher>
  }
  readonly limits?: GatewaySessionOptions['limits']
  readonly onEnded: GatewaySessionOptions['onEnded']
}

const DEFAULT_LIMITS = { sessions: 500, sessionsPerPath: 100 }
const TICK_MS = 1_000

export function createGateway({ createPeer, hub, limits = DEFAULT_LIMITS, onEnded }: GatewayOptions): Gateway {
  const now = () => performance.now()
  const sessions = createGatewaySessions({ limits, onEnded, now })
  const hubStreams = createSharedHubStreams(hub.openStream)
  const turns = createSharedTurns()
  const stopTicks = checkEvery(TICK_MS, now, (nowMs) => sessions.tick(nowMs))

  async function watch({ id, path, url, sdp }: WebrtcOffer, offer: Offer, session: GatewaySession): Promise<string> {
    const { opened, release } = hubStreams.use(path, url)
    session.hold(release)
    const hubStream = await opened
    const sent = chooseSent(hubStream, offer)
    const peer = createPeer(
      sdp,
      wantedTracks(offer, sent, ({ format, ssrc }) => ({ direction: 'send', format, ssrc })),
    )
    const tracks = sent.map(({ track, format, ssrc, mid }) => ({
      track,
      payloadType: format.payloadType,
      ssrc,
      peerTrack: peerTrackOf(peer, offer, mid),
    }))
    const onEnd = (reason: string) => sessions.end(id, reason)
    session.connect(peer, createViewer({ hubStream, tracks, onEnd, turns, now }))
    return peer.answer()
  }

  async function publish({ id, url, sdp }: WebrtcOffer, offer: Offer, session: GatewaySession): Promise<string> {
    const received = chooseReceived(offer)
    const hubPublisher = await hub.openPublisher(
      url,
      received.map(({ track }) => track),
    )
    session.hold(() => void hubPublisher.close())
    const peer = createPeer(
      sdp,
      wantedTracks(offer, received, ({ format }) => ({ direction: 'receive', format })),
    )
    const tracks = received.map(({ track, mid }) => ({ track, peerTrack: peerTrackOf(peer, offer, mid) }))
    const onEnd = (reason: string) => sessions.end(id, reason)
    session.connect(peer, createPublisher({ hubPublisher, tracks, onEnd, now }))
    return peer.answer()
  }

  return {
    async answer(request) {
      const session = sessions.open(request.id, request.path)
      try {
        const offer = parseOffer(request.sdp)
        const answer = await (request.kind === 'watch' ? watch : publish)(request, offer, session)
        session.setAnswer(answer)
        return answer
      } catch (error) {
        session.discard()
        throw toRefusal(error)
      }
    },
    end: (id, reason) => sessions.end(id, reason),
    accountOf: (ufrag) => sessions.accountOf(ufrag),
    get sessionCount() {
      return sessions.count
    },
    async close() {
      stopTicks()
      sessions.endAll('the gateway stops')
      await hubStreams.close()
    },
  }
}

/** Every section of the offer is answered; those that are not used carry nothing. */
function wantedTracks<Used extends { readonly mid: string }>(
  { media }: Offer,
  used: readonly Used[],
  toUse: (one: Used) => WantedTrack['use'],
): WantedTrack[] {
  return media.map((section) => {
    const one = used.find(({ mid }) => mid === section.mid)
    return { media: section, use: one && toUse(one) }
  })
}

function peerTrackOf({ tracks }: Peer, { media }: Offer, mid: string): PeerTrack {
  return tracks[media.findIndex((section) => section.mid === mid)]!
}
