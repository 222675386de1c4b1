import { mutateOrder } from '../mutate-order.ts'
import { mutateText } from '../mutate-text.ts'
import { type Random } from '../random.ts'

const FINGERPRINT = Array.from({ length: 32 }, () => 'AB').join(':')
const SESSION = ['v=0', 'o=- 1 2 IN IP4 127.0.0.1', 's=-', 't=0 0', 'a=group:BUNDLE 0 1', 'a=msid-semantic: WMS *']
const TRANSPORT = [
  'c=IN IP4 0.0.0.0',
  'a=rtcp:9 IN IP4 0.0.0.0',
  'a=ice-ufrag:abcd',
  'a=ice-pwd:abcdefghijklmnopqrstuvwx',
  'a=ice-options:trickle',
  `a=fingerprint:sha-256 ${FINGERPRINT}`,
  'a=setup:actpass',
  'a=rtcp-mux',
  'a=rtcp-rsize',
]
const CANDIDATES = [
  'a=candidate:1 1 UDP 2130706431 127.0.0.1 50000 typ host generation 0',
  'a=candidate:2 1 udp 1694498815 192.0.2.1 50001 typ srflx raddr 10.0.0.1 rport 50001',
  'a=candidate:3 1 tcp 1518280447 ::1 9 typ host tcptype active',
  'a=candidate:4 1 udp 2122260223 0c8f6f5d.local 50002 typ host',
  'a=end-of-candidates',
]
const VIDEO = [
  'a=rtpmap:96 VP8/90000',
  'a=rtpmap:102 H264/90000',
  'a=rtcp-fb:102 nack',
  'a=rtcp-fb:102 nack pli',
  'a=fmtp:102 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f',
  'a=rtpmap:104 H265/90000',
  'a=ssrc:1234 cname:x',
  'a=extmap:1 urn:ietf:params:rtp-hdrext:sdes:mid',
]
const AUDIO = ['a=rtpmap:111 opus/48000/2', 'a=fmtp:111 minptime=10;useinbandfec=1', 'a=rtpmap:8 PCMA/8000']

/** What a browser offers, to watch (WHEP) or to publish (WHIP), with lines, words and numbers that are others. */
export function offerText(random: Random, direction: 'recvonly' | 'sendonly'): string {
  const video = ['m=video 9 UDP/TLS/RTP/SAVPF 96 102 104', ...TRANSPORT, 'a=mid:0', `a=${direction}`, ...VIDEO]
  const audio = ['m=audio 9 UDP/TLS/RTP/SAVPF 111 8', ...TRANSPORT, 'a=mid:1', `a=${direction}`, ...AUDIO]
  const data = ['m=application 9 UDP/DTLS/SCTP webrtc-datachannel', ...TRANSPORT, 'a=mid:2', 'a=sctp-port:5000']
  const sections = [[...video, ...mutateOrder(CANDIDATES, random)]]
  if (random.oneIn(2)) sections.push(audio)
  if (random.oneIn(4)) sections.push(data)
  const lines = [...SESSION, ...sections.flatMap((section) => mutateOrder(section, random))]
  return mutateText(`${lines.join('\r\n')}\r\n`, random)
}
