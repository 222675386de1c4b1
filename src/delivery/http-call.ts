import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { type LookupFunction } from 'node:net'
import { type AddressLookup } from './address-lookup.ts'
import { createHttpAgents, type HttpAgentsOptions } from './http-agents.ts'
import { NotDelivered } from './message.ts'

export interface HttpCall {
  readonly url: URL
  /** Default: POST. */
  readonly method?: 'POST' | 'PUT'
  /** For whom it is made. */
  readonly accountId: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
  /**
   * On a connection of its own. One that is used again may be closed under the request, which is then sent twice: nobody
   * can tell whether the first was read.
   */
  readonly isAlone?: boolean
  /** Ends it, whatever the receiver has seen by then. */
  readonly signal?: AbortSignal | undefined
}

export interface HttpAnswer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  /** As far as it was read. */
  readonly text: string
}

export interface HttpCaller {
  /** One POST or PUT, without following anything. Rejects when there was no answer. */
  post(call: HttpCall): Promise<HttpAnswer>
  close(): Promise<void>
}

export interface HttpCallerOptions extends HttpAgentsOptions {
  readonly lookUp: AddressLookup
  /** Until the head of the answer is there, dialling included. */
  readonly answerWithinMs?: number
  readonly connectWithinMs?: number
  /** For the rest of the answer. */
  readonly readWithinMs?: number
}

/** Of an answer; what is longer is not read. */
const MAX_ANSWER_BYTES = 64 * 1024

/** Answers before the answer (1xx) that one call may get: nobody has use for more than a few, and they have no end of their own. */
const MAX_INFORMATIONAL = 8

export function createHttpCaller(options: HttpCallerOptions): HttpCaller {
  const { lookUp, answerWithinMs = 15_000, connectWithinMs = 5_000, readWithinMs = 2_000 } = options
  const agents = createHttpAgents(options)
  const underWay = new Set<ClientRequest>()

  // Called for every connection that is made: the addresses that were checked are the ones that are dialled.
  function lookupFor(accountId: string): LookupFunction {
    return (hostname, { all }, done) => {
      lookUp(hostname, accountId).then(
        (addresses) => (all ? done(null, [...addresses]) : done(null, addresses[0]!.address, addresses[0]!.family)),
        (error: NodeJS.ErrnoException) => done(error, []),
      )
    }
  }

  async function post(call: HttpCall): Promise<HttpAnswer> {
    // A literal address is dialled without a lookup.
    if (/^\[|^[\d.]+$/.test(call.url.hostname)) await lookUp(call.url.hostname, call.accountId)
    try {
      return await postOnce(call)
    } catch (error) {
      // A connection that the other side closed while nobody used it: nothing was read there.
      if (error instanceof StaleConnection) return postOnce(call)
      throw error
    }
  }

  function postOnce({
    url,
    method = 'POST',
    accountId,
    headers,
    body,
    isAlone = false,
    signal,
  }: HttpCall): Promise<HttpAnswer> {
    const isTls = url.protocol === 'https:'
    // Credentials in the address are for the caller to send, where they belong.
    const bare = new URL(url)
    bare.username = bare.password = ''
    return new Promise((resolve, reject) => {
      const request = (isTls ? httpsRequest : httpRequest)(bare, {
        method,
        agent: isAlone ? false : isTls ? agents.tls : agents.plain,
        ...(options.ca !== undefined && { ca: options.ca }),
        lookup: lookupFor(accountId),
        ...(signal && { signal }),
        headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
      })
      underWay.add(request)
      let isConnected = false
      request.on('socket', (socket) => {
        isConnected = !socket.connecting
        // One that is used again never connects: it would keep this request for as long as it lives.
        if (!isConnected) socket.once(isTls ? 'secureConnect' : 'connect', () => (isConnected = true))
      })
      const fail = (sentence: string) => request.destroy(new NotDelivered(sentence, { isUnsent: !isConnected }))
      const answerTimer = setTimeout(
        () => fail(`${url.host} did not answer within ${answerWithinMs / 1000} s.`),
        answerWithinMs,
      )
      const connectTimer = setTimeout(() => {
        if (request.socket?.connecting ?? true)
          fail(`${url.host} could not be reached within ${connectWithinMs / 1000} s.`)
      }, connectWithinMs)
      let informational = 0
      request.on('information', () => {
        informational += 1
        if (informational > MAX_INFORMATIONAL) fail(`${url.host} sends interim answers (1xx) without an end.`)
      })
      let hasAnswered = false
      request.on('close', () => {
        underWay.delete(request)
        clearTimeout(answerTimer)
        clearTimeout(connectTimer)
        // After a 101 there is neither an answer nor an error.
        if (!hasAnswered) reject(new NotDelivered(`${url.host} ended the connection without an answer.`))
      })
      request.on('error', (error: NodeJS.ErrnoException) => {
        if (request.reusedSocket && error.code === 'ECONNRESET') return reject(new StaleConnection())
        reject(toNotDelivered(error, url, !isConnected))
      })
      request.on('response', (response) => {
        hasAnswered = true
        clearTimeout(answerTimer)
        void readSome(response, readWithinMs).then((text) =>
          resolve({ status: response.statusCode!, headers: response.headers, text }),
        )
      })
      request.end(body)
    })
  }

  return {
    post,
    async close() {
      for (const request of underWay) request.destroy(new NotDelivered('The service is stopping.'))
      agents.close()
    },
  }
}

class StaleConnection extends NotDelivered {
  constructor() {
    super('The receiver closed the connection before it answered.')
  }
}

function toNotDelivered(error: NodeJS.ErrnoException, url: URL, isUnsent: boolean): NotDelivered {
  if (error instanceof NotDelivered) return error
  const [first = error] = error instanceof AggregateError ? (error.errors as NodeJS.ErrnoException[]) : [error]
  return new NotDelivered(`${url.host} could not be reached: ${first.message || first.code}`, {
    cause: error,
    isUnsent,
  })
}

/** Up to the bound; an answer that is longer, or slow, costs its connection. */
function readSome(response: IncomingMessage, withinMs: number): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const timer = setTimeout(() => response.destroy(), withinMs)
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > MAX_ANSWER_BYTES) return response.destroy()
      chunks.push(chunk)
    })
    // What was read so far is all that counts, however it ended.
    response.on('error', () => {})
    response.on('close', () => {
      clearTimeout(timer)
      resolve(Buffer.concat(chunks).toString())
    })
  })
}
