import { createServer, type IncomingMessage } from 'node:http'
import { type FastifyInstance } from 'fastify'
import { type TunnelSocket } from '../core/tunnel.ts'
import { answerMalformed } from './client-error.ts'

/** Takes what other nodes pass on, until the function that is returned is called. */
export type AcceptTunnels = (onTunnel: (tunnel: TunnelSocket) => void) => () => void

/**
 * Serves what comes through tunnels as what comes to the port is served, from the moment on that this one is: by a server that listens
 * nowhere and hands every request to the other one, which may speak HTTPS outside. Returns whether a request came through one.
 */
export function addInternalListener(
  app: FastifyInstance,
  acceptTunnels: AcceptTunnels,
): (request: IncomingMessage) => boolean {
  const tunnels = new Set<TunnelSocket>()
  // A host is checked where all are.
  const server = createServer({ requireHostHeader: false })
  server.on('request', (request, response) => void app.server.emit('request', request, response))
  server.on('upgrade', (request, socket, head) => void app.server.emit('upgrade', request, socket, head))
  server.on('clientError', answerMalformed)
  // The node that passes it on has its own idea of how long its client may take.
  server.timeout = 0
  server.keepAliveTimeout = 0

  function serve(tunnel: TunnelSocket): void {
    tunnels.add(tunnel)
    tunnel.once('close', () => tunnels.delete(tunnel))
    server.emit('connection', tunnel)
  }

  let stop = () => {}
  app.addHook('onListen', async () => void (stop = acceptTunnels(serve)))
  // After `addGracefulClose`: what is under way has been answered by now.
  app.addHook('preClose', async () => {
    stop()
    for (const tunnel of tunnels) tunnel.destroySoon()
  })
  return ({ socket }) => tunnels.has(socket as unknown as TunnelSocket)
}
