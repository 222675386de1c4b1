/** Header names are lower-case; a repeated header has its values joined by commas. */
export type Headers = ReadonlyMap<string, string>

export interface RtspRequest {
  readonly kind: 'request'
  readonly method: string
  /** As sent: may hold userinfo, keys and tokens, so it is never logged. */
  readonly url: string
  readonly headers: Headers
  readonly body: Buffer
}

export interface RtspResponse {
  readonly kind: 'response'
  readonly status: number
  readonly reason: string
  readonly headers: Headers
  readonly body: Buffer
}

/** RTP or RTCP between the messages of a connection (RFC 2326 §10.12). */
export interface InterleavedFrame {
  readonly kind: 'frame'
  readonly channel: number
  readonly data: Buffer
}

export type RtspMessage = RtspRequest | RtspResponse | InterleavedFrame

/** What a handler answers with; the connection adds the rest. */
export interface Answer {
  readonly status: Status
  /** For people, in place of the usual phrase: clients show it, since it is all that they get. */
  readonly phrase?: string
  readonly headers?: readonly (readonly [name: string, value: string])[]
  readonly body?: string
  /** The connection ends after it. */
  readonly isLast?: boolean
}

/** The codes that we send, with their phrases (RFC 2326 §7.1.1; 409 is HTTP's). */
const phrases = {
  200: 'OK',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  408: 'Request Timeout',
  409: 'Path In Use',
  413: 'Request Entity Too Large',
  414: 'Request-URI Too Large',
  415: 'Unsupported Media Type',
  453: 'Not Enough Bandwidth',
  454: 'Session Not Found',
  455: 'Method Not Valid in This State',
  459: 'Aggregate Operation Not Allowed',
  461: 'Unsupported Transport',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  505: 'RTSP Version Not Supported',
  551: 'Option Not Supported',
} as const

export type Status = keyof typeof phrases

/** A request that can't be granted: the status to answer with, and a sentence for the log. */
export class RtspFailure extends Error {
  readonly status: Status
  readonly headers: Answer['headers']
  readonly phrase: string | undefined

  constructor(status: Status, sentence: string, headers?: Answer['headers'], phrase?: string) {
    super(sentence)
    this.name = 'RtspFailure'
    this.status = status
    this.headers = headers
    this.phrase = phrase
  }
}

export function formatAnswer(answer: Answer, cseq: string | undefined): string {
  const body = answer.body ?? ''
  const lines = [`RTSP/1.0 ${answer.status} ${answer.phrase ?? phrases[answer.status]}`]
  if (cseq !== undefined) lines.push(`CSeq: ${cseq}`)
  lines.push('Server: Aerie')
  for (const [name, value] of answer.headers ?? []) lines.push(`${name}: ${value}`)
  if (body) lines.push(`Content-Length: ${Buffer.byteLength(body)}`)
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

export interface OutgoingRequest {
  readonly method: string
  readonly url: string
  readonly cseq: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export function formatRequest({ method, url, cseq, headers, body }: OutgoingRequest): Buffer {
  const lines = [`${method} ${url} RTSP/1.0`, `CSeq: ${cseq}`, 'User-Agent: Aerie']
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
  const content = Buffer.from(body, 'utf8')
  if (body) lines.push(`Content-Length: ${content.length}`)
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), content])
}
