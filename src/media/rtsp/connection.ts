import { type Socket } from 'node:net'
import { createConversation, type Peer } from './conversation.ts'
import { type Answer, formatAnswer, RtspFailure, type RtspRequest } from '../rtsp-client/message.ts'
import { createMessageParser } from '../rtsp-client/message-parser.ts'
import { type ServerContext } from './server-context.ts'

/** A socket, its parser and its conversation. Requests are answered one after the other; meanwhile nothing more is read. */
export interface Connection {
  /** Ends what has taken too long; called every second or so. */
  check(nowMs: number): void
}

const KEEP_ALIVE_AFTER_MS = 15_000

export function createConnection(socket: Socket, isEncrypted: boolean, context: ServerContext): Connection {
  const { now, timeouts, limits, log, refusals } = context
  const parser = createMessageParser()
  const remoteAddress = plainAddress(socket.remoteAddress)
  const openedAtMs = now()
  let hasSpoken = false
  let isBusy = false
  let partialSinceMs: number | undefined
  let closingSinceMs: number | undefined
  let queuedAnswerBytes = 0

  const peer: Peer = {
    localAddress: plainAddress(socket.localAddress),
    remoteAddress,
    isEncrypted,
    write: (data) => void socket.write(data),
    queuedBytes: () => socket.writableLength,
    end() {
      closingSinceMs ??= now()
      socket.destroySoon()
    },
    destroy: () => void socket.destroy(),
  }
  const conversation = createConversation(peer, context)

  socket.setNoDelay(true)
  socket.setKeepAlive(true, KEEP_ALIVE_AFTER_MS)
  // 'close' follows, and says all there is to know.
  socket.on('error', () => {})
  socket.on('close', () => conversation.close('connection closed'))
  socket.on('data', (chunk: Buffer) => {
    if (closingSinceMs !== undefined) return
    parser.push(chunk)
    takeMessages()
  })

  function takeMessages(): void {
    try {
      while (!isBusy && closingSinceMs === undefined) {
        const message = parser.next()
        if (!message) break
        partialSinceMs = undefined
        if (message.kind === 'frame') conversation.frame(message.channel, message.data)
        else if (message.kind === 'request') handle(message)
      }
    } catch (error) {
      giveUp(error)
    }
    if (isBusy || !parser.isMidMessage) partialSinceMs = undefined
    else partialSinceMs ??= now()
  }

  function handle(request: RtspRequest): void {
    hasSpoken = true
    isBusy = true
    socket.pause()
    conversation
      .answer(request)
      .then((answer) => {
        send(answer, request.headers.get('cseq'))
        // One request a turn: a client that sends thousands at once must not hold up everybody else.
        setImmediate(() => {
          isBusy = false
          takeMessages()
          if (!isBusy) socket.resume()
        })
      })
      .catch(giveUp)
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
      } else if (!hasSpoken && nowMs - openedAtMs > timeouts.requestMs) {
        refusals.note({ remoteAddress }, 'A connection said nothing.')
        socket.destroy()
      } else if (partialSinceMs !== undefined && nowMs - partialSinceMs > timeouts.requestMs) {
        giveUp(new RtspFailure(408, 'A request took too long to arrive.'))
      } else {
        const reason = conversation.check(nowMs)
        if (reason) timeOut(reason)
      }
    },
  }

  function timeOut(reason: string): void {
    refusals.note({ remoteAddress, reason }, 'A connection timed out.')
    conversation.close(reason)
    peer.end()
  }
}

/** IPv4 in IPv6 (`::ffff:192.0.2.1`) as plain IPv4, the way UDP sockets and people write it. */
function plainAddress(address: string | undefined): string {
  return (address ?? '').replace(/^::ffff:(?=\d+\.)/i, '')
}
