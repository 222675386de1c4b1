import { type RtspMessage, RtspFailure } from './message.ts'

export interface ParserLimits {
  readonly maxLineBytes: number
  /** Start line and headers together. */
  readonly maxHeadBytes: number
  readonly maxHeaders: number
  readonly maxBodyBytes: number
  /**
   * Bytes between messages that are no message and are passed over, as some cameras send them: the rest of a body that was
   * longer than it was said to be, or lines that are no headers. Servers take none.
   */
  readonly maxGarbageBytes: number
}

export const defaultParserLimits: ParserLimits = {
  maxLineBytes: 4 * 1024,
  maxHeadBytes: 16 * 1024,
  maxHeaders: 64,
  maxBodyBytes: 64 * 1024,
  maxGarbageBytes: 0,
}

/** For what cameras answer. */
export const clientParserLimits: ParserLimits = { ...defaultParserLimits, maxGarbageBytes: 16 * 1024 }

/**
 * Takes bytes as they come and gives messages when they are whole. Pulled, not pushed: whoever is busy with a
 * request leaves the rest where it is. What can't be a message is thrown as an `RtspFailure`; after that the
 * place in the stream is lost and the connection has to end.
 *
 *   start ─┬─ `$` ─▶ frame-header ─▶ frame-body ─▶ start
 *          └─ else ─▶ start-line ─▶ headers ─▶ body ─▶ start
 *                         └─ garbage, within its limit ─▶ start
 */
export interface MessageParser {
  push(chunk: Buffer): void
  next(): RtspMessage | undefined
  /** Some of a message has come, but not all of it. */
  readonly isMidMessage: boolean
  /** Bytes kept for a message that is not whole; never more than the limits say. */
  readonly heldBytes: number
}

type State = 'start' | 'start-line' | 'headers' | 'body' | 'frame-header' | 'frame-body'
/** A whole message, or whether to go on in the new state or to wait for bytes. */
type Step = RtspMessage | 'go-on' | 'wait'

const DOLLAR = 0x24
const CR = 0x0d
const LF = 0x0a
const EMPTY = Buffer.alloc(0)

/** How many times its own bytes a block may keep in memory. */
const MAX_KEPT_FOR_ONE = 4

