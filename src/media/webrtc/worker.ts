import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createOutboundPolicy } from '../../outbound/policy.ts'
import { serveParent } from '../../supervise/child-entry.ts'
import { type FromWebrtc, type ToWebrtc, type WebrtcOffer, type WebrtcOptions } from '../messages.ts'
import { createGateway, type Gateway, GatewayRefusal } from './gateway.ts'
import { openTcpRelay, type TcpRelay } from './tcp-relay.ts'

/** The WebRTC gateway's process: offers in, answers out; pictures never pass through here to the main process. */
let gateway: Promise<Gateway> | undefined
let relay: TcpRelay | undefined

const parent = serveParent<ToWebrtc, FromWebrtc>(
  (message) => {
    switch (message.type) {
      case 'start':
        gateway = start(message.options)
        return
      case 'offer':
        return void answer(message.offer)
      case 'end':
        return void gateway?.then((open) => open.end(message.id, message.reason))
    }
  },
  async () => {
    await (await gateway)?.close()
    await relay?.close()
  },
)

async function start(options: WebrtcOptions): Promise<Gateway> {
  const { host, advertisedHosts, stunServers, outbound } = options
  const policy = createOutboundPolicy(outbound)
  const mayCall = (address: string, toPort: number) => policy.denialOf(address, toPort) === undefined
  const port = options.port === 0 ? await findPort(host) : options.port
  const bindAddress = host === '0.0.0.0' || host === '::' ? undefined : host
  // Where another program has that TCP port, browsers without UDP are left with HLS.
  const opened: { gateway?: Gateway } = {}
  const accountOf = (ufrag: string) => opened.gateway?.accountOf(ufrag)
  const udpAddress = bindAddress ?? '127.0.0.1'
  relay = await openTcpRelay({ host, port, udpAddress, udpPort: port, accountOf }).catch(() => undefined)
  opened.gateway = createGateway({
    peer: { port, tcpPort: relay?.port, bindAddress, advertisedHosts, stunServers, mayCall },
    onEnded(id, reason, ufrag) {
      if (ufrag !== undefined) relay?.endSession(ufrag)
      parent.send({ type: 'ended', id, reason })
    },
  })
  return opened.gateway
}

async function answer(offer: WebrtcOffer): Promise<void> {
  const { id } = offer
  try {
    parent.send({ type: 'answer', id, sdp: await (await gateway!).answer(offer) })
  } catch (error) {
    const refusal =
      error instanceof GatewayRefusal ? error : new GatewayRefusal('unavailable', (error as Error).message)
    parent.send({ type: 'refused', id, reason: refusal.reason, sentence: refusal.message })
  }
}

/** The library opens the port itself, and 0 would be another one for every viewer. */
async function findPort(host: string): Promise<number> {
  const socket = createSocket('udp4').bind(0, host)
  await once(socket, 'listening')
  const { port } = socket.address()
  socket.close()
  await once(socket, 'close')
  return port
}
