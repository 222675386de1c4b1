import { type MediaPacket } from '../../stream.ts'
import { type AmfObject } from '../wire/amf0.ts'
import { chunkBody } from '../wire/chunk-writer.ts'
import { type RtpClock } from './rtp-clock.ts'

/** A payload ready to be sent, shared by all readers. */
export interface ChunkedPayload {
  /** Of the payload alone, as the message header says it. */
  readonly length: number
  /** With the headers of further chunks in it. */
  readonly body: Buffer
}

/** A video or audio message to readers. */
export interface MediaMessage {
  readonly kind: 'video' | 'audio'
  /** Stream time of decoding, rising within a kind; each reader counts from where it began. */
  readonly timestampMs: number
  readonly presentationMs: number
  /** A reader can begin here. */
  readonly isKeyframe: boolean
  readonly payload: ChunkedPayload
  /** What a reader must have got before: the same object as long as it stays the same. */
  readonly configuration: ChunkedPayload
}

export function chunked(chunkStream: number, payload: Buffer): ChunkedPayload {
  return { length: payload.length, body: chunkBody(chunkStream, payload) }
}

/** One track of a stream on its way from RTP to messages. */
export interface TrackMuxer {
  readonly clock: RtpClock
  /** For `onMetaData`. */
  readonly metadata: AmfObject
  /** Known once the stream has said what it is. */
  readonly configuration: ChunkedPayload | undefined
  push(packet: MediaPacket): MediaMessage[]
}
