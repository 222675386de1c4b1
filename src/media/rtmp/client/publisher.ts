import { type Duplex } from 'node:stream'
import { createCalls, type Calls } from './calls.ts'
import { OUTGOING_CHUNK_SIZE } from '../wire/chunk-writer.ts'
import { greet, type RtmpClientConnection } from './connection.ts'
import { ACKNOWLEDGEMENT_WINDOW, windowAcknowledgementSize } from '../wire/control-messages.ts'
import { openSocket } from './open-socket.ts'
import { OUTBOX_LIMITS, type OutboxLimits } from './outbox.ts'
import { parsePushAddress, type PushAddress } from './push-address.ts'
import { RtmpClientError } from './server-sentence.ts'
import { createVideoSender, type VideoSender } from './video-sender.ts'

/** Publishes one H.264 stream to somebody's RTMP server. */
export interface RtmpPublisher extends VideoSender {
  /** Called once with a sentence, unless we closed. */
  onEnd(handler: (reason: string) => void): void
  /** Says goodbye. Resolves when the socket is closed, which takes a second at most. */
  close(): Promise<void>
}

export interface RtmpPublisherOptions {
  readonly connect: {
    /** The address that was checked and is dialled, whatever the URL's host resolves to by now. */
    readonly host: string
    /** Certificates to trust instead of the usual ones. */
    readonly ca?: string
  }
  readonly timeouts?: Partial<RtmpPublisherTimeouts>
  readonly limits?: Partial<OutboxLimits>
  /** Breaks the opening off; an open publisher is closed by `close`. */
  readonly signal?: AbortSignal
}

export interface RtmpPublisherTimeouts {
  /** For TCP and TLS. */
  readonly connectMs: number
  /** For the handshake, and for the answer to each command. */
  readonly answerMs: number
}

const TIMEOUTS: RtmpPublisherTimeouts = { connectMs: 5_000, answerMs: 5_000 }

/** Resolves when the server waits for pictures; rejects with a sentence. */
export async function openRtmpPublisher(url: string, options: RtmpPublisherOptions): Promise<RtmpPublisher> {
  const address = parsePushAddress(url)
  const { connect, signal } = options
  const withinMs = options.timeouts?.connectMs ?? TIMEOUTS.connectMs
  const socket = await openSocket(address, { ...connect, withinMs, signal })
  return publishOver(socket, address, options)
}

/** On a connection that stands already. */
export async function publishOver(
  socket: Duplex,
  address: PushAddress,
  { timeouts, limits, signal }: Omit<RtmpPublisherOptions, 'connect'>,
): Promise<RtmpPublisher> {
  const { label, secrets } = address
  const { answerMs } = { ...TIMEOUTS, ...timeouts }
  const onAbort = () => void socket.destroy()
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    const connection = await greet(socket, { label, answerMs, limits: { ...OUTBOX_LIMITS, ...limits } })
    const calls = createCalls({ connection, label, secrets })
    const streamId = await startPublishing(connection, calls, address)
    return createPublisher(connection, calls, address.name, streamId)
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    signal?.removeEventListener('abort', onAbort)
  }
}

/** RTMP 1.0 §7.2.1, with what Flash Media Server's encoders say besides. */
async function startPublishing(
  { outbox }: RtmpClientConnection,
  calls: Calls,
  { app, name, tcUrl, label }: PushAddress,
): Promise<number> {
  await calls.call('connect', { app, type: 'nonprivate', flashVer: 'FMLE/3.0 (compatible; Aerie)', tcUrl })
  outbox.send(windowAcknowledgementSize(ACKNOWLEDGEMENT_WINDOW))
  calls.useChunkSize(OUTGOING_CHUNK_SIZE)
  calls.tell(0, 'releaseStream', null, name)
  calls.tell(0, 'FCPublish', null, name)
  const [streamId] = await calls.call('createStream', null)
  if (typeof streamId !== 'number') throw new RtmpClientError(`${label} answered createStream without a stream.`)
  await calls.publish(streamId, name)
  return streamId
}

function createPublisher(
  connection: RtmpClientConnection,
  calls: Calls,
  name: string,
  streamId: number,
): RtmpPublisher {
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
        calls.tell(0, 'FCUnpublish', null, name)
        calls.tell(0, 'deleteStream', null, streamId)
      }
      isClosing = true
      return connection.close()
    },
  }
}
