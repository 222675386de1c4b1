import { type RtmpMessage } from './message.ts'

/** What counts until Set Chunk Size (RTMP 1.0 §5.4.1). */
export const INITIAL_CHUNK_SIZE = 128
/** What we send the other side in Set Chunk Size: nearly every message is one chunk. */
export const OUTGOING_CHUNK_SIZE = 65_536

/** Chunk streams that we send on; players need none in particular. */
export const CHUNK_STREAM = { control: 2, command: 3, audio: 4, data: 5, video: 6 } as const

/** A message of the connection or of a command: few, small and with time 0. */
export function writeMessage(
  chunkStream: number,
  { typeId, streamId, payload }: Omit<RtmpMessage, 'timestamp'>,
  chunkSize = OUTGOING_CHUNK_SIZE,
): Buffer {
  const header = fullHeader(chunkStream, 0, payload.length, typeId, streamId)
  return Buffer.concat([header, chunkBody(chunkStream, payload, chunkSize)])
}

/**
 * The payload with the headers of its second and further chunks in it. The same for all readers, as long as no
 * timestamp is extended; so it is made once, and only the header in front is each reader's own.
 */
export function chunkBody(chunkStream: number, payload: Buffer, chunkSize = OUTGOING_CHUNK_SIZE): Buffer {
  if (payload.length <= chunkSize) return payload
  const continues = Buffer.of(0xc0 | chunkStream)
  const parts = [payload.subarray(0, chunkSize)]
  for (let at = chunkSize; at < payload.length; at += chunkSize)
    parts.push(continues, payload.subarray(at, at + chunkSize))
  return Buffer.concat(parts)
}

/** Writes the headers of one chunk stream to one reader. */
export interface HeaderWriter {
  /** `length` is the payload's, without the headers in its body. Timestamps must not go back. */
  next(timestampMs: number, length: number): Buffer
}

/** Times after the first go as differences, which stay small however long a reader stays: none is ever extended. */
export function createHeaderWriter(chunkStream: number, typeId: number, streamId: number): HeaderWriter {
  let lastTimestampMs: number | undefined
  return {
    next(timestampMs, length) {
      const header =
        lastTimestampMs === undefined
          ? fullHeader(chunkStream, timestampMs, length, typeId, streamId)
          : differenceHeader(chunkStream, timestampMs - lastTimestampMs, length, typeId)
      lastTimestampMs = timestampMs
      return header
    },
  }
}

const MAX_TIMESTAMP = 0xfffffe

/** Format 0 (§5.3.1.2.1). */
function fullHeader(
  chunkStream: number,
  timestampMs: number,
  length: number,
  typeId: number,
  streamId: number,
): Buffer {
  const header = Buffer.allocUnsafe(12)
  header[0] = chunkStream
  header.writeUIntBE(Math.min(timestampMs, MAX_TIMESTAMP), 1, 3)
  header.writeUIntBE(length, 4, 3)
  header[7] = typeId
  header.writeUInt32LE(streamId, 8)
  return header
}

/** Format 1 (§5.3.1.2.2). */
function differenceHeader(chunkStream: number, differenceMs: number, length: number, typeId: number): Buffer {
  const header = Buffer.allocUnsafe(8)
  header[0] = 0x40 | chunkStream
  header.writeUIntBE(Math.min(Math.max(differenceMs, 0), MAX_TIMESTAMP), 1, 3)
  header.writeUIntBE(length, 4, 3)
  header[7] = typeId
  return header
}
