import { type Socket } from 'node:net'
import { type FastifyInstance } from 'fastify'
import { AppError } from '../core/errors.ts'

/** How long requests under way may take to end once the service stops. */
const GRACE_MS = 5_000

/**
 * On closing, requests under way are finished first, while new ones are refused; then every connection is closed, also those that never said a
 * word (browsers keep such in reserve) or stopped in the middle of one.
 */
export function addGracefulClose(app: FastifyInstance): void {
  const sockets = new Set<Socket>()
  const underWay = new Set<string>()
  let isStopping = false
  let onIdle: (() => void) | undefined

  function end(requestId: string): void {
    underWay.delete(requestId)
    if (underWay.size === 0) onIdle?.()
  }

  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  app.addHook('onRequest', async (request) => {
    if (isStopping) throw new AppError('shutting-down', {}, { retryAfterSeconds: 5 })
    // A stream goes on until its client leaves; it is not waited for.
    if (!request.routeOptions.config.isStream) underWay.add(request.id)
  })
  app.addHook('onResponse', async (request) => end(request.id))
  app.addHook('onRequestAbort', async (request) => end(request.id))
  app.addHook('preClose', async () => {
    isStopping = true
    if (underWay.size > 0) {
      await new Promise<void>((resolve) => {
        onIdle = resolve
        setTimeout(resolve, GRACE_MS).unref()
      })
    }
    // Answers that have just been written get one turn to leave.
    await new Promise((resolve) => setImmediate(resolve))
    for (const socket of sockets) socket.destroySoon()
  })
}
