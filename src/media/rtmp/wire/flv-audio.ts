/** What an RTMP audio message holds: the body of an FLV audio tag. Only AAC is carried on. */
export type AudioTag =
  /** The AudioSpecificConfig. */
  | { readonly kind: 'configuration'; readonly data: Buffer }
  | { readonly kind: 'frame'; readonly data: Buffer }
  | { readonly kind: 'unsupported'; readonly what: string }
  | { readonly kind: 'nothing' }

const NOTHING = { kind: 'nothing' } as const
const FORMAT = { enhanced: 9, aac: 10 } as const
const NAMES: Readonly<Record<number, string>> = {
  2: 'MP3',
  7: 'G.711 A-law',
  8: 'G.711 mu-law',
  11: 'Speex',
  14: 'MP3',
}

/** Never throws; what is cut short is nothing. */
export function parseAudioTag(tag: Buffer): AudioTag {
  if (tag.length < 2) return NOTHING
  const format = tag[0]! >> 4
  if (format === FORMAT.aac) return body(tag[1]!, tag.subarray(2))
  if (format !== FORMAT.enhanced) return { kind: 'unsupported', what: NAMES[format] ?? `FLV audio format ${format}` }
  // Enhanced RTMP v2: packet type, then a FourCC. Packet types 0 and 1 mean the same as with AAC above.
  const fourCc = tag.toString('latin1', 1, 5)
  if (fourCc !== 'mp4a') return { kind: 'unsupported', what: `audio codec ${JSON.stringify(fourCc)}` }
  return body(tag[0]! & 0x0f, tag.subarray(5))
}

function body(packetType: number, data: Buffer): AudioTag {
  if (data.length === 0 || packetType > 1) return NOTHING
  return { kind: packetType === 0 ? 'configuration' : 'frame', data }
}

/** The head of a tag with AAC; rate and channels stand in the configuration, the bits here always say 44 kHz stereo. */
export const aacTagHead = (kind: 'configuration' | 'frame'): Buffer => Buffer.of(0xaf, kind === 'configuration' ? 0 : 1)
