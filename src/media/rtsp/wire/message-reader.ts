import { createTimeSlice } from '../../time-slice.ts'
import { type RtspRequest, type RtspResponse } from './message.ts'
import { createMessageParser, type ParserLimits } from './message-parser.ts'

/**
 * Hands on the messages of a connection in their order. While a request is answered nothing more is read, and after a time slice
 * the rest waits for the next round of the event loop.
 */
export interface MessageReader {
  push(chunk: Buffer): void
  /** Nothing is handed on any more. */
  stop(): void
  /** A message has begun to arrive, and has not been complete for longer than this. */
  isOverdue(nowMs: number, maxMs: number): boolean
}

export interface MessageReaderOptions {
  readonly socket: { pause(): unknown; resume(): unknown }
  readonly limits?: ParserLimits
  readonly onFrame: (channel: number, data: Buffer) => void
  /** The next message waits until it resolves. */
  readonly onRequest: (request: RtspRequest) => Promise<void>
  /** Of a client; a server asks nothing. */
  readonly onResponse?: (response: RtspResponse) => void
  /** What could not be parsed or handled: nothing can be read after it. */
  readonly onError: (error: unknown) => void
  readonly now?: () => number
}

const MAX_PER_SLICE = { maxSteps: 256, maxMs: 5 }

export function createMessageReader(options: MessageReaderOptions): MessageReader {
  const { socket, limits, onFrame, onRequest, onResponse, onError, now = () => performance.now() } = options
  const parser = createMessageParser(limits)
  const slice = createTimeSlice(MAX_PER_SLICE)
  let isBusy = false
  let isStopped = false
  let partialSinceMs: number | undefined

  function readMessages(): void {
    try {
      while (!isBusy && !isStopped) {
        const message = parser.next()
        if (!message) break
        partialSinceMs = undefined
        if (message.kind === 'frame') onFrame(message.channel, message.data)
        else if (message.kind === 'request') handle(message)
        else onResponse?.(message)
        // A packet goes to all readers: hundreds of them make each of thousands in one read a lot of work.
        if (!isBusy && slice.isOverAfterStep()) {
          pause()
          continueNextRound()
        }
      }
    } catch (error) {
      onError(error)
    }
    if (isBusy || !parser.isMidMessage) partialSinceMs = undefined
    else partialSinceMs ??= now()
  }

  function handle(request: RtspRequest): void {
    pause()
    // One request a round: a client that sends thousands at once must not hold up everybody else.
    onRequest(request).then(continueNextRound).catch(onError)
  }

  function pause(): void {
    isBusy = true
    socket.pause()
  }

  function continueNextRound(): void {
    setImmediate(() => {
      isBusy = false
      readMessages()
      if (!isBusy) socket.resume()
    })
  }

  return {
    push(chunk) {
      parser.push(chunk)
      readMessages()
    },
    stop: () => void (isStopped = true),
    isOverdue: (nowMs, maxMs) => partialSinceMs !== undefined && nowMs - partialSinceMs > maxMs,
  }
}
