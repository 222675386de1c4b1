import { type Client } from '../../listener.ts'
import { createWriteQueue } from '../../write-queue.ts'
import { createSession, type Peer } from './session.ts'
import { type Answer, formatAnswer, RtspFailure, type RtspRequest } from '../wire/message.ts'
import { createMessageParser } from '../wire/message-parser.ts'
import { createTurn } from '../../turn.ts'
import { type ServerContext } from './server-context.ts'

const MAX_IN_A_TURN = { maxSteps: 256, maxMs: 5 }
/** Some requests and a description; nobody has anything else to say before. */
const MAX_BYTES_BEFORE_GRANT = 256 * 1024

/** A socket, its parser and its session. Requests are answered one after the other; meanwhile nothing more is read. */
export interface Connection {
  /** Ends what has taken too long; called every second or so. */
  check(nowMs: number): void
  /** Closes at once. */
  destroy(): void
}

export function createConnection(client: Client, isEncrypted: boolean, context: ServerContext): Connection {
  const { socket, remoteAddress, localAddress } = client
  const { now, timeouts, limits, log, refusals } = context
  const parser = createMessageParser()
  const turn = createTurn(MAX_IN_A_TURN)
  const queue = createWriteQueue(socket)
  let isBusy = false
  let isGranted = false
  let bytesBeforeGrant = 0
  let partialSinceMs: number | undefined
  let closingSinceMs: number | undefined
  let queuedAnswerBytes = 0

  const peer: Peer = {
    localAddress,
    remoteAddress,
    isEncrypted,
    write: (data) => queue.write(data),
    queuedBytes: () => queue.heldBytes,
    end() {
      closingSinceMs ??= now()
      socket.destroySoon()
    },
    destroy: () => void socket.destroy(),
  }
  const session = createSession(peer, context, {
    onGranted(granted) {
      isGranted = true
      client.onGranted(granted)
    },
    onStreaming: (isStreaming) => client.onStreaming(isStreaming),
  })

  // 'close' follows, and says all there is to know.
  socket.on('error', () => {})
  socket.on('close', () => session.close('connection closed'))
  socket.on('data', (chunk: Buffer) => {
    if (closingSinceMs !== undefined) return
    if (!isGranted) bytesBeforeGrant += chunk.length
    if (bytesBeforeGrant > MAX_BYTES_BEFORE_GRANT && !isGranted)
      return giveUp(new RtspFailure(413, 'So much was sent, and nothing granted.'))
    parser.push(chunk)
    takeMessages()
  })

  function takeMessages(): void {
    try {
      while (!isBusy && closingSinceMs === undefined) {
        const message = parser.next()
        if (!message) break
        partialSinceMs = undefined
        if (message.kind === 'frame') session.frame(message.channel, message.data)
        else if (message.kind === 'request') handle(message)
        // A packet goes to all who read: hundreds of readers make each of thousands in one read a lot of work.
        if (!isBusy && turn.isOverAfterStep()) {
          isBusy = true
          socket.pause()
          nextTurn()
        }
      }
    } catch (error) {
      giveUp(error)
    }
    if (isBusy || !parser.isMidMessage) partialSinceMs = undefined
    else partialSinceMs ??= now()
  }

  function handle(request: RtspRequest): void {
    isBusy = true
    socket.pause()
    session
      .answer(request)
      .then((answer) => {
        send(answer, request.headers.get('cseq'))
        // One request a turn: a client that sends thousands at once must not hold up everybody else.
        nextTurn()
      })
      .catch(giveUp)
  }

  function nextTurn(): void {
    setImmediate(() => {
      isBusy = false
      takeMessages()
      if (!isBusy) socket.resume()
    })
  }

  function send(answer: Answer, cseq: string | undefined): void {
    if (!socket.writable) return
    const text = formatAnswer(answer, cseq)
    queuedAnswerBytes += text.length
    socket.write(text, () => (queuedAnswerBytes -= text.length))
    if (queuedAnswerBytes > limits.maxQueuedAnswerBytes) socket.destroy()
    else if (answer.isLast) peer.end()
  }

  /** Bytes that are no RTSP: their place in the stream is lost, so nothing can be understood any more. */
  function giveUp(error: unknown): void {
    if (error instanceof RtspFailure) {
      refusals.note({ remoteAddress, status: error.status, why: error.message }, 'A connection was given up.')
      send({ status: error.status }, undefined)
      peer.end()
    } else {
      log.warn({ err: error, remoteAddress }, 'A connection failed.')
      socket.destroy()
    }
  }

  return {
    check(nowMs) {
      if (closingSinceMs !== undefined) {
        if (nowMs - closingSinceMs > timeouts.closeMs) socket.destroy()
      } else if (partialSinceMs !== undefined && nowMs - partialSinceMs > timeouts.requestMs) {
        giveUp(new RtspFailure(408, 'A request took too long to arrive.'))
      } else {
        const reason = session.check(nowMs)
        if (reason) timeOut(reason)
      }
    },
    destroy: () => peer.destroy(),
  }

  function timeOut(reason: string): void {
    refusals.note({ remoteAddress, reason }, 'A connection timed out.')
    session.close(reason)
    peer.end()
  }
}
