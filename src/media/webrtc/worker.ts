import { listenFailure } from '../../core/listen-failure.ts'
import { createOutboundPolicy } from '../../outbound/policy.ts'
import { serveParent } from '../../supervise/child-entry.ts'
import { type FromWebrtc, type ToWebrtc, type WebrtcOffer, type WebrtcOptions } from '../messages.ts'
import { createGateway, type Gateway } from './gateway.ts'
import { GatewayRefusal, toRefusal } from './gateway-refusal.ts'
import { openHubStream } from './hub-stream.ts'
import { createPeer } from './peer.ts'
import { openHubPublisher } from './publisher.ts'
import { openTcpRelay, type TcpRelay, type TcpRelayOptions } from './tcp-relay.ts'
import { openUdpPort, type UdpPort } from './udp-port.ts'

/** The WebRTC gateway's process: offers in, answers out; pictures never pass through here to the main process. */
let options: WebrtcOptions
let gateway: Promise<Gateway> | undefined
let udp: UdpPort | undefined
let relay: TcpRelay | undefined

const parent = serveParent<ToWebrtc, FromWebrtc>(
  (message) => {
    switch (message.type) {
      case 'start':
        options = message.options
        return
      case 'offer':
        return void answer(message.offer)
      case 'end':
        return void gateway?.then(
          (open) => open.end(message.id, message.reason),
          () => {},
        )
    }
  },
  async () => {
    await (await gateway?.catch(() => undefined))?.close()
    await relay?.close()
    udp?.close()
  },
)

/** A port that another program had may be free at the next offer. */
function openGateway(): Promise<Gateway> {
  gateway ??= start().catch((error: unknown) => {
    gateway = undefined
    throw error
  })
  return gateway
}

async function start(): Promise<Gateway> {
  const { host, advertisedHosts, stunServers, outbound } = options
  const policy = createOutboundPolicy(outbound)
  const mayCall = (address: string, toPort: number) => policy.denialOf(address, toPort) === undefined
  const bindAddress = host === '0.0.0.0' || host === '::' ? undefined : host
  udp = await openUdpPort({ host, port: options.port, bindAddress }).catch((error: NodeJS.ErrnoException) => {
    const { message } = listenFailure('WebRTC', options.port, error, 'UDP')
    parent.send({ type: 'not-listening', sentence: message })
    throw new GatewayRefusal('not-listening', message)
  })
  const { port } = udp
  const opened: { gateway?: Gateway } = {}
  const accountOf = (ufrag: string) => opened.gateway?.accountOf(ufrag)
  // Where any free port will do, the one that is free for UDP need not be free for TCP.
  relay = await openRelay({
    host,
    port: options.port,
    udpAddress: bindAddress ?? '127.0.0.1',
    udpPort: port,
    accountOf,
  })
  const peerOptions = { port, tcpPort: relay?.port, bindAddress, advertisedHosts, stunServers, mayCall }
  opened.gateway = createGateway({
    createPeer: (sdp, wanted) => createPeer(peerOptions, sdp, wanted),
    hub: { openStream: openHubStream, openPublisher: openHubPublisher },
    onEnded(id, reason, ufrag) {
      if (ufrag !== undefined) relay?.endSession(ufrag)
      parent.send({ type: 'ended', id, reason })
    },
  })
  return opened.gateway
}

/** Where another program has that TCP port, browsers without UDP are left with HLS. */
function openRelay(relayOptions: TcpRelayOptions): Promise<TcpRelay | undefined> {
  return openTcpRelay(relayOptions).catch((error: NodeJS.ErrnoException) => {
    const { message } = listenFailure('WebRTC', relayOptions.port, error, 'TCP')
    parent.send({ type: 'not-listening', sentence: `${message} Until then, browsers without UDP are left with HLS.` })
    return undefined
  })
}

async function answer(offer: WebrtcOffer): Promise<void> {
  const { id } = offer
  try {
    parent.send({ type: 'answer', id, sdp: await (await openGateway()).answer(offer) })
  } catch (error) {
    const { reason, message } = toRefusal(error)
    parent.send({ type: 'refused', id, reason, sentence: message })
  }
}
