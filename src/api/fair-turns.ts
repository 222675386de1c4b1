import { type FastifyInstance } from 'fastify'
import { createFairStarts } from '../core/fair-starts.ts'
import { type KnownCredentials } from '../core/known-credentials.ts'
import { shownCredentialOf } from './authentication.ts'

/** For one account. Browsers have six for a host; a client that asks for more at once waits for its own. */
const MAX_UNDER_WAY = 32

/**
 * Requests begin in turns: those of one account, and of strangers those from one address, never stand before everybody else's. As
 * many can wait as there are connections. What goes on for long has bounds of its own, and what is open to strangers may come by a
 * proxy that is everybody's address: these only wait for their turn. From one address it comes in rounds, one request of each
 * connection; one that shows what was right before, as viewers do, has turns beside those.
 */
export function addFairTurns(app: FastifyInstance, known: Pick<KnownCredentials, 'ownerOf'>): void {
  const starts = createFairStarts(MAX_UNDER_WAY)
  app.addHook('onRequest', (request, reply, done) => {
    const { account, raw } = request
    const { isStream, isUpload, isSlow } = request.routeOptions.config
    const begin = () => {
      if (raw.socket.destroyed) reply.hijack()
      done()
    }
    if (!account) {
      const credential = shownCredentialOf(request)
      const owner = known.ownerOf(credential)
      if (owner === undefined) return starts.pass(`stranger ${request.ip}`, begin, raw.socket)
      return starts.pass(`known ${owner}`, begin, credential)
    }
    if (isStream || isUpload || isSlow) return starts.pass(account.id, begin)
    starts.begin(account.id, (end) => {
      if (raw.socket.destroyed) end()
      else reply.raw.once('close', end)
      begin()
    })
  })
}
