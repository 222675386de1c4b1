import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { createDeferred } from '../../../core/deferred.ts'
import { connectionFailure } from '../../../outbound/connection-failure.ts'
import { RtspClientError } from './client-error.ts'
import { type RtspMessage, type RtspRequest, type RtspResponse } from '../wire/message.ts'
import { clientParserLimits, createMessageParser } from '../wire/message-parser.ts'
import { type RtspTarget } from './rtsp-target.ts'

/** The address to dial for a host: exactly that one is dialled. Rejects with a sentence when it may not be. */
export type Dial = (hostname: string, port: number) => Promise<string>

export interface RtspConnectOptions {
  readonly dial: Dial
  /** It is our own media server, which we reach by another name than that on its certificate. */
  readonly isOwnServer?: boolean
  /** Ends the connection, also while it is being made. */
  readonly signal?: AbortSignal
}

/** Between our own processes on this machine: the address is the one that the main process gave. */
export const OWN_SERVER: RtspConnectOptions = { dial: (hostname) => Promise.resolve(hostname), isOwnServer: true }

/** A client's connection: requests one after another, interleaved packets both ways (RFC 2326 §10.12). */
export interface RtspClientConnection {
  readonly localAddress: string
  readonly remoteAddress: string
  /** Resolves with whatever the server answers; rejects with an `RtspClientError` when it does not. */
  ask(method: string, url: string, headers?: Readonly<Record<string, string>>, body?: string): Promise<RtspResponse>
  onFrame(handler: (channel: number, data: Buffer) => void): void
  /** What `interleave` made. False when the server takes too little: then the connection is closed. */
  sendInterleaved(frames: Buffer): boolean
  /** The server asked us to go elsewhere (§10.10). */
  onRedirect(handler: (location: string) => void): void
  /** Resolves with the reason, whoever ended it. */
  readonly closed: Promise<string>
  /** Sends what is still to be sent; resolves when the socket is closed. */
  close(): Promise<void>
}

const ANSWER_WITHIN_MS = 5_000
const TOO_LONG = 'it took too long to answer'
/** What may wait to be sent: some seconds of video. */
const MAX_UNSENT_BYTES = 8 * 1024 * 1024
/** How long a server may take to let us go. */
const CLOSE_WITHIN_MS = 300

export async function connectToRtsp(target: RtspTarget, options: RtspConnectOptions): Promise<RtspClientConnection> {
  const { hostname, port, isTls } = target
  const { dial, isOwnServer = false, signal } = options
  const host = await unlessAborted(() => dial(hostname, port), signal)
  const servername = isIP(hostname) ? '' : hostname
  const socket = isTls
    ? connectTls({ host, port, servername, rejectUnauthorized: !isOwnServer })
    : connect({ host, port })
  socket.setNoDelay(true)
  const end = () => socket.destroy()
  signal?.addEventListener('abort', end, { once: true })
  socket.once('close', () => signal?.removeEventListener('abort', end))
  await connected(socket, isTls ? 'secureConnect' : 'connect')
  return createConnection(socket)
}

/** The dial itself may wait for a resolver, which nobody can interrupt; it is left behind. */
async function unlessAborted<T>(dial: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  const left = new RtspClientError('unreachable', 'Connection timed out.')
  if (signal?.aborted) throw left
  let leave = () => {}
  const aborted = new Promise<never>((_resolve, reject) => (leave = () => reject(left)))
  signal?.addEventListener('abort', leave, { once: true })
  return Promise.race([dial(), aborted]).finally(() => signal?.removeEventListener('abort', leave))
}

function connected(socket: Socket, event: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let failure: NodeJS.ErrnoException = Object.assign(new Error(), { code: 'ETIMEDOUT' })
    const timer = setTimeout(() => socket.destroy(), ANSWER_WITHIN_MS)
    // Stays for as long as the socket lives: an error that nobody hears would end the process.
    socket.on('error', (error) => (failure = error))
    const onClose = () => (clearTimeout(timer), reject(new RtspClientError('unreachable', connectionFailure(failure))))
    socket.once('close', onClose)
    socket.once(event, () => {
      clearTimeout(timer)
      socket.off('close', onClose)
      resolve()
    })
  })
}

interface Pending {
  readonly cseq: number
  resolve(response: RtspResponse): void
  reject(error: Error): void
}

