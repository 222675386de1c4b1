import { type AmfValue } from '../wire/amf0.ts'
import { OUTGOING_CHUNK_SIZE } from '../wire/chunk-writer.ts'
import { writeCommand } from '../wire/command-writer.ts'
import { type Command } from '../wire/command.ts'
import {
  ACKNOWLEDGEMENT_WINDOW,
  setChunkSize,
  setPeerBandwidth,
  windowAcknowledgementSize,
} from '../wire/control-messages.ts'

/** To `connect`: the terms of the connection, and yes. */
export function acceptConnect({ transactionId, object }: Command): Buffer[] {
  const information = {
    level: 'status',
    code: 'NetConnection.Connect.Success',
    description: 'Connected.',
    objectEncoding: typeof object['objectEncoding'] === 'number' ? object['objectEncoding'] : 0,
    // Enhanced RTMP: what may be published, said to those who ask.
    ...(Array.isArray(object['fourCcList']) && { fourCcList: ['avc1', 'hvc1', 'mp4a'] }),
  }
  const server = { fmsVer: 'FMS/3,5,7,7009', capabilities: 31, mode: 1 }
  return [...terms(), writeCommand(0, '_result', transactionId, server, information)]
}

export function rejectConnect({ transactionId }: Command, description: string): Buffer[] {
  const information = { level: 'error', code: 'NetConnection.Connect.Rejected', description }
  return [...terms(), writeCommand(0, '_error', transactionId, null, information)]
}

/** The chunk size first of all: what comes behind may be longer than the 128 bytes that count until then. */
function terms(): Buffer[] {
  return [
    setChunkSize(OUTGOING_CHUNK_SIZE),
    windowAcknowledgementSize(ACKNOWLEDGEMENT_WINDOW),
    setPeerBandwidth(ACKNOWLEDGEMENT_WINDOW),
  ]
}

export const answerCreateStream = ({ transactionId }: Command, streamId: number): Buffer =>
  writeCommand(0, '_result', transactionId, null, streamId)

/**
 * To commands that need nothing done: `releaseStream`, `getStreamLength`, `_checkbw`, and any that we don't know.
 * A client that wants an answer gets an empty one, because some wait for it for ever.
 */
export function answerPolitely({ name, transactionId, streamId, values }: Command): Buffer[] {
  const answers: Buffer[] = []
  // Answers to what we never ask.
  if (name === '_result' || name === '_error' || name === 'onStatus') return answers
  if (transactionId !== 0) answers.push(writeCommand(streamId, '_result', transactionId, null, resultOf(name)))
  if (name === 'FCPublish') answers.push(fcStatus('onFCPublish', 'NetStream.Publish.Start', values[0]))
  if (name === 'FCSubscribe') answers.push(fcStatus('onFCSubscribe', 'NetStream.Play.Start', values[0]))
  return answers
}

/** A live stream has no length. */
const resultOf = (name: string): AmfValue => (name === 'getStreamLength' ? 0 : undefined)

/** Flash Media Server's own status of a stream, on which encoders of that time wait. */
function fcStatus(name: string, code: string, stream: AmfValue): Buffer {
  const path = typeof stream === 'string' ? stream.split('?')[0]! : ''
  return writeCommand(0, name, 0, null, { level: 'status', code, description: path })
}
