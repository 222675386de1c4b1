import { type FastifyReply, type FastifyRequest } from 'fastify'
import { type AppError } from '../core/errors.ts'
import { sendProblem } from './problem.ts'

/**
 * Answers and uploads that go on for as long as the client stays: it may sign out meanwhile, or lose its key. Holds the
 * right until the answer is over, and disconnects the client when the right is gone, with the reason where no answer has begun.
 */
export function watchStream(
  request: FastifyRequest,
  reply: FastifyReply,
  hold: (onLost: (why: AppError) => void) => () => void,
): void {
  const { socket } = request.raw
  const { isUpload } = request.routeOptions.config
  const release = hold((why) => {
    if (!isUpload || reply.sent) return void socket.destroy()
    // The body's reader is notified of its end by this: Node emits nothing on a request that was answered.
    socket.once('close', () => request.raw.destroy())
    sendProblem(reply, why)
  })
  socket.once('close', release)
  // Without a websocket, another request may follow over the same connection.
  if (!request.ws) reply.raw.once('close', () => (release(), socket.off('close', release)))
}
