import { type VideoCodec } from '../../../core/video-codec.ts'

/** What an RTMP video message holds: the body of an FLV video tag. */
export type VideoTag =
  /** The decoder configuration record: avcC or hvcC. */
  | { readonly kind: 'configuration'; readonly codec: VideoCodec; readonly data: Buffer }
  | {
      readonly kind: 'frame'
      readonly codec: VideoCodec
      /** As the encoder says. */
      readonly isKeyframe: boolean
      /** Presentation minus decoding time. */
      readonly compositionMs: number
      readonly data: Buffer
    }
  /** `what`: the codec as FFmpeg names it, where it has a name. */
  | { readonly kind: 'unsupported'; readonly what: string }
  /** Nothing that concerns pictures, or nothing at all. */
  | { readonly kind: 'nothing' }

const NOTHING = { kind: 'nothing' } as const
const KEYFRAME = 1
const COMMAND = 5
/** Codec ids of the classic header. 12 was never standard, but encoders that knew no other way used it. */
const CLASSIC_CODECS: Readonly<Record<number, VideoCodec>> = { 7: 'h264', 12: 'h265' }
const OTHER_CODECS: Readonly<Record<number, string>> = {
  2: 'flv1',
  3: 'flashsv',
  4: 'vp6f',
  5: 'vp6a',
  6: 'flashsv2',
  8: 'h263',
  9: 'mpeg4',
}
const CLASSIC_PACKET = { configuration: 0, frame: 1 } as const
const FOUR_CC: Readonly<Record<string, VideoCodec>> = { avc1: 'h264', hvc1: 'h265' }
const OTHER_FOUR_CC: Readonly<Record<string, string>> = { vp08: 'vp8', vp09: 'vp9', av01: 'av1', vvc1: 'vvc' }
const PACKET = { configuration: 0, frames: 1, framesWithoutOffset: 3, multitrack: 6, modEx: 7 } as const

/** Never throws; what is cut short is nothing. */
export function parseVideoTag(tag: Buffer): VideoTag {
  if (tag.length < 2) return NOTHING
  const frameType = (tag[0]! >> 4) & 7
  if (frameType === COMMAND) return NOTHING
  return tag[0]! & 0x80 ? parseEnhanced(tag, frameType === KEYFRAME) : parseClassic(tag, frameType === KEYFRAME)
}

function parseClassic(tag: Buffer, isKeyframe: boolean): VideoTag {
  const codecId = tag[0]! & 0x0f
  const codec = CLASSIC_CODECS[codecId]
  if (!codec) return { kind: 'unsupported', what: OTHER_CODECS[codecId] ?? `FLV video codec ${codecId}` }
  if (tag.length <= 5) return NOTHING
  const data = tag.subarray(5)
  if (tag[1] === CLASSIC_PACKET.configuration) return { kind: 'configuration', codec, data }
  if (tag[1] !== CLASSIC_PACKET.frame) return NOTHING
  return { kind: 'frame', codec, isKeyframe, compositionMs: tag.readIntBE(2, 3), data }
}

/** Enhanced RTMP v1 and v2: packet type, modifiers, a FourCC, then the body. */
function parseEnhanced(tag: Buffer, isKeyframe: boolean): VideoTag {
  let packetType = tag[0]! & 0x0f
  let at = 1
  while (packetType === PACKET.modEx) {
    const size = modExSize(tag, at)
    if (size === undefined || at + size >= tag.length) return NOTHING
    at += size
    packetType = tag[at++]! & 0x0f
  }
  if (packetType === PACKET.multitrack) return { kind: 'unsupported', what: 'multitrack video' }

  const fourCc = tag.toString('latin1', at, at + 4)
  const codec = FOUR_CC[fourCc]
  at += 4
  if (at >= tag.length) return NOTHING
  if (!codec) return { kind: 'unsupported', what: OTHER_FOUR_CC[fourCc] ?? `video codec ${JSON.stringify(fourCc)}` }
  if (packetType === PACKET.configuration) return { kind: 'configuration', codec, data: tag.subarray(at) }
  if (packetType === PACKET.framesWithoutOffset) {
    return { kind: 'frame', codec, isKeyframe, compositionMs: 0, data: tag.subarray(at) }
  }
  if (packetType !== PACKET.frames || at + 3 >= tag.length) return NOTHING
  return { kind: 'frame', codec, isKeyframe, compositionMs: tag.readIntBE(at, 3), data: tag.subarray(at + 3) }
}

/** The modifier with its size field: one byte counting from 1, and when that is full, two more. */
function modExSize(tag: Buffer, at: number): number | undefined {
  if (at >= tag.length) return undefined
  const size = tag[at]! + 1
  if (size < 256) return 1 + size
  return at + 3 <= tag.length ? 3 + tag.readUInt16BE(at + 1) + 1 : undefined
}

/** The head of a tag with a configuration record; H.265 goes the enhanced way, as there is no other standard. */
export function configurationTagHead(codec: VideoCodec): Buffer {
  return codec === 'h264' ? Buffer.of(0x17, 0, 0, 0, 0) : Buffer.from('\x90hvc1', 'latin1')
}

/** The head of a tag with a frame. */
export function frameTagHead(codec: VideoCodec, isKeyframe: boolean, compositionMs: number): Buffer {
  const frameType = isKeyframe ? 0x10 : 0x20
  const head =
    codec === 'h264'
      ? Buffer.of(frameType | 7, CLASSIC_PACKET.frame, 0, 0, 0)
      : Buffer.of(0x80 | frameType | PACKET.frames, ...Buffer.from('hvc1'), 0, 0, 0)
  head.writeIntBE(Math.min(compositionMs, 0x7fffff), head.length - 3, 3)
  return head
}
