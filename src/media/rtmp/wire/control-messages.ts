import { CHUNK_STREAM, writeMessage } from './chunk-writer.ts'
import { MESSAGE } from './message.ts'

/** Protocol control messages (RTMP 1.0 §5.4) and user control events (§7.1.7), ready to be sent. */

/** After how many bytes each side says what it got. */
export const ACKNOWLEDGEMENT_WINDOW = 2_500_000

export const USER_EVENT = { streamBegin: 0, streamEnd: 1, setBufferLength: 3, pingRequest: 6, pingResponse: 7 } as const

export const setChunkSize = (bytes: number): Buffer => control(MESSAGE.setChunkSize, uint32(bytes))

export const acknowledgement = (bytesReceived: number): Buffer =>
  control(MESSAGE.acknowledgement, uint32(bytesReceived >>> 0))

export const windowAcknowledgementSize = (bytes: number): Buffer =>
  control(MESSAGE.windowAcknowledgementSize, uint32(bytes))

/** With the limit type "dynamic". */
export const setPeerBandwidth = (bytes: number): Buffer =>
  control(MESSAGE.setPeerBandwidth, Buffer.concat([uint32(bytes), Buffer.of(2)]))

export const userEvent = (event: number, value: number): Buffer =>
  control(MESSAGE.userControl, Buffer.concat([Buffer.of(0, event), uint32(value)]))

/** How much a player keeps: servers that pace what they send, send so much ahead (§7.1.7). */
export const setBufferLength = (streamId: number, ms: number): Buffer =>
  control(MESSAGE.userControl, Buffer.concat([Buffer.of(0, USER_EVENT.setBufferLength), uint32(streamId), uint32(ms)]))

function control(typeId: number, payload: Buffer): Buffer {
  return writeMessage(CHUNK_STREAM.control, { typeId, streamId: 0, payload })
}

function uint32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4)
  bytes.writeUInt32BE(value)
  return bytes
}
