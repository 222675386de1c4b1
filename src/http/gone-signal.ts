import { type FastifyReply } from 'fastify'

/** Aborts when the client leaves before it has its whole answer. */
export function goneSignal({ raw }: Pick<FastifyReply, 'raw'>): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => void (raw.writableFinished || gone.abort()))
  return gone.signal
}
