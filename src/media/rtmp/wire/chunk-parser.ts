import { INITIAL_CHUNK_SIZE } from './chunk-writer.ts'
import { MESSAGE, type RtmpMessage, RtmpProtocolError } from './message.ts'

export interface ChunkLimits {
  readonly maxMessageBytes: number
  /** What all unfinished messages together may hold. */
  readonly maxPendingBytes: number
  readonly maxChunkStreams: number
}

export const CHUNK_LIMITS: ChunkLimits = {
  maxMessageBytes: 8 * 1024 * 1024,
  maxPendingBytes: 16 * 1024 * 1024,
  maxChunkStreams: 64,
}

/** Until it is known who sends: commands are small. */
export const CHUNK_LIMITS_BEFORE_GRANT: ChunkLimits = { ...CHUNK_LIMITS, maxPendingBytes: 64 * 1024 }

/**
 * Puts messages together from chunks (RTMP 1.0 §5.3): bytes in, messages out. Pulled, not pushed: a read may hold tens of
 * thousands of messages, and whoever is busy with one leaves the rest where it is.
 */
export interface ChunkParser {
  push(data: Buffer): void
  /**
   * Undefined until more bytes come, or when so many chunks have made no message. Throws `RtmpProtocolError` when the connection
   * can't go on.
   */
  next(maxChunks?: number): RtmpMessage | undefined
  /** Whether the last `next` had chunks left to look at. */
  readonly hasMore: boolean
  /** From the next message on. */
  setLimits(limits: ChunkLimits): void
}

/** What a chunk header may leave out because it was said before on the same chunk stream. */
interface ChunkStream {
  timestamp: number
  /** The timestamp field of the last header with one: a message without header adds it again. */
  timestampField: number
  isExtended: boolean
  length: number
  typeId: number
  streamId: number
  /** Of the message under way; undefined between messages. */
  partial: { buffer: Buffer; received: number } | undefined
}

const MESSAGE_HEADER_BYTES = [11, 7, 3, 0] as const
const EXTENDED = 0xffffff
const FIRST_ALLOCATION = 4096
const EMPTY = Buffer.alloc(0)

