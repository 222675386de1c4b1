import { RtmpProtocolError } from './message.ts'

/** A message of which not all chunks have arrived. */
export interface PartialMessage {
  readonly length: number
  readonly receivedBytes: number
}

/** The memory of all partial messages of one connection, with one bound for them together. */
export interface PartialMessages {
  /** Throws `RtmpProtocolError`, as `append` does, when all together would hold more than they may. */
  begin(length: number): PartialMessage
  append(message: PartialMessage, data: Buffer): void
  /** Ends the message, complete or not: what has arrived of it. */
  release(message: PartialMessage): Buffer
  setMaxBytes(maxBytes: number): void
}

interface GrowingMessage extends PartialMessage {
  buffer: Buffer
  receivedBytes: number
}

const FIRST_ALLOCATION_BYTES = 4096

/** Buffers grow with what has arrived, not with what was announced. */
export function createPartialMessages(initialMaxBytes: number): PartialMessages {
  let maxBytes = initialMaxBytes
  let heldBytes = 0

  function allocate(bytes: number): Buffer {
    heldBytes += bytes
    if (heldBytes > maxBytes) throw new RtmpProtocolError('Too many messages were begun and not ended.')
    return Buffer.allocUnsafe(bytes)
  }

  function makeRoom(message: GrowingMessage, neededBytes: number): void {
    const { buffer, length } = message
    if (neededBytes <= buffer.length) return
    heldBytes -= buffer.length
    const doubled = Math.min(2 * buffer.length, maxBytes - heldBytes)
    message.buffer = allocate(Math.min(length, Math.max(neededBytes, doubled)))
    buffer.copy(message.buffer, 0, 0, message.receivedBytes)
  }

  return {
    begin(length): GrowingMessage {
      return { length, receivedBytes: 0, buffer: allocate(Math.min(length, FIRST_ALLOCATION_BYTES)) }
    },
    append(message: GrowingMessage, data) {
      makeRoom(message, message.receivedBytes + data.length)
      data.copy(message.buffer, message.receivedBytes)
      message.receivedBytes += data.length
    },
    release({ buffer, receivedBytes }: GrowingMessage) {
      heldBytes -= buffer.length
      return buffer.subarray(0, receivedBytes)
    },
    setMaxBytes: (bytes) => void (maxBytes = bytes),
  }
}
