import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import ndc from 'node-datachannel'
import { withHosts, withoutDenied, withTcp } from './candidates.ts'
import { type OfferedFormat, OfferError, type OfferedMedia } from './offer.ts'

/** A browser at the other end, by way of the WebRTC library; only this file and `udp-port.ts` know it. */
export interface Peer {
  /** In the order of what was wanted; undefined where that was nothing. */
  readonly tracks: readonly (PeerTrack | undefined)[]
  /** Our answer, with every address by which we can be reached. */
  answer(): Promise<string>
  onConnected(handler: () => void): void
  /** Called once, when the other end has left or can't be reached; not after `close`. */
  onGone(handler: (reason: string) => void): void
  close(): void
}

export interface PeerTrack {
  /** RTP or RTCP, encrypted and sent at once; what is not open yet is dropped. The data is copied. */
  send(data: Buffer): void
  onMessage(handler: (data: Buffer) => void): void
}

/** What becomes of one media section of the offer. */
export interface WantedTrack {
  readonly media: OfferedMedia
  /** Undefined: nothing flows in it. */
  readonly use?:
    | { readonly direction: 'send'; readonly format: OfferedFormat; readonly ssrc: number }
    | { readonly direction: 'receive'; readonly format: OfferedFormat }
    | undefined
}

export interface PeerOptions {
  /** One UDP port for all, which is held open (`udp-port.ts`). */
  readonly port: number
  /** Where browsers come by TCP; undefined when they can't. */
  readonly tcpPort: number | undefined
  readonly bindAddress: string | undefined
  /** Addresses or names by which this machine is reached through a NAT, beside its own. */
  readonly advertisedHosts: readonly string[]
  readonly stunServers: readonly string[]
  /** Whether packets may be sent to this address because a browser says so. */
  readonly mayCall: (address: string, port: number) => boolean
}

const GATHER_MS = 2_000

export function createPeer(options: PeerOptions, offer: string, wanted: readonly WantedTrack[]): Peer {
  const connection = new ndc.PeerConnection('aerie', {
    iceServers: [...options.stunServers],
    enableIceUdpMux: true,
    portRangeBegin: options.port,
    portRangeEnd: options.port,
    disableAutoNegotiation: true,
    forceMediaTransport: true,
    ...(options.bindAddress && { bindAddress: options.bindAddress }),
  })
  let reportGone: (reason: string) => void = () => {}
  let reportConnected = () => {}
  let isOver = false
  const gathered = new Promise<void>((resolve) => {
    connection.onGatheringStateChange((state) => state === 'complete' && resolve())
    setTimeout(resolve, GATHER_MS).unref()
  })
  connection.onStateChange((state) => {
    if (isOver) return
    if (state === 'connected') return reportConnected()
    if (state !== 'disconnected' && state !== 'failed' && state !== 'closed') return
    isOver = true
    reportGone(state === 'failed' ? 'the connection failed' : 'the other end left')
  })

  const opened: ndc.Track[] = []

  function close(): void {
    isOver = true
    // The connection closes its tracks, but not what the library holds of them for us: each would keep its handler of messages for
    // ever, and by that all that is known of its viewer.
    for (const track of opened) track.close()
    connection.close()
  }

  function openTrack(one: WantedTrack): PeerTrack {
    const track = addTrack(connection, one)
    opened.push(track)
    return {
      send: (data) => void (track.isOpen() && track.sendMessageBinary(data)),
      onMessage: (handler) => track.onMessage(handler),
    }
  }

  try {
    connection.setRemoteDescription(withoutDenied(offer, options.mayCall), 'offer')
    const tracks = wanted.map((one) => (one.media.kind === 'other' ? undefined : openTrack(one)))
    connection.setLocalDescription('answer')
    return {
      tracks,
      async answer() {
        await gathered
        const description = connection.localDescription()
        if (!description) throw new OfferError('No answer can be made to it.')
        const sdp = withHosts(description.sdp, await resolveAll(options.advertisedHosts), options.port)
        return options.tcpPort === undefined ? sdp : withTcp(sdp, options.tcpPort)
      },
      onConnected: (handler) => void (reportConnected = handler),
      onGone: (handler) => void (reportGone = handler),
      close,
    }
  } catch (error) {
    close()
    // The library says it in words for programmers.
    throw new OfferError(`The WebRTC library does not take it (${(error as Error).message.replace(/\.$/, '')}).`)
  }
}

function addTrack(connection: ndc.PeerConnection, { media, use }: WantedTrack): ndc.Track {
  const direction = use ? (use.direction === 'send' ? 'SendOnly' : 'RecvOnly') : 'Inactive'
  const description = media.kind === 'video' ? new ndc.Video(media.mid, direction) : new ndc.Audio(media.mid, direction)
  // A section in which nothing flows still names a format; the library knows these of sound.
  const format =
    use?.format ?? media.formats.find(({ name }) => ['OPUS', 'PCMA', 'PCMU'].includes(name)) ?? media.formats[0]
  if (format) addFormat(description, format)
  if (use?.direction === 'send') description.addSSRC(use.ssrc, 'aerie', 'aerie', media.kind)
  return connection.addTrack(description)
}

/** The library writes the format's lines: for video with feedback (lost packets, keyframes, bitrate). */
function addFormat(description: ndc.Video | ndc.Audio, { payloadType, name, fmtp }: OfferedFormat): void {
  const parameters = fmtp ? ([fmtp] as const) : []
  if ('addVideoCodec' in description) description.addVideoCodec(payloadType, name, ...parameters)
  else description.addAudioCodec(payloadType, name === 'OPUS' ? 'opus' : name, ...parameters)
}

/** Names are looked up each time: behind a dynamic address they change. */
async function resolveAll(hosts: readonly string[]): Promise<string[]> {
  const found = await Promise.all(hosts.map(addressOf))
  return found.filter((address) => address !== undefined)
}

async function addressOf(host: string): Promise<string | undefined> {
  if (isIP(host)) return host
  return lookup(host).then(
    ({ address }) => address,
    () => undefined,
  )
}
