import { type TimeSlice } from '../../time-slice.ts'
import { readAmf0 } from '../wire/amf0-reader.ts'
import { amf0Of } from '../wire/command.ts'
import { MESSAGE, type RtmpMessage } from '../wire/message.ts'
import { findMetadata } from './metadata.ts'
import { createPublicationInTurns, type WritablePublication } from './publication-in-turns.ts'
import { createStreamDemuxer, type StreamDemuxerOptions } from './stream-demuxer.ts'

/** The way of a stream's messages to the hub: from somebody who publishes to us, and from a server that we play from. */
export interface MessageDemuxer {
  /**
   * A promise when the rest of it goes to the hub in later rounds; the next message has to wait for it. Throws as
   * `StreamDemuxer` does. Messages that are no media are left out.
   */
  handle(message: RtmpMessage): void | Promise<void>
}

export interface MessageDemuxerOptions extends Pick<StreamDemuxerOptions, 'log' | 'onUnsupportedVideo'> {
  readonly publication: WritablePublication
  /** The connection's. */
  readonly slice: TimeSlice
  readonly now: () => number
  /** Media has arrived, or is still handed on. */
  readonly onActive?: () => void
}

export function createMessageDemuxer(options: MessageDemuxerOptions): MessageDemuxer {
  const { publication, slice, log, now, onUnsupportedVideo, onActive = () => {} } = options
  const inTurns = createPublicationInTurns(publication, slice, onActive)
  const demuxer = createStreamDemuxer({ publication: inTurns, log, onUnsupportedVideo })

  return {
    handle(message) {
      const { typeId, payload, timestamp } = message
      if (typeId === MESSAGE.video) demuxer.video(payload, timestamp, now())
      else if (typeId === MESSAGE.audio) demuxer.audio(payload, timestamp, now())
      else if (typeId === MESSAGE.dataAmf0 || typeId === MESSAGE.dataAmf3) {
        const metadata = findMetadata(readAmf0(amf0Of(message)))
        if (metadata) demuxer.metadata(metadata)
      } else return
      onActive()
      return inTurns.flush()
    },
  }
}
