import { type IncomingMessage } from 'node:http'
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { AppError } from '../core/errors.ts'
import { createSharedPlaces } from '../core/shared-places.ts'
import { type TunnelClient, type TunnelSocket } from '../core/tunnel.ts'
import { addAboutProcess } from './about-process.ts'
import { type AcceptTunnels, addInternalListener } from './internal-listener.ts'
import { passOn } from './pass-on.ts'

/** The other nodes of the service, as requests need them. */
export interface OtherNodes {
  /** The node that has what the request is about; undefined when it is this one, or any can answer. See `createNodeOfRequest`. */
  nodeOf(request: FastifyRequest, isPassedOn: boolean): Promise<string | undefined>
  /** Rejects with `node-unreachable`. */
  openTunnel(nodeId: string, client: TunnelClient): Promise<TunnelSocket>
  readonly acceptTunnels: AcceptTunnels
}

/** At once, of all accounts; see `SharedPlaces`. Many are streams, which last. */
const MAX_PASSED_ON = 800
const RETRY_AFTER_SECONDS = 2

/**
 * Passes requests on to the node that has what they are about; once the caller is known, and before anything of the body is read. What
 * came from another node is not passed on again, whatever headers say: placement has changed while it was on its way.
 */
export function addNodeRouting(app: FastifyInstance, nodes: OtherNodes, maxPassedOn = MAX_PASSED_ON): void {
  addAboutProcess(app)
  const isPassedOn = addInternalListener(app, nodes.acceptTunnels)
  const places = createSharedPlaces(maxPassedOn)
  /** What clients have sent behind their handshake. */
  const heads = new WeakMap<IncomingMessage, Buffer>()
  app.server.prependListener('upgrade', (request: IncomingMessage, _socket: unknown, head: Buffer) => {
    heads.set(request, head)
  })

  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) return
    const isFromNode = isPassedOn(request.raw)
    const node = await nodes.nodeOf(request, isFromNode)
    if (node === undefined) return
    if (isFromNode) throw refusal('node-changing')
    await passOnTo(node, request, reply)
  })

  async function passOnTo(node: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const leave = places.take(request.account?.id ?? request.ip)
    if (!leave) throw refusal('node-connections-used-up')
    try {
      const client = { address: request.ip, isEncrypted: request.protocol === 'https' }
      const tunnel = await nodes.openTunnel(node, client)
      tunnel.once('close', leave)
      if (request.raw.socket.destroyed) tunnel.destroy()
      await passOn(request, reply, tunnel, heads.get(request.raw))
    } catch (error) {
      leave()
      // Nobody is there any more to be answered.
      if (request.raw.socket.destroyed) return void reply.hijack()
      throw error instanceof AppError ? error : refusal('node-unreachable', node, error)
    }
  }
}

function refusal(
  code: 'node-changing' | 'node-connections-used-up' | 'node-unreachable',
  node?: string,
  cause?: unknown,
): AppError {
  const options = { cause, retryAfterSeconds: RETRY_AFTER_SECONDS }
  return new AppError(code, { node, retry_after_seconds: RETRY_AFTER_SECONDS }, options)
}
