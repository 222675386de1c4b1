import { readAmf0 } from './amf0-reader.ts'
import { writeAmf0 } from './amf0-writer.ts'
import { type AmfObject, type AmfValue, isAmfObject } from './amf0.ts'
import { CHUNK_STREAM, writeMessage } from './chunk-writer.ts'
import { MESSAGE, type RtmpMessage } from './message.ts'

/** A command message (RTMP 1.0 §7.1.1). */
export interface Command {
  readonly name: string
  /** 0 when no answer is wanted. */
  readonly transactionId: number
  readonly object: AmfObject
  /** What comes behind the command object. */
  readonly values: readonly AmfValue[]
  readonly streamId: number
}

/** Undefined when the message has no name. */
export function parseCommand(message: RtmpMessage): Command | undefined {
  const [name, transactionId, object, ...values] = readAmf0(amf0Of(message))
  if (typeof name !== 'string') return undefined
  return {
    name,
    transactionId: typeof transactionId === 'number' ? transactionId : 0,
    object: isAmfObject(object) ? object : {},
    values,
    streamId: message.streamId,
  }
}

/** Messages of AMF3 begin with a format byte of 0, and go on in AMF0. */
export function amf0Of({ typeId, payload }: RtmpMessage): Buffer {
  const isAmf3 = typeId === MESSAGE.commandAmf3 || typeId === MESSAGE.dataAmf3
  return isAmf3 && payload[0] === 0 ? payload.subarray(1) : payload
}

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
