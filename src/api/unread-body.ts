import { type IncomingMessage } from 'node:http'
import { type Socket } from 'node:net'
import { type FastifyInstance } from 'fastify'

/** What is so small is on its way already, and its connection can be used again. */
const SMALL_BYTES = 64 * 1024
const SMALL_MS = 500

/** How much more is read, and how long the connection stays for the client to see the answer. */
const MAX_READ_ON_BYTES = 4 * 1024 * 1024
const LINGER_MS = 2_000

/**
 * Ends the connection of a request that is answered before its body was read: Node would read the rest for as long as it comes,
 * from any client.
 */
export function addUnreadBody(app: FastifyInstance): void {
  app.addHook('onSend', async ({ raw }, reply) => {
    if (await leaveUnread(raw)) reply.header('connection', 'close')
  })
}

/** Before an answer: whether its connection has to end with it, because the body is still coming. */
export async function leaveUnread(request: IncomingMessage): Promise<boolean> {
  if (request.readableEnded || !hasBody(request)) return false
  if (isSmall(request) && (await isReadToEnd(request))) return false
  linger(request.socket)
  readOn(request)
  return true
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

const isSmall = ({ headers }: IncomingMessage) => Number(headers['content-length'] ?? Infinity) <= SMALL_BYTES

function isReadToEnd(request: IncomingMessage): Promise<boolean> {
  return new Promise((resolve) => {
    if (request.destroyed) return resolve(false)
    const finish = (isAtEnd: boolean) => {
      clearTimeout(timer)
      resolve(isAtEnd)
    }
    const timer = setTimeout(() => finish(false), SMALL_MS)
    request.once('close', () => finish(false))
    request.once('end', () => finish(true))
    request.resume()
  })
}

/** Clients look for an answer between two pieces that they send. */
function readOn(request: IncomingMessage): void {
  let leftBytes = MAX_READ_ON_BYTES
  request.unpipe()
  request.on('data', ({ length }: Buffer) => {
    leftBytes -= length
    if (leftBytes < 0) request.pause()
  })
}

/**
 * A connection that is closed with bytes unread is reset, and takes our answer with it. Node closes by `destroySoon` when the answer
 * is written: instead the connection is ended then, and closed when the client has had time to read it.
 */
function linger(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end()
    const timer = setTimeout(() => socket.destroy(), LINGER_MS)
    socket.once('close', () => clearTimeout(timer))
  }
}
