import { createFrameMaker } from '../../builders/h264-rtp.ts'
import { edgeNumber } from '../edge-numbers.ts'
import { mutateOrder } from '../mutate-order.ts'
import { mutateText } from '../mutate-text.ts'
import { mutate } from '../mutate.ts'
import { type Random } from '../random.ts'
import { sdpText } from './sdp-text.ts'
import { buildSenderReport } from '../../../src/media/rtsp/wire/rtcp.ts'

/** Stands for the number of the request that is answered. */
export const CSEQ = '@cseq@'

const CHALLENGES = [
  'WWW-Authenticate: Digest realm="camera", nonce="abc", qop="auth,auth-int", algorithm=SHA-256, opaque="x"',
  'WWW-Authenticate: Digest realm="a, \\"b\\"", nonce="abc", stale=true',
  'WWW-Authenticate: Basic realm="camera"',
]

/** What a camera sends to each request of somebody who watches it, and behind the last; changed, moved or missing. */
export function cameraAnswers(random: Random): Buffer[] {
  const sdp = sdpText(random)
  const description = ['Content-Type: application/sdp', `Content-Length: ${Buffer.byteLength(sdp)}`]
  const transport = random.pick(['RTP/AVP/TCP;unicast;interleaved=0-1;ssrc=1234', 'RTP/AVP;unicast;server_port=9-10'])
  const answers = [
    ...(random.oneIn(4) ? [answer('401 Unauthorized', [random.pick(CHALLENGES)])] : []),
    ...(random.oneIn(16) ? [answer('302 Found', ['Location: rtsp://127.0.0.1:9/elsewhere'])] : []),
    answer('200 OK', ['Content-Base: rtsp://127.0.0.1/camera/', ...description], sdp),
    answer('200 OK', ['Session: 12345678;timeout=60', `Transport: ${transport}`]),
    Buffer.concat([answer('200 OK', ['Session: 12345678', 'RTP-Info: url=trackID=0;seq=1']), ...frames(random)]),
  ]
  return mutateOrder(answers, random).map((one) => changed(one, random))
}

function answer(status: string, headers: readonly string[], body = ''): Buffer {
  return Buffer.from([`RTSP/1.0 ${status}`, `CSeq: ${CSEQ}`, ...headers, '', body].join('\r\n'), 'latin1')
}

function frames(random: Random): Buffer[] {
  const makeFrame = createFrameMaker({ payloadBytes: random.pick([1, 100, 1400]) })
  const packets = Array.from({ length: random.pick([1, 4, 20]) }, (_, at) => makeFrame(at === 0 ? 'key' : 'delta'))
  const report = buildSenderReport({ ssrc: 0x1234, timestamp: 0, wallClockMs: 1e12, packets: 1, payloadBytes: 1 })
  return [...packets.map((packet) => interleaved(0, packet, random)), interleaved(1, report, random)]
}

function interleaved(channel: number, data: Buffer, random: Random): Buffer {
  const length = random.oneIn(20) ? edgeNumber(random, 16) : data.length
  return Buffer.concat([Buffer.of(0x24, channel, length >> 8, length & 0xff), data])
}

function changed(one: Buffer, random: Random): Buffer {
  switch (random.below(8)) {
    case 0:
      return mutate(one, random)
    case 1:
      return Buffer.from(mutateText(one.toString('latin1'), random), 'latin1')
    default:
      return one
  }
}
