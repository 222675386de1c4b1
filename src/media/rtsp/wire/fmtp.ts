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
  h264: [{ name: 'sprop-parameter-sets', types: [7, 8] }],
  h265: [
    { name: 'sprop-vps', types: [32] },
    { name: 'sprop-sps', types: [33] },
    { name: 'sprop-pps', types: [34] },
  ],
}

const typeOf = (codec: Codec, set: Buffer) => (codec === 'h264' ? set[0]! & 0x1f : (set[0]! >> 1) & 0x3f)

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
  // Whoever has parameter sets but said nothing of the format made the packets itself, with fragments (RFC 6184 §6.3).
  const parameters = parse(fmtp ?? (codec === 'h264' ? 'packetization-mode=1' : ''))
  for (const { name, types } of properties) {
    const sets = parameterSets.filter((set) => types.includes(typeOf(codec, set)))
    if (sets.length > 0) parameters.set(name, sets.map((set) => set.toString('base64')).join(','))
  }
  const sps = parameterSets.find((set) => typeOf(codec, set) === 7)
  if (codec === 'h264' && sps && sps.length >= 4) parameters.set('profile-level-id', sps.toString('hex', 1, 4))
  return [...parameters].map(([name, value]) => (value ? `${name}=${value}` : name)).join('; ')
}
