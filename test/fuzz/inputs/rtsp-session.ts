import { announcement, createFrameMaker } from '../../builders/h264-rtp.ts'
import { edgeNumber } from '../edge-numbers.ts'
import { mutateOrder } from '../mutate-order.ts'
import { mutateText } from '../mutate-text.ts'
import { mutate } from '../mutate.ts'
import { type Random } from '../random.ts'
import { sdpText } from './sdp-text.ts'

const TRANSPORTS = [
  'RTP/AVP/TCP;unicast;interleaved=0-1',
  'RTP/AVP;unicast;client_port=9-10',
  'RTP/AVP/TCP;unicast;interleaved=250-251,RTP/AVP;unicast;client_port=9',
]

/** More than a connection may send before it is let in. */
const MAX_BYTES = 160 * 1024

/** A session as a well-meaning client has it, a publisher’s or a reader’s, with messages that are changed, moved or missing. */
export function rtspSession(random: Random): Buffer {
  const url = `rtsp://127.0.0.1:8554/open/${random.pick(['one', 'two'])}`
  const messages = random.oneIn(2) ? publisherMessages(url, random) : readerMessages(url, random)
  const session = Buffer.concat(mutateOrder(messages, random).map((message) => changed(message, random)))
  return (random.oneIn(6) ? mutate(session, random) : session).subarray(0, MAX_BYTES)
}

function publisherMessages(url: string, random: Random): Buffer[] {
  const sdp = random.oneIn(4) ? sdpText(random) : announcement
  const makeFrame = createFrameMaker({ payloadBytes: 20 + random.below(2000) })
  const frame = () => interleavedFrame(makeFrame(random.oneIn(4) ? 'key' : 'delta'), random)
  return [
    request('ANNOUNCE', url, ['Content-Type: application/sdp', `Content-Length: ${Buffer.byteLength(sdp)}`], sdp),
    request('SETUP', `${url}/streamid=${random.below(3)}`, [`Transport: ${random.pick(TRANSPORTS)}`]),
    request('RECORD', url),
    ...Array.from({ length: random.pick([1, 3, 12]) }, frame),
    request('PAUSE', url),
  ]
}

function readerMessages(url: string, random: Random): Buffer[] {
  const authorization = `Authorization: Digest username="a", realm="aerie", nonce="n", uri="${url}", response="r"`
  return [
    request('OPTIONS', '*'),
    request('DESCRIBE', url, [authorization]),
    request('DESCRIBE', `${url}?token=x`),
    request('DESCRIBE', url),
    request('SETUP', `${url}/trackID=0`, [`Transport: ${random.pick(TRANSPORTS)}`]),
    request('PLAY', url, ['Range: npt=0-']),
    request('GET_PARAMETER', url),
    request('TEARDOWN', url),
  ]
}

function request(method: string, url: string, headers: readonly string[] = [], body = ''): Buffer {
  return Buffer.from([`${method} ${url} RTSP/1.0`, 'CSeq: 1', ...headers, '', body].join('\r\n'), 'utf8')
}

/** RFC 2326 §10.12, on a channel that may be nobody’s, and with a length that may be wrong. */
function interleavedFrame(packet: Buffer, random: Random): Buffer {
  const length = random.oneIn(20) ? edgeNumber(random, 16) : packet.length
  return Buffer.concat([Buffer.of(0x24, random.below(4), length >> 8, length & 0xff), packet])
}

function changed(message: Buffer, random: Random): Buffer {
  if (!random.oneIn(6)) return message
  const isFrame = message[0] === 0x24
  return isFrame ? mutate(message, random) : Buffer.from(mutateText(message.toString('latin1'), random), 'latin1')
}
