import { type FastifyReply, type FastifyRequest } from 'fastify'

/**
 * Answers and uploads that go on for as long as the client stays: it may sign out meanwhile, or lose its key. Holds the
 * right until the answer is over, and lets the client go when the right is gone.
 */
export function watchStream(
  request: FastifyRequest,
  reply: FastifyReply,
  hold: (onLost: () => void) => () => void,
): void {
  const { socket } = request.raw
  const letGo = hold(() => socket.destroy())
  socket.once('close', letGo)
  // Without a websocket, another request may follow over the same connection.
  if (!request.ws) reply.raw.once('close', () => (letGo(), socket.off('close', letGo)))
}
