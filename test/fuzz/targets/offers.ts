import { isIP } from 'node:net'
import { withHosts, withoutDenied, withTcp } from '../../../src/media/webrtc/candidates.ts'
import { GatewayRefusal } from '../../../src/media/webrtc/gateway-refusal.ts'
import { type Offer, OfferError, parseOffer } from '../../../src/media/webrtc/offer.ts'
import { chooseReceived, chooseSent } from '../../../src/media/webrtc/track-choice.ts'
import { offerText } from '../inputs/offer-text.ts'
import { RTP_TRACKS } from '../inputs/rtp-packets.ts'
import { mutate } from '../mutate.ts'
import { type FuzzTarget } from '../target.ts'

/** Offers to watch (WHEP) and to publish (WHIP): what is read of them before the WebRTC library gets them. */
export const offers: FuzzTarget = {
  name: 'offers',
  about: 'offers of WHEP and WHIP to the parser, the choice of tracks and the check of candidates',
  counts: { short: 3_000, long: 150_000 },
  open: () => ({
    create(random) {
      const text = Buffer.from(offerText(random, random.pick(['recvonly', 'sendonly'])), 'utf8')
      return random.oneIn(8) ? mutate(text, random) : text
    },
    feed(input) {
      const sdp = input.toString('utf8')
      try {
        choose(parseOffer(sdp))
      } catch (error) {
        if (!(error instanceof OfferError)) throw error
      }
      checkCandidates(sdp)
    },
  }),
}

function choose(offer: Offer): void {
  const choices = [
    () => chooseReceived(offer),
    ...RTP_TRACKS.map((track) => () => chooseSent({ tracks: [track], hasReorderedPictures: false }, offer)),
  ]
  for (const take of choices) {
    try {
      take()
    } catch (error) {
      if (!(error instanceof GatewayRefusal)) throw error
    }
  }
}

/** Nobody may be called but whom the rules allow: here, nobody but this machine. */
function checkCandidates(sdp: string): void {
  const kept = withoutDenied(sdp, (address) => address === '127.0.0.1')
  for (const line of kept.split('\n')) {
    if (!/candidate/i.test(line) || /^a=end-of-candidates\r?$/.test(line)) continue
    const words = line.split(' ')
    if (isIP(words[4] ?? '') === 0 || words[4] !== '127.0.0.1') throw new Error(`A candidate was kept: ${line}`)
  }
  withTcp(withHosts(kept, ['192.0.2.1', '::1'], 8189), 8189)
}
