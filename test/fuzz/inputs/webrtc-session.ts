import { type Random } from '../random.ts'
import { feedbackPacket } from './feedback-packets.ts'
import { offerText } from './offer-text.ts'
import { rtpPackets } from './rtp-packets.ts'
import { dtlsRecord, stunPacket } from './stun-packets.ts'

/** Stands for the name of the session in our answer (`a=ice-ufrag`); as long as one. */
export const UFRAG = '@@@@'

/** An offer, and what is sent to the port behind it: requests of ICE, the beginning of DTLS, and media that nobody has agreed on. */
export function webrtcSession(random: Random, kind: 'watch' | 'publish'): Buffer[] {
  const offer = Buffer.from(offerText(random, kind === 'watch' ? 'recvonly' : 'sendonly'), 'utf8')
  const datagrams = Array.from({ length: random.below(6) }, () => datagram(random))
  return [offer, ...datagrams]
}

function datagram(random: Random): Buffer {
  switch (random.below(5)) {
    case 0:
      return dtlsRecord(random)
    case 1:
      return rtpPackets(0, random)[0] ?? Buffer.alloc(0)
    case 2:
      return feedbackPacket(random, [1, 2, 3])
    default:
      return stunPacket(random, `${UFRAG}:abcd`)
  }
}
