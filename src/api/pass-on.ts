import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http'
import { type Duplex, pipeline } from 'node:stream'
import { type FastifyReply, type FastifyRequest } from 'fastify'
import { requestHeaders, takeHeaders } from './passed-headers.ts'
import { hasBody, leaveUnread } from './unread-body.ts'

const MAX_LISTENERS = 30

/** What the other node says: an answer, or that the connection is a websocket from here on. */
interface Answer {
  readonly response: IncomingMessage
  readonly upgraded?: { readonly socket: Duplex; readonly head: Buffer }
}

/**
 * Passes a whole request on by a connection to another node, and the answer back, both as they come: whoever reads slowly slows down who
 * writes, and whoever leaves ends both. Resolves when the answer has begun, and what follows is nobody's business but the two ends';
 * rejects when there is none, and the client is still to be answered.
 */
export async function passOn(
  request: FastifyRequest,
  reply: FastifyReply,
  connection: Duplex,
  head: Buffer | undefined,
): Promise<void> {
  const { raw } = request
  const upstream = httpRequest({
    method: request.method,
    path: raw.url,
    headers: requestHeaders(raw, request.host),
    createConnection: () => connection,
  })
  const leave = () => upstream.destroy()
  reply.raw.once('close', leave)
  if (hasBody(raw)) raw.pipe(upstream)
  else upstream.end()

  const { response, upgraded } = await answerOf(upstream)
  if (upgraded) join(request, reply, response, head, upgraded)
  else await passBack(request, reply, response, upstream)
}

function answerOf(upstream: ClientRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    upstream.on('error', reject)
    upstream.once('response', (response) => resolve({ response }))
    upstream.once('upgrade', (response, socket, head) => resolve({ response, upgraded: { socket, head } }))
  })
}

async function passBack(
  request: FastifyRequest,
  reply: FastifyReply,
  response: IncomingMessage,
  upstream: ClientRequest,
): Promise<void> {
  const isCutOff = await leaveUnread(request.raw)
  // Meanwhile its right may be gone, and it has been answered so.
  if (reply.sent || reply.raw.headersSent || reply.raw.destroyed) return void upstream.destroy()
  reply.hijack()
  takeHeaders(reply.raw, response)
  if (isCutOff) reply.raw.setHeader('connection', 'close')
  reply.raw.writeHead(response.statusCode!, response.statusMessage)
  // A stream of events may be silent for long.
  reply.raw.flushHeaders()
  pipeline(response, reply.raw, () => upstream.destroy())
}

/** From the 101 on, bytes both ways. */
function join(
  request: FastifyRequest,
  reply: FastifyReply,
  response: IncomingMessage,
  head: Buffer | undefined,
  upgraded: { readonly socket: Duplex; readonly head: Buffer },
): void {
  const { socket } = request.raw
  reply.hijack()
  // Beside those that wait for its close on any request, it is piped both ways.
  socket.setMaxListeners(MAX_LISTENERS)
  // How long a websocket may be silent is the business of who answers it.
  socket.setTimeout(0)
  socket.setNoDelay()
  socket.write(`HTTP/1.1 101 ${response.statusMessage}\r\n${headerLines(response)}\r\n`, 'latin1')
  socket.write(upgraded.head)
  if (head) upgraded.socket.write(head)
  const ignore = () => {}
  pipeline(socket, upgraded.socket, ignore)
  pipeline(upgraded.socket, socket, ignore)
}

function headerLines({ rawHeaders }: IncomingMessage): string {
  let lines = ''
  for (let i = 0; i < rawHeaders.length; i += 2) lines += `${rawHeaders[i]}: ${rawHeaders[i + 1]}\r\n`
  return lines
}
