import { type FastifyInstance } from 'fastify'
import { createFairStarts } from '../core/fair-starts.ts'

/** For one account. Browsers have six for a host; a client that asks for more at once waits for its own. */
const MAX_UNDER_WAY = 32

/**
 * Requests begin in turns: those of one account, and of strangers those from one address, never stand before everybody else's. What
 * goes on for long, and what is open to strangers (behind a proxy all have one address), only waits for its turn.
 */
export function addFairTurns(app: FastifyInstance): void {
  const starts = createFairStarts(MAX_UNDER_WAY)
  app.addHook('onRequest', (request, reply, done) => {
    const { isStream, isUpload } = request.routeOptions.config
    const isCounted = request.account && !isStream && !isUpload
    starts.begin(request.account?.id ?? request.ip, (end) => {
      const isGone = request.raw.socket.destroyed
      if (isGone) reply.hijack()
      if (isCounted && !isGone) reply.raw.once('close', end)
      else end()
      done()
    })
  })
}
