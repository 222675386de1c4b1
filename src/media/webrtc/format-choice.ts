import { type Codec, type MediaTrack } from '../stream.ts'
import { type OfferedFormat } from './offer.ts'

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
  const sps = parameterSets.find((set) => (set[0]! & 0x1f) === 7)
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
