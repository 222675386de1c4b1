/** A message as the chunk stream carries it (RTMP 1.0 §6.1). */
export interface RtmpMessage {
  readonly typeId: number
  /** The message stream, not the chunk stream: 0 is the connection itself. */
  readonly streamId: number
  /** Milliseconds, modulo 2^32. */
  readonly timestamp: number
  readonly payload: Buffer
}

/** Message type ids (§5.4, §7.1). */
export const MESSAGE = {
  setChunkSize: 1,
  abort: 2,
  acknowledgement: 3,
  userControl: 4,
  windowAcknowledgementSize: 5,
  setPeerBandwidth: 6,
  audio: 8,
  video: 9,
  dataAmf3: 15,
  commandAmf3: 17,
  dataAmf0: 18,
  commandAmf0: 20,
  aggregate: 22,
} as const

/** The other side doesn't speak RTMP, or goes past a limit: the connection can't go on. */
export class RtmpProtocolError extends Error {
  override readonly name = 'RtmpProtocolError'
}
