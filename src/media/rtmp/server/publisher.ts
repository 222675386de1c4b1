import { type Publication } from '../../publication.ts'
import { createMessageDemuxer, type MessageDemuxer, type MessageDemuxerOptions } from '../demux/message-demuxer.ts'

/** The role of a client that sends a stream. */
export interface Publisher extends MessageDemuxer {
  readonly kind: 'publish'
  readonly path: string
  close(): void
}

export interface PublisherOptions extends MessageDemuxerOptions {
  readonly publication: Publication
}

export function createPublisher(options: PublisherOptions): Publisher {
  const { publication } = options
  return {
    kind: 'publish',
    path: publication.path,
    ...createMessageDemuxer(options),
    close: () => publication.close(),
  }
}