export function createChunkParser(initialLimits: ChunkLimits = CHUNK_LIMITS): ChunkParser {
  let limits = initialLimits
  const streams = new Map<number, ChunkStream>()
  let chunkSize = INITIAL_CHUNK_SIZE
  let pendingBytes = 0
  let input: Buffer = EMPTY
  let at = 0
  let current: { stream: ChunkStream; left: number } | undefined
  let hasMore = false

  return {
    push(data) {
      input = at < input.length ? Buffer.concat([input.subarray(at), data]) : data
      at = 0
    },
    next(maxChunks = Infinity) {
      hasMore = false
      for (let chunks = 0; at < input.length; chunks++) {
        if (chunks >= maxChunks) {
          hasMore = true
          return undefined
        }
        if (!current && !readHeader()) {
          // A copy of at most 17 bytes, because the read that they came with is much larger.
          input = Buffer.from(input.subarray(at))
          at = 0
          return undefined
        }
        const message = readPayload()
        if (message) return message
      }
      input = EMPTY
      at = 0
      return undefined
    },
    get hasMore() {
      return hasMore
    },
    setLimits: (next) => void (limits = next),
  }

  /** False when more bytes are needed. Nothing is changed before all of it is there. */
  function readHeader(): boolean {
    const start = at
    const format = input[start]! >> 6
    const shortId = input[start]! & 0x3f
    const fieldsAt = start + 1 + (shortId === 0 ? 1 : shortId === 1 ? 2 : 0)
    let end = fieldsAt + MESSAGE_HEADER_BYTES[format]!
    if (end > input.length) return false
    const id = shortId === 0 ? 64 + input[start + 1]! : shortId === 1 ? 64 + input.readUInt16LE(start + 1) : shortId

    const known = streams.get(id)
    if (!known && format > 1) throw new RtmpProtocolError('A chunk refers to a message that never was.')
    let field = format < 3 ? input.readUIntBE(fieldsAt, 3) : known!.timestampField
    let isExtended = format < 3 ? field === EXTENDED : known!.isExtended
    if (isExtended) {
      if (end + 4 > input.length) return false
      const extended = input.readUInt32BE(end)
      // Some encoders don't repeat the extended timestamp on chunks without header, though they must (§5.3.1.3).
      if (format < 3) field = extended
      else isExtended = extended === field
      if (isExtended) end += 4
    }

    const stream = known ?? open(id)
    if (format < 3) {
      drop(stream)
      stream.timestampField = field
      stream.isExtended = isExtended
    }
    if (format < 2) {
      stream.length = input.readUIntBE(fieldsAt + 3, 3)
      stream.typeId = input[fieldsAt + 6]!
    }
    if (format === 0) stream.streamId = input.readUInt32LE(fieldsAt + 7)
    begin(stream, format)
    at = end
    return true
  }

  function open(id: number): ChunkStream {
    if (streams.size >= limits.maxChunkStreams) throw new RtmpProtocolError('There are too many chunk streams.')
    const stream: ChunkStream = {
      timestamp: 0,
      timestampField: 0,
      isExtended: false,
      length: 0,
      typeId: 0,
      streamId: 0,
      partial: undefined,
    }
    streams.set(id, stream)
    return stream
  }

  function begin(stream: ChunkStream, format: number): void {
    if (!stream.partial) {
      if (stream.length > limits.maxMessageBytes) {
        throw new RtmpProtocolError(`A message of ${stream.length} bytes is more than ${limits.maxMessageBytes}.`)
      }
      // §5.3.1.2: format 0 carries a time, all others a difference, also when it follows a format 0 (§5.3.1.2.4).
      stream.timestamp = format === 0 ? stream.timestampField : (stream.timestamp + stream.timestampField) >>> 0
      stream.partial = { buffer: allocate(Math.min(stream.length, FIRST_ALLOCATION)), received: 0 }
    }
    current = { stream, left: Math.min(chunkSize, stream.length - stream.partial.received) }
  }

  /** What the input has of it; the message when that was all. */
  function readPayload(): RtmpMessage | undefined {
    const { stream, left } = current!
    const partial = stream.partial!
    const count = Math.min(left, input.length - at)
    makeRoom(stream, count)
    input.copy(partial.buffer, partial.received, at, at + count)
    partial.received += count
    at += count
    current!.left -= count
    if (current!.left === 0) current = undefined
    return partial.received === stream.length ? finish(stream) : undefined
  }

  /** Buffers grow with what has come, not with what was announced. */
  function makeRoom({ partial, length }: ChunkStream, count: number): void {
    const { buffer, received } = partial!
    const needed = received + count
    if (needed <= buffer.length) return
    pendingBytes -= buffer.length
    const room = limits.maxPendingBytes - pendingBytes
    partial!.buffer = allocate(Math.min(length, Math.max(needed, Math.min(2 * buffer.length, room))))
    buffer.copy(partial!.buffer, 0, 0, received)
  }

  function allocate(bytes: number): Buffer {
    pendingBytes += bytes
    if (pendingBytes > limits.maxPendingBytes)
      throw new RtmpProtocolError('Too many messages were begun and not ended.')
    return Buffer.allocUnsafe(bytes)
  }

  function drop(stream: ChunkStream): void {
    pendingBytes -= stream.partial?.buffer.length ?? 0
    stream.partial = undefined
  }

  /** Undefined when it concerned the parser only. */
  function finish(stream: ChunkStream): RtmpMessage | undefined {
    const { typeId, streamId, timestamp, length } = stream
    const payload = stream.partial!.buffer.subarray(0, length)
    drop(stream)
    if (typeId === MESSAGE.setChunkSize && length >= 4) setChunkSize(payload.readUInt32BE())
    else if (typeId === MESSAGE.abort && length >= 4) abort(payload.readUInt32BE())
    else return { typeId, streamId, timestamp, payload }
    return undefined
  }

  function setChunkSize(size: number): void {
    if (size === 0 || size > 0x7fffffff) throw new RtmpProtocolError(`A chunk can't have ${size} bytes.`)
    chunkSize = size
  }

  function abort(id: number): void {
    const stream = streams.get(id)
    if (stream) drop(stream)
  }
}
