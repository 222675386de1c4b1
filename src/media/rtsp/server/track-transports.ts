import { RtspFailure } from '../wire/message.ts'
import { type Pair, type TransportAnswer, type TransportOffer } from '../wire/transport-header.ts'
import { type UdpPair, type UdpPorts } from '../wire/udp-pair.ts'

export type TrackTransport =
  { readonly protocol: 'tcp'; readonly channels: Pair } | { readonly protocol: 'udp'; readonly pair: UdpPair }

/** How the tracks of one session travel: all interleaved in the connection, or all by UDP. */
export interface TrackTransports {
  /** Undefined until the first track is set up. */
  readonly protocol: TrackTransport['protocol'] | undefined
  /** Takes the first offer that can be served, or fails with 461. A track set up again loses its old transport. */
  setUp(track: number, offers: readonly TransportOffer[]): Promise<TransportAnswer>
  of(track: number): TrackTransport | undefined
  /** Hands an interleaved frame to the track of its channel. */
  frame(channel: number, data: Buffer): void
  close(): void
}

export interface TrackTransportsOptions {
  readonly localAddress: string
  readonly remoteAddress: string
  readonly isEncrypted: boolean
  readonly udpPorts: UdpPorts
  /** Whose stream it is: that account's share of the UDP ports is used. */
  readonly account: string
  readonly onRtp: (track: number, data: Buffer) => void
  readonly onRtcp: (track: number, data: Buffer) => void
}

export function createTrackTransports(options: TrackTransportsOptions): TrackTransports {
  const { onRtp, onRtcp } = options
  const transports = new Map<number, TrackTransport>()
  const byChannel = new Map<number, (data: Buffer) => void>()
  let protocol: TrackTransport['protocol'] | undefined
  let isClosed = false

  function isPossible(offer: TransportOffer): boolean {
    if (protocol && offer.protocol !== protocol) return false
    return offer.protocol === 'tcp' || !options.isEncrypted
  }

  async function bind(track: number, clientPorts: Pair): Promise<UdpPair> {
    const { localAddress, remoteAddress, udpPorts, account } = options
    const pair = await udpPorts.take(account, {
      localAddress,
      peerAddress: remoteAddress,
      peerPorts: clientPorts,
      onRtp: (data) => onRtp(track, data),
      onRtcp: (data) => onRtcp(track, data),
    })
    if (!pair) throw new RtspFailure(461, 'No UDP ports are free; TCP is possible.')
    if (!isClosed) return pair
    pair.close()
    throw new RtspFailure(454, 'The session ended meanwhile.')
  }

  /** The pair that the client asked for, unless it is taken; then the next that is free. */
  function chooseChannels(wanted: Pair | undefined): Pair {
    const isFree = ([rtp, rtcp]: Pair) => !byChannel.has(rtp) && !byChannel.has(rtcp)
    if (wanted && isFree(wanted)) return wanted
    let first = 0
    while (!isFree([first, first + 1])) first += 2
    return [first, first + 1]
  }

  function release(track: number): void {
    const transport = transports.get(track)
    transports.delete(track)
    if (transport?.protocol === 'udp') transport.pair.close()
    if (transport?.protocol === 'tcp') for (const channel of transport.channels) byChannel.delete(channel)
  }

  return {
    get protocol() {
      return protocol
    },
    async setUp(track, offers) {
      const offer = offers.find(isPossible)
      if (!offer) throw new RtspFailure(461, 'None of the offered transports can be served.')
      if (offer.protocol === 'udp') {
        const pair = await bind(track, offer.clientPorts)
        release(track)
        transports.set(track, { protocol: 'udp', pair })
        protocol = 'udp'
        return { protocol: 'udp', clientPorts: offer.clientPorts, serverPorts: pair.ports }
      }
      release(track)
      const channels = chooseChannels(offer.channels)
      byChannel.set(channels[0], (data) => onRtp(track, data))
      byChannel.set(channels[1], (data) => onRtcp(track, data))
      transports.set(track, { protocol: 'tcp', channels })
      protocol = 'tcp'
      return { protocol: 'tcp', channels }
    },
    of: (track) => transports.get(track),
    frame: (channel, data) => byChannel.get(channel)?.(data),
    close() {
      isClosed = true
      for (const track of [...transports.keys()]) release(track)
    },
  }
}
