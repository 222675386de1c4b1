import { type Duplex } from 'node:stream'
import { createDeferred, type Deferred } from '../../../core/deferred.ts'
import { createTimeSlice, type TimeSlice } from '../../time-slice.ts'
import { type ChunkLimits } from '../wire/chunk-limits.ts'
import { type Command, parseCommand } from '../wire/command.ts'
import { ACKNOWLEDGEMENT_WINDOW, windowAcknowledgementSize } from '../wire/control-messages.ts'
import { createIncomingMessages } from '../wire/incoming-messages.ts'
import { MESSAGE, type RtmpMessage } from '../wire/message.ts'
import { createMessageLoop, MAX_PER_SLICE } from '../wire/message-loop.ts'
import { createProtocolControl } from '../wire/protocol-control.ts'
import { createAwaitedAnswers } from './awaited-answers.ts'
import { createClientHandshake } from './handshake.ts'
import { createOutbox, type Outbox, type OutboxLimits } from './outbox.ts'
import { RtmpClientError, sayFailure, sayOtherProtocol } from './server-sentence.ts'

/** A client's connection to a server: handshake, messages and their bookkeeping, and one end. */
export interface RtmpClientConnection {
  readonly outbox: Outbox
  onCommand(handler: (command: Command) => void): void
  /** Video, audio and data; those before are dropped. While a promise is pending nothing is read. What is thrown ends the connection. */
  onMedia(handler: (message: RtmpMessage) => void | Promise<void>): void
  /** Something that the server must say in time; otherwise the connection ends, and the promise is rejected. */
  awaits<T>(what: string): Deferred<T>
  /** Each is called once, unless we closed; at once when it has ended already. */
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
  /** For what the server sends; little where it has nothing to send but answers. */
  readonly incomingLimits?: ChunkLimits
  /** For the work that its messages make. */
  readonly slice?: TimeSlice
}

const ANSWERS_ONLY: ChunkLimits = { maxMessageBytes: 256 * 1024, maxPendingBytes: 1024 * 1024, maxChunkStreams: 64 }
const LINGER_MS = 1_000

/** Greets at once; resolves when the server has answered. */
export async function greet(socket: Duplex, options: ConnectionOptions): Promise<RtmpClientConnection> {
  const { label, answerMs, limits, incomingLimits = ANSWERS_ONLY, slice = createTimeSlice(MAX_PER_SLICE) } = options
  const handshake = createClientHandshake()
  const incoming = createIncomingMessages(incomingLimits)
  const loop = createMessageLoop({ incoming, slice, socket, handle, onError: giveUp })
  const outbox = createOutbox(socket, limits, () => end(`${label} has taken nothing for ${limits.stalledMs / 1000} s.`))
  const control = createProtocolControl({
    answers: { write: (answer) => void outbox.send(answer) },
    onPeerBandwidth: () => void outbox.send(windowAcknowledgementSize(ACKNOWLEDGEMENT_WINDOW)),
  })
  const closed = createDeferred()
  const awaited = createAwaitedAnswers()
  let handleCommand: (command: Command) => void = () => {}
  let handleMedia: (message: RtmpMessage) => void | Promise<void> = () => {}
  let endHandlers: ((sentence: string) => void)[] = []
  let ended: string | undefined
  let isGreeted = false

  const greeted = awaits('the RTMP handshake')
  socket.on('data', (data: Buffer) => {
    try {
      receive(data)
    } catch (error) {
      giveUp(error)
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
    onMedia: (handler) => void (handleMedia = handler),
    awaits,
    onEnd(handler) {
      if (ended === undefined) endHandlers.push(handler)
      else queueMicrotask(() => handler(ended!))
    },
    end,
    close() {
      endHandlers = []
      outbox.finish()
      const linger = setTimeout(() => socket.destroy(), LINGER_MS)
      return closed.promise.finally(() => clearTimeout(linger))
    },
  }

  function awaits<T = void>(what: string): Deferred<T> {
    const onLate = () => end(`${label} did not answer ${what} within ${answerMs / 1000} s.`)
    const deferred = awaited.add<T>(what, answerMs, onLate)
    if (ended !== undefined) deferred.reject(new RtmpClientError(ended))
    return deferred
  }

  /** Many servers refuse so, without a word. */
  function sayLeft(): string {
    const what = awaited.first
    return what ? `${label} closed the connection instead of answering ${what}.` : `${label} closed the connection.`
  }

  function end(sentence: string): void {
    if (ended !== undefined) return
    ended = sentence
    loop.stop()
    socket.destroy()
    awaited.rejectAll(new RtmpClientError(sentence))
    for (const handler of endHandlers) handler(sentence)
  }

  function giveUp(error: unknown): void {
    const { message } = error as Error
    if (error instanceof RtmpClientError) end(message)
    else end(isGreeted ? `${label} does not speak RTMP as it should: ${message}` : sayOtherProtocol(label))
  }

  function receive(data: Buffer): void {
    if (ended !== undefined) return
    control.countReceived(data.length)
    const messages = isGreeted ? data : takeGreeting(data)
    if (!messages) return
    incoming.push(messages)
    loop.run()
    control.acknowledge()
  }

  /** What follows the handshake; undefined until it is done. */
  function takeGreeting(data: Buffer): Buffer | undefined {
    const { reply, rest } = handshake.push(data)
    if (reply) outbox.send(reply)
    if (!rest) return undefined
    isGreeted = true
    greeted.resolve()
    return rest
  }

  function handle(message: RtmpMessage): void | Promise<void> {
    if (control.handle(message)) return
    switch (message.typeId) {
      case MESSAGE.video:
      case MESSAGE.audio:
      case MESSAGE.dataAmf0:
      case MESSAGE.dataAmf3:
        return handleMedia(message)
      case MESSAGE.commandAmf0:
      case MESSAGE.commandAmf3: {
        const command = parseCommand(message)
        if (command) handleCommand(command)
      }
    }
  }
}
