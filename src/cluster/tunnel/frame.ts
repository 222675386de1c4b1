/** What the two ends of a tunnel send to each other. One frame is one message of NATS, so frames need no mark where they end. */
export type Frame =
  | { readonly type: 'data'; readonly bytes: Buffer }
  /** So much more may be sent: the reader has taken it. */
  | { readonly type: 'credit'; readonly bytes: number }
  /** No more data comes; the other direction goes on. */
  | { readonly type: 'end' }
  /** The sender is gone, and reads no more either. */
  | { readonly type: 'reset' }
  /** The sender is still there. */
  | { readonly type: 'alive' }

/** Of a whole message, with all that is put around a frame. */
export const MAX_MESSAGE_BYTES = 64 * 1024
/** The sequence number and the mark of the seal, around the frame; and its type. */
export const SEAL_BYTES = 6 + 16
const TYPE_BYTES = 1
export const MAX_DATA_BYTES = MAX_MESSAGE_BYTES - SEAL_BYTES - TYPE_BYTES

const types = ['data', 'credit', 'end', 'reset', 'alive'] as const

export function encodeFrame(frame: Frame): Buffer {
  const type = types.indexOf(frame.type)
  if (frame.type === 'data') return Buffer.concat([Buffer.of(type), frame.bytes])
  if (frame.type !== 'credit') return Buffer.of(type)
  const encoded = Buffer.alloc(5)
  encoded.writeUInt8(type)
  encoded.writeUInt32BE(frame.bytes, 1)
  return encoded
}

/** Undefined for what is no frame. */
export function decodeFrame(encoded: Buffer): Frame | undefined {
  const type = types[encoded[0]!]
  const { length } = encoded
  if (type === 'data')
    return length > TYPE_BYTES && length <= MAX_DATA_BYTES + TYPE_BYTES
      ? { type, bytes: encoded.subarray(TYPE_BYTES) }
      : undefined
  if (type === 'credit') return length === 5 ? { type, bytes: encoded.readUInt32BE(1) } : undefined
  return type !== undefined && length === TYPE_BYTES ? { type } : undefined
}