function createConnection(socket: Socket): RtspClientConnection {
  const parser = createMessageParser(clientParserLimits)
  const pending: Pending[] = []
  const closed = createDeferred<string>()
  let takeFrame: (channel: number, data: Buffer) => void = () => {}
  let takeRedirect: (location: string) => void = () => {}
  let reason = 'the server closed the connection'
  let isClosed = false
  let cseq = 0

  socket.on('error', (error) => (reason = error.message))
  socket.on('data', (chunk: Buffer) => {
    try {
      parser.push(chunk)
      for (let message = parser.next(); message; message = parser.next()) take(message)
    } catch (error) {
      end((error as Error).message.replace(/\.$/, ''))
    }
  })
  socket.once('close', () => {
    isClosed = true
    for (const asked of pending.splice(0)) asked.reject(noAnswer())
    closed.resolve(reason)
  })

  function take(message: RtspMessage): void {
    if (isClosed) return
    if (message.kind === 'frame') takeFrame(message.channel, message.data)
    else if (message.kind === 'response') takeResponse(message)
    else answer(message)
  }

  /** Some servers count wrongly, or not at all: then answers belong to requests in their order. */
  function takeResponse(response: RtspResponse): void {
    const number = Number(response.headers.get('cseq') ?? NaN)
    const index = pending.findIndex((asked) => asked.cseq === number)
    pending.splice(Math.max(0, index), 1)[0]?.resolve(response)
  }

  /** What a server may ask of a client: whether it is there, to go elsewhere, and what it may as well not have said. */
  function answer({ method, headers }: RtspRequest): void {
    const isKnown = ['OPTIONS', 'REDIRECT', 'ANNOUNCE', 'GET_PARAMETER', 'SET_PARAMETER'].includes(method)
    const lines = [isKnown ? 'RTSP/1.0 200 OK' : 'RTSP/1.0 501 Not Implemented', `CSeq: ${headers.get('cseq') ?? '0'}`]
    if (method === 'OPTIONS') lines.push('Public: OPTIONS, REDIRECT, ANNOUNCE, GET_PARAMETER, SET_PARAMETER')
    send(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'))
    const location = headers.get('location')
    if (method === 'REDIRECT' && location) takeRedirect(location)
  }

  function send(data: Buffer): boolean {
    if (isClosed) return false
    if (socket.writableLength > MAX_UNSENT_BYTES) {
      end('the server takes too little')
      return false
    }
    socket.write(data)
    return true
  }

  function end(why: string): void {
    reason = why
    socket.destroy()
  }

  function noAnswer(why = reason): RtspClientError {
    return new RtspClientError('no-answer', `No answer: ${why}.`)
  }

  return {
    localAddress: socket.localAddress ?? '',
    remoteAddress: socket.remoteAddress ?? '',
    ask(method, url, headers = {}, body = '') {
      const lines = [`${method} ${url} RTSP/1.0`, `CSeq: ${++cseq}`, 'User-Agent: Aerie']
      for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
      const content = Buffer.from(body, 'utf8')
      if (body) lines.push(`Content-Length: ${content.length}`)
      return new Promise((resolve, reject) => {
        if (isClosed) return reject(noAnswer())
        const heardBefore = socket.bytesRead
        const timer = setTimeout(() => {
          // Some cameras send video, but never answer while they do.
          if (socket.bytesRead === heardBefore) end(TOO_LONG)
          else pending.splice(pending.indexOf(asked), 1)[0]!.reject(noAnswer(TOO_LONG))
        }, ANSWER_WITHIN_MS)
        const asked: Pending = {
          cseq,
          resolve: (response) => (clearTimeout(timer), resolve(response)),
          reject: (error) => (clearTimeout(timer), reject(error)),
        }
        pending.push(asked)
        send(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), content]))
      })
    },
    onFrame: (handler) => void (takeFrame = handler),
    sendInterleaved: send,
    onRedirect: (handler) => void (takeRedirect = handler),
    closed: closed.promise,
    async close() {
      isClosed = true
      reason = 'we left'
      for (const asked of pending.splice(0)) asked.reject(noAnswer())
      socket.end()
      const timer = setTimeout(() => socket.destroy(), CLOSE_WITHIN_MS)
      await closed.promise
      clearTimeout(timer)
    },
  }
}
