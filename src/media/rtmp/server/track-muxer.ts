import { type AmfObject } from '../wire/amf0.ts'
import { type MediaPacket } from '../../stream.ts'
import { type ChunkedPayload, type MediaMessage } from './media-message.ts'
import { type RtpClock } from './rtp-clock.ts'

/** One track of a stream on its way from RTP to messages. */
export interface TrackMuxer {
  readonly clock: RtpClock
  /** For `onMetaData`. */
  readonly metadata: AmfObject
  /** Known once the stream has said what it is. */
  readonly configuration: ChunkedPayload | undefined
  push(packet: MediaPacket): MediaMessage[]
}
