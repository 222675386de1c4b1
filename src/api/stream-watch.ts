import { type FastifyReply, type FastifyRequest } from 'fastify'
import { AppError } from '../core/errors.ts'

/** How long a stream may outlive the key or the session with which it was asked for. */
export const RECHECK_MS = 5_000

/**
 * Answers that go on for as long as the client stays: it may sign out meanwhile, or lose its key. Asks again and again whether it may
 * still listen, and lets it go when not.
 */
export function watchStream(request: FastifyRequest, reply: FastifyReply, recheck: () => Promise<unknown>): void {
  const { socket } = request.raw
  const timer = setInterval(() => {
    recheck().catch((error: unknown) => {
      // A database that does not answer says nothing about the client.
      if (error instanceof AppError) socket.destroy()
    })
  }, RECHECK_MS).unref()
  const stop = () => clearInterval(timer)
  socket.once('close', stop)
  // Without a websocket, another request may follow over the same connection.
  if (!request.ws) reply.raw.once('close', () => (stop(), socket.off('close', stop)))
}
