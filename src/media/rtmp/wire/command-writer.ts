import { type AmfValue } from './amf0.ts'
import { writeAmf0 } from './amf0-writer.ts'
import { CHUNK_STREAM, writeMessage } from './chunk-writer.ts'
import { MESSAGE } from './message.ts'

/** A command to the other side, or the answer to one of its own. */
export function writeCommand(
  streamId: number,
  name: string,
  transactionId: number,
  ...values: readonly AmfValue[]
): Buffer {
  const payload = writeAmf0(name, transactionId, ...values)
  return writeMessage(CHUNK_STREAM.command, { typeId: MESSAGE.commandAmf0, streamId, payload })
}

/** What needs no answer: metadata. */
export function writeData(streamId: number, ...values: readonly AmfValue[]): Buffer {
  const payload = writeAmf0(...values)
  return writeMessage(CHUNK_STREAM.data, { typeId: MESSAGE.dataAmf0, streamId, payload })
}
