import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { type Headers, type RtspMessage, type RtspResponse } from './message.ts'
import { createMessageParser } from './message-parser.ts'

/** The server said no, or went away while it was asked. */
export class RtspClientError extends Error {
  /** 0 when there was no answer at all. */
  readonly status: number

  constructor(status: number, sentence: string) {
    super(sentence)
    this.name = 'RtspClientError'
    this.status = status
  }
}

/** A client's connection: requests one after another, interleaved packets both ways (RFC 2326 §10.12). */
export interface RtspClientConnection {
  /** Rejects with an `RtspClientError` for any answer but 200. */
  request(method: string, url: string, headers?: Readonly<Record<string, string>>, body?: string): Promise<RtspResponse>
  onFrame(handler: (channel: number, data: Buffer) => void): void
  /** What `interleave` made. False when the server takes too little: then the connection is closed. */
  sendInterleaved(frames: Buffer): boolean
  /** Called once, whoever ended it. */
  onClose(handler: (reason: string) => void): void
  /** Resolves when the socket is closed. */
  close(): Promise<void>
}

const ANSWER_WITHIN_MS = 5_000
/** What may wait to be sent: some seconds of video. */
const MAX_UNSENT_BYTES = 8 * 1024 * 1024

/** Opens `rtsp://host:port/…` or `rtsps://…`; the rest of the URL is the requests' business. */
export async function connectToRtsp(url: string): Promise<RtspClientConnection> {
  const { hostname, port, protocol } = new URL(url)
  const isTls = protocol === 'rtsps:'
  const host = hostname.replace(/^\[|\]$/g, '')
  const address = { host, port: Number(port || (isTls ? 322 : 554)) }
  // Between our own processes on this machine the certificate is for another name: that of the service.
  const socket = isTls ? connectTls({ ...address, rejectUnauthorized: !isLoopback(host) }) : connect(address)
  socket.setNoDelay(true)
  const connection = createConnection(socket)
  await connection.opened(isTls ? 'secureConnect' : 'connect')
  return connection
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
}

interface Pending {
  resolve(response: RtspResponse): void
  reject(error: Error): void
}

function createConnection(socket: Socket): RtspClientConnection & { opened(event: string): Promise<void> } {
  const parser = createMessageParser()
  const pending: Pending[] = []
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  let takeFrame: (channel: number, data: Buffer) => void = () => {}
  let tellClosed: ((reason: string) => void) | undefined
  let reason = 'the server closed the connection'
  let isClosed = false
  let cseq = 0

  socket.on('error', (error) => (reason = error.message))
  socket.on('data', (chunk: Buffer) => {
    try {
      parser.push(chunk)
      for (let message = parser.next(); message; message = parser.next()) take(message)
    } catch (error) {
      end((error as Error).message)
    }
  })
  socket.once('close', () => {
    isClosed = true
    for (const asked of pending.splice(0)) asked.reject(new RtspClientError(0, `No answer: ${reason}.`))
    tellClosed?.(reason)
  })

  function take(message: RtspMessage): void {
    if (message.kind === 'frame') return takeFrame(message.channel, message.data)
    if (message.kind === 'response') return pending.shift()?.resolve(message)
    // A server may ask whether we are there; no is an answer too (§10.1).
    socket.write(`RTSP/1.0 501 Not Implemented\r\nCSeq: ${message.headers.get('cseq') ?? '0'}\r\n\r\n`)
  }

  function end(why: string): void {
    reason = why
    socket.destroy()
  }

  function answerTo(text: string): Promise<RtspResponse> {
    return new Promise((resolve, reject) => {
      if (isClosed) return reject(new RtspClientError(0, `No answer: ${reason}.`))
      const timer = setTimeout(() => end('it took too long to answer'), ANSWER_WITHIN_MS)
      pending.push({
        resolve: (response) => (clearTimeout(timer), resolve(response)),
        reject: (error) => (clearTimeout(timer), reject(error)),
      })
      socket.write(text)
    })
  }

  return {
    opened: (event) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => end('it took too long to connect'), ANSWER_WITHIN_MS)
        socket.once(event, () => resolve())
        void closed.then(() => reject(new RtspClientError(0, `The media server cannot be reached: ${reason}.`)))
        void closed.finally(() => clearTimeout(timer))
        socket.once(event, () => clearTimeout(timer))
      }),
    async request(method, url, headers = {}, body = '') {
      const lines = [`${method} ${url} RTSP/1.0`, `CSeq: ${++cseq}`, 'User-Agent: Aerie']
      for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
      if (body) lines.push(`Content-Length: ${Buffer.byteLength(body)}`)
      const response = await answerTo(`${lines.join('\r\n')}\r\n\r\n${body}`)
      if (response.status === 200) return response
      throw new RtspClientError(response.status, `The media server refused ${method}: ${response.reason}.`)
    },
    onFrame: (handler) => void (takeFrame = handler),
    sendInterleaved(frames) {
      if (isClosed) return false
      if (socket.writableLength > MAX_UNSENT_BYTES) {
        end('the media server takes too little')
        return false
      }
      socket.write(frames)
      return true
    },
    onClose: (handler) => void (tellClosed = handler),
    close() {
      end('we left')
      return closed
    },
  }
}

/** The session's id without its timeout (§12.37). */
export function sessionOf(headers: Headers): string {
  return headers.get('session')?.split(';')[0]?.trim() ?? ''
}
