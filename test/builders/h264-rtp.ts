import { buildPacket } from '../../src/media/rtp/packet.ts'

const sps = Buffer.from('Z2QAH6zZQFAFuhAAAAMAEAAAAwPA8YMZYA==', 'base64')
const pps = Buffer.from('aOvjyyLA', 'base64')

/** What a publisher of H.264 and G.711 announces. */
export const announcement = [
  'v=0',
  'o=- 0 0 IN IP4 127.0.0.1',
  's=test',
  't=0 0',
  'm=video 0 RTP/AVP 96',
  'a=rtpmap:96 H264/90000',
  `a=fmtp:96 packetization-mode=1; sprop-parameter-sets=${sps.toString('base64')},${pps.toString('base64')}`,
  'a=control:streamid=0',
  'm=audio 0 RTP/AVP 8',
  'a=control:streamid=1',
  '',
].join('\r\n')

/** Makes frames of one packet each: what a relay looks at, without pictures in it. */
export function createFrameMaker({ ssrc = 0x1234, payloadBytes = 100 } = {}) {
  let sequenceNumber = 65_530
  let timestamp = 0
  return (kind: 'key' | 'delta'): Buffer => {
    timestamp += 3000
    const payload = Buffer.alloc(payloadBytes, 0x55)
    payload[0] = kind === 'key' ? 0x65 : 0x41
    sequenceNumber = (sequenceNumber + 1) & 0xffff
    return buildPacket({ payloadType: 96, sequenceNumber, timestamp, ssrc, marker: true }, payload)
  }
}
