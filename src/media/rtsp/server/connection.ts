import { MAX_BYTES_BEFORE_ACCEPTANCE } from '../../connection-admission.ts'
import { type Client } from '../../listener.ts'
import { createWriteQueue } from '../../write-queue.ts'
import { type Answer, formatAnswer, RtspFailure } from '../wire/message.ts'
import { createMessageReader } from '../wire/message-reader.ts'
import { type ClientSocket } from './client-socket.ts'
import { type ServerContext } from './server-context.ts'
import { createSession } from './session.ts'

/** A socket, the reader of its messages and its session. */
export interface Connection {
  /** Ends what has taken too long; called every second or so. */
  check(nowMs: number): void
  /** Closes at once. */
  destroy(): void
}

export function createConnection(client: Client, context: ServerContext): Connection {
  const { socket, remoteAddress, localAddress, isEncrypted } = client
  const { now, timeouts, limits, log, refusals } = context
  const queue = createWriteQueue(socket)
  let isAccepted = false
  let bytesBeforeAcceptance = 0
  let closingSinceMs: number | undefined
  let queuedAnswerBytes = 0

  const clientSocket: ClientSocket = {
    localAddress,
    remoteAddress,
    isEncrypted,
    write: (data) => queue.write(data),
    queuedBytes: () => queue.heldBytes,
    end,
    destroy: () => void socket.destroy(),
  }
  const session = createSession(clientSocket, context, {
    onCameraCalled: () => client.onCameraCalled(),
    onAccepted(accepted) {
      isAccepted = true
      client.onAccepted(accepted)
    },
    onStreaming: (isStreaming) => client.onStreaming(isStreaming),
  })
  const reader = createMessageReader({
    socket,
    onFrame: (channel, data) => session.frame(channel, data),
    onRequest: async (request) => send(await session.answer(request), request.headers.get('cseq')),
    onError: giveUp,
    now,
  })

  // 'close' follows, and is all there is to know.
  socket.on('error', () => {})
  socket.on('close', () => session.close('connection closed'))
  socket.on('data', (chunk: Buffer) => {
    if (closingSinceMs !== undefined) return
    if (!isAccepted) bytesBeforeAcceptance += chunk.length
    if (bytesBeforeAcceptance > MAX_BYTES_BEFORE_ACCEPTANCE && !isAccepted)
      return giveUp(new RtspFailure(413, 'So much was sent, and nothing granted.'))
    reader.push(chunk)
  })

  function send(answer: Answer, cseq: string | undefined): void {
    if (!socket.writable) return
    const text = formatAnswer(answer, cseq)
    queuedAnswerBytes += text.length
    socket.write(text, () => (queuedAnswerBytes -= text.length))
    if (queuedAnswerBytes > limits.maxQueuedAnswerBytes) socket.destroy()
    else if (answer.isLast) end()
  }

  /** Sends what is queued, then closes; what the client still sends is dropped. */
  function end(): void {
    closingSinceMs ??= now()
    reader.stop()
    socket.destroySoon()
  }

  /** Bytes that are no RTSP: the position in the stream is lost, so nothing after them can be parsed. */
  function giveUp(error: unknown): void {
    if (error instanceof RtspFailure) {
      refusals.note({ remoteAddress, status: error.status, why: error.message }, 'A connection was given up.')
      send({ status: error.status }, undefined)
      end()
    } else {
      log.warn({ err: error, remoteAddress }, 'A connection failed.')
      socket.destroy()
    }
  }

  function timeOut(reason: string): void {
    refusals.note({ remoteAddress, reason }, 'A connection timed out.')
    session.close(reason)
    end()
  }

  return {
    check(nowMs) {
      if (closingSinceMs !== undefined) {
        if (nowMs - closingSinceMs > timeouts.closeMs) socket.destroy()
      } else if (reader.isOverdue(nowMs, timeouts.requestMs)) {
        giveUp(new RtspFailure(408, 'A request took too long to arrive.'))
      } else {
        const reason = session.check(nowMs)
        if (reason) timeOut(reason)
      }
    },
    destroy: () => clientSocket.destroy(),
  }
}
