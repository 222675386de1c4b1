import { type AmfValue } from '../wire/amf0.ts'
import { OUTGOING_CHUNK_SIZE } from '../wire/chunk-writer.ts'
import { type Command, writeCommand } from '../wire/command.ts'
import {
  ACKNOWLEDGEMENT_WINDOW,
  setChunkSize,
  setPeerBandwidth,
  USER_EVENT,
  userEvent,
  windowAcknowledgementSize,
} from '../wire/control-messages.ts'
import { onStatus } from './status.ts'

/** To `connect`: the terms of the connection, and yes. */
export function acceptConnect({ transactionId, object }: Command): Buffer[] {
  const information = {
    level: 'status',
    code: 'NetConnection.Connect.Success',
    description: 'Connected.',
    objectEncoding: typeof object['objectEncoding'] === 'number' ? object['objectEncoding'] : 0,
    // Enhanced RTMP: what may be published, for clients that ask.
    ...(Array.isArray(object['fourCcList']) && { fourCcList: ['avc1', 'hvc1', 'mp4a'] }),
  }
  const server = { fmsVer: 'FMS/3,5,7,7009', capabilities: 31, mode: 1 }
  return [...terms(), writeCommand(0, '_result', transactionId, server, information)]
}

export function rejectConnect({ transactionId }: Command, description: string): Buffer[] {
  const information = { level: 'error', code: 'NetConnection.Connect.Rejected', description }
  return [...terms(), writeCommand(0, '_error', transactionId, null, information)]
}

/** The chunk size comes first: what follows may be longer than the initial 128 bytes. */
function terms(): Buffer[] {
  return [
    setChunkSize(OUTGOING_CHUNK_SIZE),
    windowAcknowledgementSize(ACKNOWLEDGEMENT_WINDOW),
    setPeerBandwidth(ACKNOWLEDGEMENT_WINDOW),
  ]
}

export const answerCreateStream = ({ transactionId }: Command, streamId: number): Buffer =>
  writeCommand(0, '_result', transactionId, null, streamId)

export const answerPublish = (streamId: number): Buffer[] => [
  userEvent(USER_EVENT.streamBegin, streamId),
  onStatus(streamId, 'status', 'NetStream.Publish.Start', 'Send your stream.'),
]

export const answerUnpublish = (streamId: number): Buffer =>
  onStatus(streamId, 'status', 'NetStream.Unpublish.Success', 'The stream has ended.')

export const answerPlay = (streamId: number): Buffer[] => [
  userEvent(USER_EVENT.streamBegin, streamId),
  onStatus(streamId, 'status', 'NetStream.Play.Reset', 'The stream begins anew.'),
  onStatus(streamId, 'status', 'NetStream.Play.Start', 'The stream begins.'),
]

export const answerPause = (streamId: number, isPaused: boolean): Buffer =>
  isPaused
    ? onStatus(streamId, 'status', 'NetStream.Pause.Notify', 'Paused.')
    : onStatus(streamId, 'status', 'NetStream.Unpause.Notify', 'Going on.')

/**
 * To commands that need nothing done: `releaseStream`, `getStreamLength`, `_checkbw`, and any that we don't know.
 * A client that wants an answer gets an empty one, because some wait for it forever.
 */
export function answerUnknown({ name, transactionId, streamId, values }: Command): Buffer[] {
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

/** Flash Media Server's own status of a stream; encoders of that time wait for it. */
function fcStatus(name: string, code: string, stream: AmfValue): Buffer {
  const path = typeof stream === 'string' ? stream.split('?')[0]! : ''
  return writeCommand(0, name, 0, null, { level: 'status', code, description: path })
}
