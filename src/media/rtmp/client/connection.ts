import { type Duplex } from 'node:stream'
import { createDeferred, type Deferred } from '../../../core/deferred.ts'
import { type ChunkLimits, createChunkParser } from '../wire/chunk-parser.ts'
import { createClientHandshake } from './handshake.ts'
import { type Command, parseCommand } from '../wire/command.ts'
import {
  acknowledgement,
  ACKNOWLEDGEMENT_WINDOW,
  userEvent,
  USER_EVENT,
  windowAcknowledgementSize,
} from '../wire/control-messages.ts'
import { MESSAGE, type RtmpMessage } from '../wire/message.ts'
import { createOutbox, type Outbox, type OutboxLimits } from './outbox.ts'
import { RtmpClientError, sayFailure } from './server-sentence.ts'

/** A client's connection to a server: handshake, messages and their bookkeeping, and one end. */
export interface RtmpClientConnection {
  readonly outbox: Outbox
  onCommand(handler: (command: Command) => void): void
  /** Something that the server must say in time; otherwise the connection ends, and the promise is rejected. */
  awaits<T>(what: string): Deferred<T>
  /** Called once, unless we closed; at once when it has ended already. */
  onEnd(handler: (sentence: string) => void): void
  /** Breaks it off. */
  end(sentence: string): void
  /** Lets what was sent go out first, for a moment. Resolves when the socket is closed. */
  close(): Promise<void>
}

export interface ConnectionOptions {
  readonly label: string
  /** For the handshake, and for the answer to each command. */
  readonly answerMs: number
  readonly limits: OutboxLimits
}

/** A server has little to say to whoever publishes. */
const INCOMING_LIMITS: ChunkLimits = { maxMessageBytes: 256 * 1024, maxPendingBytes: 1024 * 1024, maxChunkStreams: 64 }
const LINGER_MS = 1_000

/** Greets at once; resolves when the server has answered. */
export async function greet(socket: Duplex, options: ConnectionOptions): Promise<RtmpClientConnection> {
  const { label, answerMs, limits } = options
  const handshake = createClientHandshake()
  const parser = createChunkParser(INCOMING_LIMITS)
  const outbox = createOutbox(socket, limits, () => end(`${label} has taken nothing for ${limits.stalledMs / 1000} s.`))
  const closed = createDeferred()
  const awaited = new Map<Deferred<unknown>, string>()
  let handleCommand: (command: Command) => void = () => {}
  let tellEnd: (sentence: string) => void = () => {}
  let ended: string | undefined
  let isGreeted = false
  let bytesReceived = 0
  let acknowledgedAt = 0
  let acknowledgementWindow = ACKNOWLEDGEMENT_WINDOW

  const greeted = awaits('the RTMP handshake')
  socket.on('data', (data: Buffer) => {
    try {
      receive(data)
    } catch (error) {
      end(`${label} does not speak RTMP as it should: ${(error as Error).message}`)
    }
  })
  socket.on('error', (error) => end(sayFailure(label, error)))
  socket.on('end', () => end(sayLeft()))
  socket.once('close', () => {
    end(sayLeft())
    closed.resolve()
  })
  outbox.send(handshake.greeting)
  await greeted.promise
  return {
    outbox,
    onCommand: (handler) => void (handleCommand = handler),
    awaits,
    onEnd(handler) {
      if (ended === undefined) tellEnd = handler
      else queueMicrotask(() => handler(ended!))
    },
    end,
    close() {
      tellEnd = () => {}
      outbox.finish()
      const linger = setTimeout(() => socket.destroy(), LINGER_MS)
      return closed.promise.finally(() => clearTimeout(linger))
    },
  }

  function awaits<T = void>(what: string): Deferred<T> {
    const deferred = createDeferred<T>()
    const timer = setTimeout(() => end(`${label} did not answer ${what} within ${answerMs / 1000} s.`), answerMs)
    const forget = () => {
      clearTimeout(timer)
      awaited.delete(deferred)
    }
    awaited.set(deferred, what)
    deferred.promise.then(forget, forget)
    if (ended !== undefined) deferred.reject(new RtmpClientError(ended))
    return deferred
  }

  /** Many servers refuse so, without a word. */
  function sayLeft(): string {
    const [what] = awaited.values()
    return what ? `${label} closed the connection instead of answering ${what}.` : `${label} closed the connection.`
  }

  function end(sentence: string): void {
    if (ended !== undefined) return
    ended = sentence
    socket.destroy()
    for (const deferred of awaited.keys()) deferred.reject(new RtmpClientError(sentence))
    tellEnd(sentence)
  }

  function receive(data: Buffer): void {
    if (ended !== undefined) return
    bytesReceived += data.length
    if (isGreeted) return take(data)
    const { reply, rest } = handshake.push(data)
    if (reply) outbox.send(reply)
    if (!rest) return
    isGreeted = true
    greeted.resolve()
    take(rest)
  }

  function take(data: Buffer): void {
    parser.push(data)
    for (let message = parser.next(); message; message = parser.next()) handle(message)
    if (bytesReceived - acknowledgedAt < acknowledgementWindow) return
    acknowledgedAt = bytesReceived
    outbox.send(acknowledgement(bytesReceived))
  }

  function handle(message: RtmpMessage): void {
    const { typeId, payload } = message
    switch (typeId) {
      case MESSAGE.windowAcknowledgementSize:
        if (payload.length >= 4) acknowledgementWindow = Math.max(1, payload.readUInt32BE())
        return
      case MESSAGE.setPeerBandwidth:
        return void outbox.send(windowAcknowledgementSize(ACKNOWLEDGEMENT_WINDOW))
      case MESSAGE.userControl:
        if (payload.length >= 6 && payload.readUInt16BE() === USER_EVENT.pingRequest) {
          outbox.send(userEvent(USER_EVENT.pingResponse, payload.readUInt32BE(2)))
        }
        return
      case MESSAGE.commandAmf0:
      case MESSAGE.commandAmf3: {
        const command = parseCommand(message)
        if (command) handleCommand(command)
      }
    }
  }
}
