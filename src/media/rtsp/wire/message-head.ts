import { type Headers, RtspFailure } from './message.ts'

export type StartLine =
  | { readonly kind: 'request'; readonly method: string; readonly url: string }
  | { readonly kind: 'response'; readonly status: number; readonly reason: string }

export function parseStartLine(text: string): StartLine {
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

/** Collects the header lines of one message. */
export interface HeaderLines {
  readonly headers: Headers
  /** False for a line that is no header; throws when there are too many, of either sort. */
  add(line: string): boolean
}

export function createHeaderLines(maxLines: number): HeaderLines {
  const headers = new Map<string, string>()
  let lines = 0
  let lastName = ''

  return {
    headers,
    add(line) {
      if (++lines > maxLines) throw new RtspFailure(400, 'There are too many headers.')
      // RFC 2326 §4.2: a line that begins with a space continues the header before it.
      const isContinuation = line.startsWith(' ') || line.startsWith('\t')
      const match = isContinuation ? undefined : /^([!-9;-~]+)[ \t]*:(.*)$/.exec(line)
      const name = isContinuation ? lastName : match?.[1]?.toLowerCase()
      if (!name) return false
      const value = (match?.[2] ?? line).trim()
      const before = headers.get(name)
      headers.set(name, before === undefined ? value : `${before}${isContinuation ? ' ' : ', '}${value}`)
      lastName = name
      return true
    },
  }
}

/** The length of the body that follows the headers. */
export function parseContentLength(headers: Headers, max: number): number {
  const value = headers.get('content-length')
  if (value === undefined) return 0
  if (!/^\d{1,9}$/.test(value)) throw new RtspFailure(400, 'Content-Length is no number.')
  const length = Number(value)
  if (length > max) throw new RtspFailure(413, `A body may have ${max} bytes.`)
  return length
}
