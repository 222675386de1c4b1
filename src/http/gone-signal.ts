import { type FastifyReply } from 'fastify'

/** Aborts when the client leaves before it has its whole answer, and when it has that to a HEAD: nobody takes a body then. */
export function goneSignal({ raw }: Pick<FastifyReply, 'raw'>): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished || raw.req.method === 'HEAD') gone.abort()
  })
  return gone.signal
}
