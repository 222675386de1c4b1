import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describeH264Track } from '../../../src/media/rtp/h264-codec.ts'
import { type FromWebrtc, type ToWebrtc } from '../../../src/media/messages.ts'
import { OPERATOR_RULES } from '../../../src/outbound/rules.ts'
import { H264 } from '../../builders/flv-tags.ts'
import { stunRequest } from '../../builders/stun-request.ts'
import { startOpenRtspServer } from '../../support/rtsp-server.ts'
import { createFuzzedChild, type FuzzedChild } from '../fuzzed-child.ts'
import { UFRAG, webrtcSession } from '../inputs/webrtc-session.ts'
import { framedPackets } from '../inputs/stun-packets.ts'
import { joinParts, splitParts } from '../parts.ts'
import { randomOf } from '../random.ts'
import { type FuzzTarget } from '../target.ts'

type Answer = Extract<FromWebrtc, { type: 'answer' | 'refused' }>
type Gateway = FuzzedChild<ToWebrtc, Answer>

const ADA = { credentials: { kind: 'token', token: 't' }, remoteAddress: '127.0.0.1', protocol: 'rtsp' } as const
/** What is no offer, and is answered at once by a gateway that is still there. */
const NO_OFFER = 'v=1'

/** The gateway of WebRTC with its library, in its own process, before a media server with one stream. */
export const webrtc: FuzzTarget = {
  name: 'webrtc',
  about: 'offers of WHEP and WHIP, and packets by UDP and TCP behind them, to the gateway, in a process of its own',
  counts: { short: 30, long: 10_000 },
  async open() {
    const server = await startOpenRtspServer()
    const live = await server.hub.publish('ada/cam', ADA)
    live.start({ tracks: [describeH264Track(96, [H264.sps, H264.pps])] })
    const gateway = createGateway()
    let made = 0
    const ask = (sdp: string, kind: 'watch' | 'publish') => {
      const path = kind === 'watch' ? 'ada/cam' : `ada/whip-${made}`
      const url = `rtsp://127.0.0.1:${server.port}/${path}?token=t`
      return gateway.ask({ type: 'offer', offer: { id: String(made), kind, path, url, sdp } })
    }
    return {
      create(random) {
        const kind = random.pick(['watch', 'publish'] as const)
        return joinParts([Buffer.from(kind), ...webrtcSession(random, kind)])
      },
      async feed(input) {
        const [kind, offer, ...datagrams] = splitParts(input)
        made++
        const id = String(made)
        const answer = await ask(offer?.toString('utf8') ?? '', kind?.toString() === 'publish' ? 'publish' : 'watch')
        if (answer.type === 'answer') await sendAll(answer.sdp, datagrams, input)
        else if (!/^[A-Z].*\.$/s.test(answer.sentence)) throw new Error(`No sentence: ${answer.sentence}`)
        gateway.send({ type: 'end', id, reason: 'enough' })
        made++
        await ask(NO_OFFER, 'watch')
        server.events.length = 0
        server.logged.length = 0
      },
      pids: () => (gateway.pid === undefined ? [] : [gateway.pid]),
      async close() {
        await gateway.close()
        await server.close()
      },
    }
  },
}

function createGateway(): Gateway {
  const options = { host: '127.0.0.1', port: 0, advertisedHosts: [], stunServers: [], outbound: OPERATOR_RULES }
  return createFuzzedChild<ToWebrtc, Answer>({
    entry: new URL('../../../src/media/webrtc/worker.ts', import.meta.url),
    greeting: { type: 'start', options },
    isAnswer: (message): message is Answer => ['answer', 'refused'].includes((message as Answer).type),
  })
}

/** Behind a request that is right, so that the library knows who comes; then to the port for those without UDP. */
async function sendAll(answer: string, datagrams: readonly Buffer[], input: Buffer): Promise<void> {
  const [, port = '9'] = /^a=candidate:\S+ 1 UDP \d+ 127\.0\.0\.1 (\d+) /im.exec(answer) ?? []
  const [, tcpPort] = /^a=candidate:\S+ 1 TCP \d+ 127\.0\.0\.1 (\d+) /im.exec(answer) ?? []
  const [, ufrag = ''] = /^a=ice-ufrag:(\S+)/m.exec(answer) ?? []
  const [, password = ''] = /^a=ice-pwd:(\S+)/m.exec(answer) ?? []
  const named = datagrams.map((packet) => Buffer.from(packet.toString('latin1').replaceAll(UFRAG, ufrag), 'latin1'))
  const socket = createSocket('udp4')
  for (const packet of [stunRequest(`${ufrag}:abcd`, password), ...named])
    await new Promise((sent) => socket.send(packet, Number(port), '127.0.0.1', sent))
  socket.close()
  if (tcpPort === undefined) return
  const connection = connect(Number(tcpPort), '127.0.0.1')
  connection.on('error', () => {})
  connection.end(framedPackets(named, randomOf(input)))
  connection.resume()
  await once(connection, 'close')
}
