import { buildBitrateLimit, buildNack, buildPictureLoss } from '../../../src/media/webrtc/feedback.ts'
import { buildBye, buildReceiverReport, buildSenderReport } from '../../../src/media/rtsp/wire/rtcp.ts'
import { writeEdgeNumber } from '../edge-numbers.ts'
import { mutateOrder } from '../mutate-order.ts'
import { mutate } from '../mutate.ts'
import { type Random } from '../random.ts'

/** What a browser says of the packets that it gets: reports, losses, wishes for a keyframe and goodbyes, one behind the other. */
export function feedbackPacket(random: Random, sequenceNumbers: readonly number[]): Buffer {
  const lost = mutateOrder(sequenceNumbers, random).slice(0, 400)
  const figures = {
    fractionLost: random.below(256),
    totalLost: random.below(1000),
    highestSequence: random.below(65_536),
    jitter: random.below(1000),
    lastSenderReport: 0,
    delaySinceLastReport: 0,
  }
  const packets = [
    buildReceiverReport(1, 2, figures),
    buildNack(1, 2, lost),
    buildPictureLoss(1, 2),
    buildBitrateLimit(1, 2, 1_000_000),
    buildSenderReport({ ssrc: 1, timestamp: 0, wallClockMs: 0, packets: 0, payloadBytes: 0 }),
    ...(random.oneIn(8) ? [buildBye(1)] : []),
  ]
  const compound = Buffer.concat(mutateOrder(packets, random).slice(0, 12))
  if (random.oneIn(4)) return mutate(compound, random)
  if (random.oneIn(2)) writeEdgeNumber(compound, random.below(compound.length), random.pick([1, 2]), random)
  return compound
}