export function createMessageParser(limits: ParserLimits = defaultParserLimits): MessageParser {
  let state: State = 'start'
  let chunk: Buffer = EMPTY
  let at = 0
  /** The beginning of a line whose end has not come. */
  let line = ''
  let headBytes = 0
  let startLine: StartLine | undefined
  let headers = new Map<string, string>()
  let headerLines = 0
  let lastHeader = ''
  /** A body or frame that came in part; allocated at its full size. */
  let block: Buffer | undefined
  let blockFilled = 0
  let blockLength = 0
  let channel = 0
  let garbageBytes = 0

  const steps: Record<State, () => Step> = {
    start() {
      while (at < chunk.length && (chunk[at] === CR || chunk[at] === LF)) at++
      if (at === chunk.length) return 'wait'
      headBytes = 0
      return chunk[at] === DOLLAR ? expectBlock('frame-header', 4) : enter('start-line')
    },
    'start-line'() {
      const text = readLine()
      if (text === undefined) return 'wait'
      try {
        startLine = parseStartLine(text)
      } catch (error) {
        passOver(text, error)
        return enter('start')
      }
      headers = new Map()
      headerLines = 0
      lastHeader = ''
      return enter('headers')
    },
    headers() {
      const text = readLine()
      if (text === undefined) return 'wait'
      if (text !== '') {
        addHeader(text)
        return 'go-on'
      }
      const length = parseLength(headers.get('content-length'), limits.maxBodyBytes)
      return expectBlock('body', length)
    },
    body() {
      const body = readBlock()
      if (!body) return 'wait'
      state = 'start'
      garbageBytes = 0
      return { ...startLine!, headers: headers, body }
    },
    'frame-header'() {
      const header = readBlock()
      if (!header) return 'wait'
      channel = header[1]!
      return expectBlock('frame-body', header.readUInt16BE(2))
    },
    'frame-body'() {
      const data = readBlock()
      if (!data) return 'wait'
      state = 'start'
      return { kind: 'frame', channel, data }
    },
  }

  function passOver(garbage: string, error: unknown): void {
    garbageBytes += garbage.length + 1
    if (garbageBytes > limits.maxGarbageBytes) throw error
  }

  function enter(next: State): 'go-on' {
    state = next
    return 'go-on'
  }

  function expectBlock(next: State, length: number): 'go-on' {
    blockLength = length
    blockFilled = 0
    return enter(next)
  }

  /** The next line without its end; undefined when its end has not come. */
  function readLine(): string | undefined {
    const end = chunk.indexOf(LF, at)
    const stop = end < 0 ? chunk.length : end
    const length = line.length + stop - at
    if (length > limits.maxLineBytes) throw new RtspFailure(state === 'start-line' ? 414 : 400, 'A line is too long.')
    if (headBytes + length > limits.maxHeadBytes) throw new RtspFailure(400, 'The headers are too long.')
    line += chunk.toString('latin1', at, stop)
    at = stop
    if (end < 0) return undefined
    at++
    headBytes += length
    const whole = line.endsWith('\r') ? line.slice(0, -1) : line
    line = ''
    return whole
  }

  /** The next `blockLength` bytes: a view of the chunk when they are much of it. A small one that is kept would keep all of it. */
  function readBlock(): Buffer | undefined {
    const available = chunk.length - at
    if (!block && available >= blockLength && blockLength * MAX_KEPT_FOR_ONE >= chunk.length) {
      at += blockLength
      return chunk.subarray(at - blockLength, at)
    }
    block ??= Buffer.allocUnsafeSlow(blockLength)
    const count = Math.min(available, blockLength - blockFilled)
    chunk.copy(block, blockFilled, at, at + count)
    at += count
    blockFilled += count
    if (blockFilled < blockLength) return undefined
    const whole = block
    block = undefined
    return whole
  }

  function addHeader(text: string): void {
    if (++headerLines > limits.maxHeaders) throw new RtspFailure(400, 'There are too many headers.')
    // RFC 2326 §4.2: a line that begins with a space goes on with the header before it.
    const isContinuation = text.startsWith(' ') || text.startsWith('\t')
    const match = isContinuation ? undefined : /^([!-9;-~]+)[ \t]*:(.*)$/.exec(text)
    const name = isContinuation ? lastHeader : match?.[1]?.toLowerCase()
    if (!name) return passOver(text, new RtspFailure(400, 'A line is no header.'))
    const value = (match?.[2] ?? text).trim()
    const before = headers.get(name)
    headers.set(name, before === undefined ? value : `${before}${isContinuation ? ' ' : ', '}${value}`)
    lastHeader = name
  }

  return {
    push(next) {
      chunk = at < chunk.length ? Buffer.concat([chunk.subarray(at), next]) : next
      at = 0
    },
    next() {
      for (;;) {
        const step = steps[state]()
        if (step === 'go-on') continue
        if (at === chunk.length) {
          chunk = EMPTY
          at = 0
        }
        return step === 'wait' ? undefined : step
      }
    },
    get isMidMessage() {
      return state !== 'start'
    },
    get heldBytes() {
      return state === 'start' ? 0 : line.length + headBytes + (block?.length ?? 0)
    },
  }
}

type StartLine =
  | { readonly kind: 'request'; readonly method: string; readonly url: string }
  | { readonly kind: 'response'; readonly status: number; readonly reason: string }

function parseStartLine(text: string): StartLine {
  const request = /^([A-Za-z_]{1,32}) +([!-~]+) +(RTSP|HTTP)\/(\d)\.\d$/.exec(text)
  if (request) {
    const [, method, url, protocol, version] = request
    if (protocol !== 'RTSP' || version !== '1') throw new RtspFailure(505, 'Only RTSP 1.0 is spoken here.')
    return { kind: 'request', method: method!, url: url! }
  }
  const response = /^RTSP\/1\.\d +(\d{3})(?: (.*))?$/.exec(text)
  if (!response) throw new RtspFailure(400, 'The first line is no RTSP request.')
  return { kind: 'response', status: Number(response[1]), reason: response[2]?.trim() ?? '' }
}

function parseLength(value: string | undefined, max: number): number {
  if (value === undefined) return 0
  if (!/^\d{1,9}$/.test(value)) throw new RtspFailure(400, 'Content-Length is no number.')
  const length = Number(value)
  if (length > max) throw new RtspFailure(413, `A body may have ${max} bytes.`)
  return length
}
