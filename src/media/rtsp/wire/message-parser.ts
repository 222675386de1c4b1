import { createInputBuffer } from './input-buffer.ts'
import { type RtspMessage, RtspFailure } from './message.ts'
import {
  createHeaderLines,
  type HeaderLines,
  parseContentLength,
  parseStartLine,
  type StartLine,
} from './message-head.ts'

export interface ParserLimits {
  readonly maxLineBytes: number
  /** Start line and headers together. */
  readonly maxHeadBytes: number
  readonly maxHeaders: number
  readonly maxBodyBytes: number
  /**
   * Bytes between messages that belong to none and are skipped, as some cameras send them: the rest of a body that was
   * longer than its Content-Length, or lines that are no headers. Servers accept none.
   */
  readonly maxGarbageBytes: number
}

export const DEFAULT_PARSER_LIMITS: ParserLimits = {
  maxLineBytes: 4 * 1024,
  maxHeadBytes: 16 * 1024,
  maxHeaders: 64,
  maxBodyBytes: 64 * 1024,
  maxGarbageBytes: 0,
}

/** For what cameras answer. */
export const CLIENT_PARSER_LIMITS: ParserLimits = { ...DEFAULT_PARSER_LIMITS, maxGarbageBytes: 16 * 1024 }

/**
 * Takes bytes as they arrive and returns messages when they are complete. Pulled, not pushed: a connection that is busy with a
 * request leaves the rest unparsed. What can't be a message is thrown as an `RtspFailure`; after that the
 * position in the stream is lost and the connection has to end.
 *
 *   start ─┬─ `$` ─▶ frame-header ─▶ frame-body ─▶ start
 *          └─ else ─▶ start-line ─▶ headers ─▶ body ─▶ start
 *                         └─ garbage, within its limit ─▶ start
 */
export interface MessageParser {
  push(chunk: Buffer): void
  next(): RtspMessage | undefined
  /** A message has arrived in part. */
  readonly isMidMessage: boolean
  /** Bytes kept for an incomplete message; never more than the limits allow. */
  readonly heldBytes: number
}

type State = 'start' | 'start-line' | 'headers' | 'body' | 'frame-header' | 'frame-body'
/** A whole message, or whether to continue in the new state or to wait for bytes. */
type Step = RtspMessage | 'continue' | 'wait'

const DOLLAR = 0x24

export function createMessageParser(limits: ParserLimits = DEFAULT_PARSER_LIMITS): MessageParser {
  const input = createInputBuffer()
  let state: State = 'start'
  let headBytes = 0
  let garbageBytes = 0
  let startLine: StartLine
  let headerLines: HeaderLines
  let bodyBytes = 0
  let frameChannel = 0
  let frameBytes = 0

  /** One method a state. */
  const steps: Record<State, () => Step> = {
    start() {
      const first = input.peekPastLineEnds()
      if (first === undefined) return 'wait'
      headBytes = 0
      return enter(first === DOLLAR ? 'frame-header' : 'start-line')
    },
    'start-line'() {
      const line = readHeadLine()
      if (line === undefined) return 'wait'
      try {
        startLine = parseStartLine(line)
      } catch (error) {
        skipGarbage(line, error)
        return enter('start')
      }
      headerLines = createHeaderLines(limits.maxHeaders)
      return enter('headers')
    },
    headers() {
      const line = readHeadLine()
      if (line === undefined) return 'wait'
      if (line !== '') {
        if (!headerLines.add(line)) skipGarbage(line, new RtspFailure(400, 'A line is no header.'))
        return 'continue'
      }
      bodyBytes = parseContentLength(headerLines.headers, limits.maxBodyBytes)
      return enter('body')
    },
    body() {
      const body = input.readBlock(bodyBytes)
      if (!body) return 'wait'
      state = 'start'
      garbageBytes = 0
      return { ...startLine, headers: headerLines.headers, body }
    },
    'frame-header'() {
      // A dollar sign, the channel in a byte, and the length in two.
      const header = input.readUInt32()
      if (header === undefined) return 'wait'
      frameChannel = (header >> 16) & 0xff
      frameBytes = header & 0xffff
      return enter('frame-body')
    },
    'frame-body'() {
      const data = input.readBlock(frameBytes)
      if (!data) return 'wait'
      state = 'start'
      return { kind: 'frame', channel: frameChannel, data }
    },
  }

  function enter(next: State): 'continue' {
    state = next
    return 'continue'
  }

  function readHeadLine(): string | undefined {
    const line = input.readLine(checkLineLength)
    if (line === undefined) return undefined
    headBytes += line.length
    return line.endsWith('\r') ? line.slice(0, -1) : line
  }

  function checkLineLength(bytes: number): void {
    if (bytes > limits.maxLineBytes) throw new RtspFailure(state === 'start-line' ? 414 : 400, 'A line is too long.')
    if (headBytes + bytes > limits.maxHeadBytes) throw new RtspFailure(400, 'The headers are too long.')
  }

  function skipGarbage(line: string, error: unknown): void {
    garbageBytes += line.length + 1
    if (garbageBytes > limits.maxGarbageBytes) throw error
  }

  return {
    push: (chunk) => input.push(chunk),
    next() {
      for (;;) {
        const step = steps[state]()
        if (step !== 'continue') return step === 'wait' ? undefined : step
      }
    },
    get isMidMessage() {
      return state !== 'start'
    },
    get heldBytes() {
      return state === 'start' ? 0 : headBytes + input.heldBytes
    },
  }
}
