import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { createDeferred } from '../../../core/deferred.ts'
import { unlessAborted } from '../../../core/deadline.ts'
import { connectionFailure } from '../../../outbound/connection-failure.ts'
import { type Dial } from '../../../outbound/dial.ts'
import { RtspClientError } from './client-error.ts'
import { formatRequest, type RtspRequest, type RtspResponse } from '../wire/message.ts'
import { CLIENT_PARSER_LIMITS } from '../wire/message-parser.ts'
import { createMessageReader } from '../wire/message-reader.ts'
import { createPendingRequests } from './pending-requests.ts'
import { type RtspTarget } from './rtsp-target.ts'

export interface RtspConnectOptions {
  readonly dial: Dial
  /** It is our own media server, which we reach by another name than that on its certificate. */
  readonly isOwnServer?: boolean
  /** It is the media server of another of our nodes: by TCP only, since packets are to come as they were sent. */
  readonly isNode?: boolean
  /** Ends the connection, also while it is being made. */
  readonly signal?: AbortSignal
}

/** Between our own processes on this machine: the address is the one that the main process gave. */
export const OWN_SERVER: RtspConnectOptions = { dial: (hostname) => Promise.resolve(hostname), isOwnServer: true }

/** A client's connection: requests one after another, interleaved packets both ways (RFC 2326 §10.12). */
export interface RtspClientConnection {
  readonly localAddress: string
  readonly remoteAddress: string
  /** Resolves with the response, whatever its status; rejects with an `RtspClientError` when there is none. */
  ask(method: string, url: string, headers?: Readonly<Record<string, string>>, body?: string): Promise<RtspResponse>
  onFrame(handler: (channel: number, data: Buffer) => void): void
  /** What `interleave` made. False when the server takes too little: then the connection is closed. */
  sendInterleaved(frames: Buffer): boolean
  /** The server redirected us (§10.10). */
  onRedirect(handler: (location: string) => void): void
  /** Resolves with the reason, whichever side ended it. */
  readonly closed: Promise<string>
  /** Sends what is still to be sent; resolves when the socket is closed. */
  close(): Promise<void>
}

const ANSWER_TIMEOUT_MS = 5_000
/** Our own server, or another node's, may have to call a camera first, which takes what a camera may take. */
const OWN_ANSWER_TIMEOUT_MS = 25_000
const TOO_LONG = 'it took too long to answer'
/** What may wait to be sent: some seconds of video. */
const MAX_UNSENT_BYTES = 8 * 1024 * 1024
/** How long a server may take to close its side. */
const CLOSE_TIMEOUT_MS = 300

export async function connectToRtsp(target: RtspTarget, options: RtspConnectOptions): Promise<RtspClientConnection> {
  const { hostname, port, isTls } = target
  const { dial, isOwnServer = false, isNode = false, signal } = options
  // The dial may wait for a resolver, which can not be interrupted.
  const host = await unlessAborted(dial(hostname, port), signal, timedOut)
  const servername = isIP(hostname) ? '' : hostname
  const socket = isTls
    ? connectTls({ host, port, servername, rejectUnauthorized: !isOwnServer })
    : connect({ host, port })
  socket.setNoDelay(true)
  const end = () => socket.destroy()
  signal?.addEventListener('abort', end, { once: true })
  socket.once('close', () => signal?.removeEventListener('abort', end))
  await connected(socket, isTls ? 'secureConnect' : 'connect')
  return createConnection(socket, isOwnServer || isNode ? OWN_ANSWER_TIMEOUT_MS : ANSWER_TIMEOUT_MS)
}

const timedOut = () => new RtspClientError('unreachable', 'Connection timed out.')

function connected(socket: Socket, event: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let failure: NodeJS.ErrnoException = Object.assign(new Error(), { code: 'ETIMEDOUT' })
    const timer = setTimeout(() => socket.destroy(), ANSWER_TIMEOUT_MS)
    // Stays for as long as the socket lives: an error without a listener would end the process.
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

function createConnection(socket: Socket, answerTimeoutMs: number): RtspClientConnection {
  const pending = createPendingRequests(answerTimeoutMs)
  const closed = createDeferred<string>()
  let onFrame: (channel: number, data: Buffer) => void = () => {}
  let onRedirect: (location: string) => void = () => {}
  let reason = 'the server closed the connection'
  let isClosed = false

  const reader = createMessageReader({
    socket,
    limits: CLIENT_PARSER_LIMITS,
    onFrame: (channel, data) => onFrame(channel, data),
    onRequest: async (request) => answer(request),
    onResponse: (response) => pending.resolve(response),
    onError: (error) => end((error as Error).message.replace(/\.$/, '')),
  })

  socket.on('error', (error) => (reason = error.message))
  socket.on('data', (chunk: Buffer) => {
    if (!isClosed) reader.push(chunk)
  })
  socket.once('close', () => {
    isClosed = true
    pending.rejectAll(noAnswer())
    closed.resolve(reason)
  })

  /** A server's request to a client: a sign of life, a redirect, or something that needs no more than an answer. */
  function answer({ method, headers }: RtspRequest): void {
    const isKnown = ['OPTIONS', 'REDIRECT', 'ANNOUNCE', 'GET_PARAMETER', 'SET_PARAMETER'].includes(method)
    const lines = [isKnown ? 'RTSP/1.0 200 OK' : 'RTSP/1.0 501 Not Implemented', `CSeq: ${headers.get('cseq') ?? '0'}`]
    if (method === 'OPTIONS') lines.push('Public: OPTIONS, REDIRECT, ANNOUNCE, GET_PARAMETER, SET_PARAMETER')
    send(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'))
    const location = headers.get('location')
    if (method === 'REDIRECT' && location) onRedirect(location)
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
    reader.stop()
    socket.destroy()
  }

  function noAnswer(why = reason): RtspClientError {
    return new RtspClientError('no-answer', `No answer: ${why}.`)
  }

  return {
    localAddress: socket.localAddress ?? '',
    remoteAddress: socket.remoteAddress ?? '',
    ask(method, url, headers = {}, body = '') {
      if (isClosed) return Promise.reject(noAnswer())
      const bytesReadBefore = socket.bytesRead
      const { cseq, response } = pending.add((timedOut) => {
        // Some cameras send video, but never answer while they do.
        if (socket.bytesRead === bytesReadBefore) end(TOO_LONG)
        else pending.reject(timedOut, noAnswer(TOO_LONG))
      })
      send(formatRequest({ method, url, cseq, headers, body }))
      return response
    },
    onFrame: (handler) => void (onFrame = handler),
    sendInterleaved: send,
    onRedirect: (handler) => void (onRedirect = handler),
    closed: closed.promise,
    async close() {
      isClosed = true
      reader.stop()
      reason = 'we left'
      pending.rejectAll(noAnswer())
      socket.end()
      const timer = setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS)
      await closed.promise
      clearTimeout(timer)
    },
  }
}
