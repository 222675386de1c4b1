import { readChunkHeader } from './chunk-header.ts'
import { CHUNK_LIMITS, type ChunkLimits } from './chunk-limits.ts'
import { type ChunkStream, createChunkStreams } from './chunk-streams.ts'
import { INITIAL_CHUNK_SIZE } from './chunk-writer.ts'
import { MESSAGE, type RtmpMessage, RtmpProtocolError } from './message.ts'

/**
 * Puts messages together from chunks (RTMP 1.0 §5.3): bytes in, messages out. Pulled, not pushed: a read may hold tens of
 * thousands of messages, and a connection that is busy with one leaves the rest unparsed.
 */
export interface ChunkParser {
  push(data: Buffer): void
  /**
   * Undefined until more bytes arrive, or when `maxChunks` chunks completed no message. Throws `RtmpProtocolError` when the
   * connection can't go on.
   */
  next(maxChunks?: number): RtmpMessage | undefined
  /** Whether the last `next` stopped at `maxChunks` with input left. */
  readonly hasMore: boolean
  /** From the next message on. */
  setLimits(limits: ChunkLimits): void
}

const EMPTY = Buffer.alloc(0)

/** Two states: `readHeader` where a chunk begins, `readPayload` until it ends. */
export function createChunkParser(limits: ChunkLimits = CHUNK_LIMITS): ChunkParser {
  const streams = createChunkStreams(limits)
  let chunkSize = INITIAL_CHUNK_SIZE
  let input: Buffer = EMPTY
  let at = 0
  /** Whose payload is read; undefined where a header is next. */
  let chunk: { readonly stream: ChunkStream; bytesLeft: number } | undefined
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
        if (!chunk && !readHeader()) {
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
    setLimits: (next) => streams.setLimits(next),
  }

  /** False when more bytes are needed. Nothing is changed before all of the header is there. */
  function readHeader(): boolean {
    const header = readChunkHeader(input, at, streams.lastHeaderOn)
    if (!header) return false
    const stream = streams.beginChunk(header)
    chunk = { stream, bytesLeft: Math.min(chunkSize, streams.missingBytes(stream)) }
    at = header.endsAt
    return true
  }

  /** Takes what the input has of the chunk; the message when that completed it. */
  function readPayload(): RtmpMessage | undefined {
    const { stream, bytesLeft } = chunk!
    const data = input.subarray(at, at + bytesLeft)
    at += data.length
    chunk!.bytesLeft -= data.length
    if (chunk!.bytesLeft === 0) chunk = undefined
    const message = streams.append(stream, data)
    return message && forCaller(message)
  }

  /** Undefined for messages to the parser itself (§5.4.1, §5.4.2). */
  function forCaller(message: RtmpMessage): RtmpMessage | undefined {
    const { typeId, payload } = message
    if (typeId === MESSAGE.setChunkSize && payload.length >= 4) setChunkSize(payload.readUInt32BE())
    else if (typeId === MESSAGE.abort && payload.length >= 4) streams.abort(payload.readUInt32BE())
    else return message
    return undefined
  }

  function setChunkSize(size: number): void {
    if (size === 0 || size > 0x7fffffff) throw new RtmpProtocolError(`A chunk can't have ${size} bytes.`)
    chunkSize = size
  }
}
