import { type IncomingMessage } from 'node:http'
import { type FastifyInstance } from 'fastify'

/** How long what is left of a refused request is read. */
const DRAIN_MS = 500

/**
 * Ends the connection of a request that is answered before its body was read: Node would read the rest for as long as it comes, of
 * whoever it is. What is on its way is read first, for a moment: a connection that is closed with bytes unread takes our answer
 * with it.
 */
export function addUnreadBody(app: FastifyInstance): void {
  app.addHook('onSend', async ({ raw }, reply) => {
    if (raw.readableEnded || !hasBody(raw)) return
    if (!(await drained(raw))) reply.header('connection', 'close')
  })
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Whether the request was read to its end within a moment. */
function drained(request: IncomingMessage): Promise<boolean> {
  return new Promise((resolve) => {
    if (request.destroyed) return resolve(false)
    const finish = (isAtEnd: boolean) => {
      clearTimeout(timer)
      resolve(isAtEnd)
    }
    const timer = setTimeout(() => finish(false), DRAIN_MS)
    request.once('close', () => finish(false))
    request.once('end', () => finish(true))
    request.resume()
  })
}
