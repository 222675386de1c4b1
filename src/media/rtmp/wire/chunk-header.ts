import { RtmpProtocolError } from './message.ts'

/** The header of a chunk (RTMP 1.0 §5.3.1), with what it left out filled in from the last one on the same chunk stream. */
export interface ChunkHeader {
  readonly chunkStreamId: number
  /** 0 carries all fields, 3 none. */
  readonly format: number
  /** A time in format 0, a difference in the others. */
  readonly timestampField: number
  readonly isExtended: boolean
  readonly messageLength: number
  readonly typeId: number
  readonly streamId: number
  /** Where the payload begins in the input. */
  readonly endsAt: number
}

/** By format. */
const MESSAGE_HEADER_BYTES = [11, 7, 3, 0] as const
const EXTENDED = 0xffffff

/** Undefined when more bytes are needed. Throws `RtmpProtocolError` for a header without the one that it depends on. */
export function readChunkHeader(
  input: Buffer,
  at: number,
  lastHeaderOn: (chunkStreamId: number) => ChunkHeader | undefined,
): ChunkHeader | undefined {
  const format = input[at]! >> 6
  const shortId = input[at]! & 0x3f
  const fieldsAt = at + 1 + (shortId === 0 ? 1 : shortId === 1 ? 2 : 0)
  let endsAt = fieldsAt + MESSAGE_HEADER_BYTES[format]!
  if (endsAt > input.length) return undefined
  const chunkStreamId = shortId === 0 ? 64 + input[at + 1]! : shortId === 1 ? 64 + input.readUInt16LE(at + 1) : shortId

  const last = lastHeaderOn(chunkStreamId)
  if (!last && format > 1) throw new RtmpProtocolError('A chunk refers to a message that never was.')
  let timestampField = format < 3 ? input.readUIntBE(fieldsAt, 3) : last!.timestampField
  const isExtended = format < 3 ? timestampField === EXTENDED : last!.isExtended
  if (isExtended) {
    if (endsAt + 4 > input.length) return undefined
    const extended = input.readUInt32BE(endsAt)
    // Some encoders don't repeat the extended timestamp on chunks without header, though they must (§5.3.1.3).
    const isPresent = format < 3 || extended === timestampField
    if (isPresent) endsAt += 4
    if (format < 3) timestampField = extended
  }
  return {
    chunkStreamId,
    format,
    timestampField,
    isExtended,
    messageLength: format < 2 ? input.readUIntBE(fieldsAt + 3, 3) : last!.messageLength,
    typeId: format < 2 ? input[fieldsAt + 6]! : last!.typeId,
    streamId: format === 0 ? input.readUInt32LE(fieldsAt + 7) : (last?.streamId ?? 0),
    endsAt,
  }
}
