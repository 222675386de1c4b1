import { h264Codec } from '../../rtp/h264-codec.ts'
import { H264_TYPE } from '../../rtp/h264-nal-unit.ts'
import { H265_TYPE } from '../../rtp/h265-nal-unit.ts'
import { findSps } from '../../rtp/nal-unit-codec.ts'
import { nalUnitCodecOf } from '../../rtp/nal-unit-codecs.ts'
import { type Codec, type MediaTrack } from '../../stream.ts'

/** The parameters of `a=fmtp`: `name=value; name=value`, names as written. */
type Parameters = Map<string, string>

function parse(fmtp: string): Parameters {
  const parameters: Parameters = new Map()
  for (const part of fmtp.split(';')) {
    const text = part.trim()
    const equals = text.indexOf('=')
    if (text) parameters.set(equals < 0 ? text : text.slice(0, equals), equals < 0 ? '' : text.slice(equals + 1))
  }
  return parameters
}

/** Where each codec announces its parameter sets (RFC 6184 §8.1, RFC 7798 §7.1), in decoding order. */
const propertiesOf: Partial<Record<Codec, readonly { name: string; types: readonly number[] }[]>> = {
  h264: [{ name: 'sprop-parameter-sets', types: [H264_TYPE.sps, H264_TYPE.pps] }],
  h265: [
    { name: 'sprop-vps', types: [H265_TYPE.vps] },
    { name: 'sprop-sps', types: [H265_TYPE.sps] },
    { name: 'sprop-pps', types: [H265_TYPE.pps] },
  ],
}

const typeOf = (codec: Codec, set: Buffer) => nalUnitCodecOf(codec)?.typeOf(set) ?? -1

/** The parameter sets that a format line announces, without start codes. */
export function announcedParameterSets(codec: Codec, fmtp: string): Buffer[] {
  const parameters = parse(fmtp)
  return (propertiesOf[codec] ?? []).flatMap(({ name, types }) =>
    (parameters.get(name) ?? '')
      .split(',')
      .map((text) => Buffer.from(text, 'base64'))
      .filter((set) => set.length > 1 && types.includes(typeOf(codec, set))),
  )
}

/** The format line for new readers: as published, with the newest parameter sets. */
export function currentFmtp(track: MediaTrack): string | undefined {
  const { codec, fmtp, parameterSets = [] } = track
  const properties = propertiesOf[codec]
  if (!properties || parameterSets.length === 0) return fmtp
  // Parameter sets without a format line: the packets are our own, with fragments (RFC 6184 §6.3).
  const parameters = parse(fmtp ?? (codec === 'h264' ? 'packetization-mode=1' : ''))
  for (const { name, types } of properties) {
    const sets = parameterSets.filter((set) => types.includes(typeOf(codec, set)))
    if (sets.length > 0) parameters.set(name, sets.map((set) => set.toString('base64')).join(','))
  }
  const sps = codec === 'h264' ? findSps(h264Codec, parameterSets) : undefined
  if (sps && sps.length >= 4) parameters.set('profile-level-id', sps.toString('hex', 1, 4))
  return [...parameters].map(([name, value]) => (value ? `${name}=${value}` : name)).join('; ')
}
