import { randomInt } from 'node:crypto'
import { h264Codec } from '../rtp/h264-codec.ts'
import { findSps } from '../rtp/nal-unit-codec.ts'
import { type Codec, type MediaTrack } from '../stream.ts'
import { GatewayRefusal } from './gateway-refusal.ts'
import { type HubStream } from './hub-stream.ts'
import { type Offer, type OfferedFormat } from './offer.ts'

type HubStreamTracks = Pick<HubStream, 'tracks' | 'hasReorderedPictures'>

/** A track of the stream, and the section of the offer that it goes into. */
export interface SentTrack {
  readonly track: number
  readonly mid: string
  readonly format: OfferedFormat
  readonly ssrc: number
}

/** What of the stream goes into which section of the offer. Sound that can't go is left out; a picture must go. */
export function chooseSent(stream: HubStreamTracks, offer: Offer): SentTrack[] {
  const sections = offer.media.filter(({ direction }) => direction === 'recvonly' || direction === 'sendrecv')
  const uses: SentTrack[] = []
  for (const [index, track] of stream.tracks.entries()) {
    if (uses.some(({ track: used }) => stream.tracks[used]!.kind === track.kind)) continue
    const section = sections.find(({ kind }) => kind === track.kind)
    const format = section && chooseFormat(track, section.formats)
    if (format) uses.push({ track: index, mid: section.mid, format, ssrc: randomInt(1, 2 ** 32) })
  }
  checkPicture(
    stream,
    sections.some(({ kind }) => kind === 'video'),
    uses,
  )
  return uses
}

function checkPicture(stream: HubStreamTracks, isWanted: boolean, uses: readonly SentTrack[]): void {
  const video = stream.tracks.find(({ kind }) => kind === 'video')
  if (video && isWanted) {
    const name = video.encodingName || 'its codec'
    if (!uses.some(({ track }) => stream.tracks[track] === video)) {
      throw new GatewayRefusal(
        'cannot-carry',
        `The stream’s picture is ${name}, which this browser does not take by WebRTC.`,
      )
    }
    if (stream.hasReorderedPictures) {
      throw new GatewayRefusal('cannot-carry', `The stream’s ${name} has B-frames, which WebRTC cannot carry.`)
    }
  }
  if (uses.length === 0) throw new GatewayRefusal('cannot-carry', 'Nothing of the stream fits the offer.')
}

/** A section of the offer in which the browser sends, and the track of the hub that becomes of it. */
export interface ReceivedTrack {
  readonly mid: string
  readonly format: OfferedFormat
  readonly track: MediaTrack
}

/** The first picture in H.264 and the first sound in Opus that the browser would send. */
export function chooseReceived(offer: Offer): ReceivedTrack[] {
  const sections = offer.media.filter(({ direction }) => direction === 'sendonly' || direction === 'sendrecv')
  const video = sections.find(({ kind }) => kind === 'video')
  const baseline = /profile-level-id=42/
  const h264 = video?.formats.filter((format) => format.name === 'H264' && isFragmenting(format)) ?? []
  const picture = h264.find(({ fmtp }) => baseline.test(fmtp)) ?? h264[0]
  if (!picture) throw new GatewayRefusal('cannot-carry', 'The offer has no H.264 picture to send.')
  const audio = sections.find(({ kind }) => kind === 'audio')
  const sound = audio?.formats.find(({ name }) => name === 'OPUS')
  return [
    { mid: video!.mid, format: picture, track: toTrack('video', picture) },
    ...(sound ? [{ mid: audio!.mid, format: sound, track: toTrack('audio', sound) }] : []),
  ]
}

function toTrack(kind: 'video' | 'audio', { payloadType, clockRate, channels }: OfferedFormat): MediaTrack {
  const common = { kind, payloadType, clockRate }
  if (kind === 'audio') return { ...common, codec: 'opus', encodingName: 'opus', channels }
  return { ...common, codec: 'h264', encodingName: 'H264', fmtp: 'packetization-mode=1' }
}

/** What `a=rtpmap` calls the codecs that WebRTC can carry. */
const names: Partial<Record<Codec, string>> = { h264: 'H264', h265: 'H265', opus: 'OPUS', pcma: 'PCMA', pcmu: 'PCMU' }

/** The offered format in which this track can go as it is; undefined when there is none. */
export function chooseFormat(
  { codec, parameterSets = [] }: MediaTrack,
  formats: readonly OfferedFormat[],
): OfferedFormat | undefined {
  const named = formats.filter(({ name }) => name === names[codec])
  if (codec !== 'h264') return named[0]
  const fit = named.filter(isFragmenting)
  const sps = findSps(h264Codec, parameterSets)
  // Browsers decode every profile they can, whichever was agreed on; the same one is only the politest.
  return fit.find(({ fmtp }) => profileOf(fmtp) === sps?.[1]) ?? fit[0]
}

/** RFC 6184 §8.1: without packetization mode 1 a picture must fit into a packet. */
export function isFragmenting({ fmtp }: OfferedFormat): boolean {
  return /(^|;)\s*packetization-mode=1\s*(;|$)/.test(fmtp)
}

function profileOf(fmtp: string): number | undefined {
  const hex = /profile-level-id=([0-9a-fA-F]{2})[0-9a-fA-F]{4}/.exec(fmtp)?.[1]
  return hex === undefined ? undefined : parseInt(hex, 16)
}
