import { createFrameSplitter } from '../../../src/media/webrtc/frame-splitter.ts'
import { isStun, sessionNamedBy } from '../../../src/media/webrtc/stun.ts'
import { framedPackets, stunPacket } from '../inputs/stun-packets.ts'
import { pieces } from '../mutate.ts'
import { randomOf } from '../random.ts'
import { type FuzzTarget } from '../target.ts'

/** What browsers, or anybody, send to the port of WebRTC by TCP before they are known. */
export const stun: FuzzTarget = {
  name: 'stun',
  about: 'frames of ICE by TCP, with STUN in them, to the relay’s splitter and its search for the session',
  counts: { short: 3_000, long: 300_000 },
  open: () => ({
    create: (random) =>
      framedPackets(
        Array.from({ length: 1 + random.below(4) }, () => stunPacket(random)),
        random,
      ),
    feed(input) {
      const splitter = createFrameSplitter()
      for (const piece of pieces(input, randomOf(input))) {
        splitter.push(piece)
        for (let frame = splitter.next(); frame; frame = splitter.next()) {
          if (frame === 'too-long') return
          const name = sessionNamedBy(frame)
          if (name !== undefined && !isStun(frame)) throw new Error('What is no STUN names a session.')
        }
      }
    },
  }),
}
