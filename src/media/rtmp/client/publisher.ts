import { OUTGOING_CHUNK_SIZE } from '../wire/chunk-writer.ts'
import { ACKNOWLEDGEMENT_WINDOW, windowAcknowledgementSize } from '../wire/control-messages.ts'
import { parseRtmpAddress, type RtmpAddress } from './rtmp-address.ts'
import { openSession, type RtmpClientOptions, type RtmpClientRole, type RtmpClientSession } from './session.ts'
import { createVideoSender, type VideoSender } from './video-sender.ts'

/** Publishes one H.264 stream to somebody's RTMP server. */
export interface RtmpPublisher extends VideoSender {
  /** Called once with a sentence, unless we closed. */
  onEnd(handler: (reason: string) => void): void
  /** Says goodbye. Resolves when the socket is closed, which takes a second at most. */
  close(): Promise<void>
}

/** Resolves when the server waits for pictures; rejects with a sentence. */
export async function openRtmpPublisher(url: string, options: RtmpClientOptions): Promise<RtmpPublisher> {
  return openSession(parseRtmpAddress(url), PUBLISHER_ROLE, options)
}

export const PUBLISHER_ROLE: RtmpClientRole<RtmpPublisher> = {
  introduction: { type: 'nonprivate', flashVer: 'FMLE/3.0 (compatible; Aerie)' },
  start: startPublishing,
}

/** RTMP 1.0 §7.2.1, with what Flash Media Server's encoders say besides. */
async function startPublishing(
  { connection, calls }: RtmpClientSession,
  { name }: RtmpAddress,
): Promise<RtmpPublisher> {
  connection.outbox.send(windowAcknowledgementSize(ACKNOWLEDGEMENT_WINDOW))
  calls.useChunkSize(OUTGOING_CHUNK_SIZE)
  calls.notify(0, 'releaseStream', null, name)
  calls.notify(0, 'FCPublish', null, name)
  const streamId = await calls.createStream()
  await calls.begin(streamId, 'publish', name, 'live').promise
  return createPublisher({ connection, calls }, name, streamId)
}

function createPublisher({ connection, calls }: RtmpClientSession, name: string, streamId: number): RtmpPublisher {
  const sender = createVideoSender(connection.outbox, streamId)
  let isClosing = false
  return {
    write: (picture) => sender.write(picture),
    get droppedPictures() {
      return sender.droppedPictures
    },
    onEnd: (handler) => connection.onEnd(handler),
    close() {
      if (!isClosing) {
        calls.notify(0, 'FCUnpublish', null, name)
        calls.notify(0, 'deleteStream', null, streamId)
      }
      isClosing = true
      return connection.close()
    },
  }
}
