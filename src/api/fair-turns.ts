import { type FastifyInstance } from 'fastify'
import { createFairStarts } from '../core/fair-starts.ts'

/** For one account. Browsers have six for a host; a client that asks for more at once waits for its own. */
const MAX_UNDER_WAY = 32

/**
 * Requests begin in turns: those of one account, and of strangers those from one address, never stand before everybody else's. As
 * many can wait as there are connections. What goes on for long has bounds of its own, and what is open to strangers may come by a
 * proxy that is everybody's address: these only wait for their turn.
 */
export function addFairTurns(app: FastifyInstance): void {
  const starts = createFairStarts(MAX_UNDER_WAY)
  app.addHook('onRequest', (request, reply, done) => {
    const { account, raw } = request
    const { isStream, isUpload, isSlow } = request.routeOptions.config
    const begin = () => {
      if (raw.socket.destroyed) reply.hijack()
      done()
    }
    if (!account || isStream || isUpload || isSlow) return starts.pass(account?.id ?? request.ip, begin)
    starts.begin(account.id, (end) => {
      if (raw.socket.destroyed) end()
      else reply.raw.once('close', end)
      begin()
    })
  })
}
