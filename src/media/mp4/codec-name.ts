import { findBox } from './mp4-boxes.ts'

/** The name of a codec as playlists have it (RFC 6381), from the boxes inside its sample entry; the entry's own name where there is no other. */
export function codecName(format: string, entry: Buffer): string {
  switch (format) {
    case 'avc1':
    case 'avc3':
      return h264Name(format, findBox(entry, 'avcC'))
    case 'hvc1':
    case 'hev1':
      return h265Name(format, findBox(entry, 'hvcC'))
    case 'mp4a':
      return mpegAudioName(findBox(entry, 'esds'))
    case 'Opus':
      return 'opus'
    default:
      return format
  }
}

/** Profile, constraints and level (RFC 6381 §3.3). */
function h264Name(format: string, avcC: Buffer | undefined): string {
  return avcC && avcC.length >= 4 ? `${format}.${avcC.toString('hex', 1, 4)}` : format
}

/** ISO/IEC 14496-15 annex E.3: profile, compatibility with its bits reversed, tier and level, constraints without the zeros at their end. */
function h265Name(format: string, hvcC: Buffer | undefined): string {
  if (!hvcC || hvcC.length < 13) return format
  const profile = hvcC[1]!
  const space = ['', 'A', 'B', 'C'][profile >> 6]!
  const tier = profile & 0x20 ? 'H' : 'L'
  const constraints = [...hvcC.subarray(6, 12)]
  while (constraints.at(-1) === 0) constraints.pop()
  const parts = [
    `${space}${profile & 0x1f}`,
    reversed(hvcC.readUInt32BE(2)).toString(16),
    `${tier}${hvcC[12]}`,
    ...constraints.map((byte) => byte.toString(16)),
  ]
  return [format, ...parts].join('.')
}

function reversed(bits: number): number {
  let result = 0
  for (let bit = 0; bit < 32; bit++) result = ((result << 1) | ((bits >>> bit) & 1)) >>> 0
  return result
}

const DECODER_CONFIG = 0x04
const DECODER_SPECIFIC = 0x05
const MPEG_4_AUDIO = 0x40

/** The object type of an `esds` (ISO/IEC 14496-1 §7.2.6.6), and the kind of AAC that follows it. */
function mpegAudioName(esds: Buffer | undefined): string {
  const config = esds && findDescriptor(esds.subarray(4), DECODER_CONFIG)
  const type = config?.[0]
  if (type === undefined) return 'mp4a'
  const name = `mp4a.${type.toString(16)}`
  const specific = type === MPEG_4_AUDIO ? findDescriptor(config!.subarray(13), DECODER_SPECIFIC) : undefined
  return specific?.length ? `${name}.${specific[0]! >> 3}` : name
}

/** The content of a descriptor, which may stand inside an `ES_Descriptor` (its 3 bytes and no options, as files have it). */
export function findDescriptor(content: Buffer, wanted: number): Buffer | undefined {
  const ES_DESCRIPTOR = 0x03
  for (let at = 0; at + 2 <= content.length;) {
    const tag = content[at++]!
    let length = 0
    for (let more = true, count = 0; more && count < 4 && at < content.length; count++) {
      const byte = content[at++]!
      length = (length << 7) | (byte & 0x7f)
      more = (byte & 0x80) !== 0
    }
    const body = content.subarray(at, at + length)
    if (tag === wanted) return body
    if (tag === ES_DESCRIPTOR) return findDescriptor(body.subarray(3), wanted)
    at += length
  }
  return undefined
}
