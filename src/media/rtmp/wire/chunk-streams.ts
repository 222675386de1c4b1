import { type ChunkHeader } from './chunk-header.ts'
import { type ChunkLimits } from './chunk-limits.ts'
import { type RtmpMessage, RtmpProtocolError } from './message.ts'
import { createPartialMessages, type PartialMessage } from './partial-messages.ts'

/** One of the interleaved streams of chunks; it carries one message at a time. */
export interface ChunkStream {
  readonly header: ChunkHeader
}

/** The chunk streams of one connection: what each said last, and its unfinished message. */
export interface ChunkStreams {
  readonly lastHeaderOn: (chunkStreamId: number) => ChunkHeader | undefined
  /** Begins a message, unless the chunk continues one. Throws `RtmpProtocolError`, as `append` does, for one past a limit. */
  beginChunk(header: ChunkHeader): ChunkStream
  /** Of the message under way. */
  missingBytes(stream: ChunkStream): number
  /** The message, when these bytes complete it. */
  append(stream: ChunkStream, data: Buffer): RtmpMessage | undefined
  /** Drops the unfinished message. */
  abort(chunkStreamId: number): void
  /** From the next message on. */
  setLimits(limits: ChunkLimits): void
}

interface State extends ChunkStream {
  header: ChunkHeader
  /** Of the last message that began, in ms. */
  timestamp: number
  /** Undefined between messages. */
  partial: PartialMessage | undefined
}

export function createChunkStreams(initialLimits: ChunkLimits): ChunkStreams {
  const streams = new Map<number, State>()
  const partials = createPartialMessages(initialLimits.maxPendingBytes)
  let limits = initialLimits

  function open(header: ChunkHeader): State {
    if (streams.size >= limits.maxChunkStreams) throw new RtmpProtocolError('There are too many chunk streams.')
    const stream: State = { header, timestamp: 0, partial: undefined }
    streams.set(header.chunkStreamId, stream)
    return stream
  }

  function beginMessage(stream: State): PartialMessage {
    const { format, timestampField, messageLength } = stream.header
    if (messageLength > limits.maxMessageBytes) {
      throw new RtmpProtocolError(`A message of ${messageLength} bytes is more than ${limits.maxMessageBytes}.`)
    }
    // §5.3.1.2: format 0 carries a time, all others a difference, also when it follows a format 0 (§5.3.1.2.4).
    stream.timestamp = format === 0 ? timestampField : (stream.timestamp + timestampField) >>> 0
    return partials.begin(messageLength)
  }

  function drop(stream: State): void {
    if (stream.partial) partials.release(stream.partial)
    stream.partial = undefined
  }

  return {
    lastHeaderOn: (chunkStreamId) => streams.get(chunkStreamId)?.header,
    beginChunk(header) {
      const stream = streams.get(header.chunkStreamId) ?? open(header)
      // Only a chunk without fields of its own continues a message.
      if (header.format < 3) drop(stream)
      stream.header = header
      stream.partial ??= beginMessage(stream)
      return stream
    },
    missingBytes: ({ partial }: State) => (partial ? partial.length - partial.receivedBytes : 0),
    append(stream: State, data) {
      const partial = stream.partial!
      partials.append(partial, data)
      if (partial.receivedBytes < partial.length) return undefined
      stream.partial = undefined
      const { typeId, streamId } = stream.header
      return { typeId, streamId, timestamp: stream.timestamp, payload: partials.release(partial) }
    },
    abort(chunkStreamId) {
      const stream = streams.get(chunkStreamId)
      if (stream) drop(stream)
    },
    setLimits(next) {
      limits = next
      partials.setMaxBytes(next.maxPendingBytes)
    },
  }
}
