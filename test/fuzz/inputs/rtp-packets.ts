import { createAacPacketizer } from '../../../src/media/rtp/aac-packetizer.ts'
import { describeAacTrack } from '../../../src/media/rtp/aac-track.ts'
import { createH264Packetizer, describeH264Track } from '../../../src/media/rtp/h264-codec.ts'
import { createH265Packetizer, describeH265Track } from '../../../src/media/rtp/h265-codec.ts'
import { createPacketSequencer } from '../../../src/media/rtp/packet-sequencer.ts'
import { buildBye, buildReceiverReport, buildSenderReport } from '../../../src/media/rtsp/wire/rtcp.ts'
import { type MediaTrack } from '../../../src/media/stream.ts'
import { AAC_CONFIG, H264, H265, idr, idr265, predicted, predicted265 } from '../../builders/flv-tags.ts'
import { edgeNumber, writeEdgeNumber } from '../edge-numbers.ts'
import { mutateOrder } from '../mutate-order.ts'
import { mutate } from '../mutate.ts'
import { type Random } from '../random.ts'

const PAYLOAD_TYPE = 96
const SSRC = 0x1234
const TICKS = 3000

/** Streams as publishers announce them. */
export const RTP_TRACKS: readonly MediaTrack[] = [
  describeH264Track(PAYLOAD_TYPE, [H264.sps, H264.pps]),
  describeH265Track(PAYLOAD_TYPE, [H265.vps, H265.sps, H265.pps]),
  describeAacTrack(PAYLOAD_TYPE, AAC_CONFIG)!,
  { kind: 'audio', codec: 'opus', payloadType: PAYLOAD_TYPE, clockRate: 48_000, encodingName: 'opus', channels: 2 },
]

/** Some moments of a stream, in RTP and RTCP packets, of which some are changed, lost, repeated or out of order. */
export function rtpPackets(track: number, random: Random): Buffer[] {
  const packets = validPackets(track, random)
  if (random.oneIn(3)) packets.splice(random.below(packets.length), 0, report(random))
  return mutateOrder(packets, random).map((packet) => changed(packet, random))
}

function validPackets(track: number, random: Random): Buffer[] {
  const mtu = random.pick([40, 200, 1400])
  const options = { payloadType: PAYLOAD_TYPE, ssrc: SSRC, firstSequenceNumber: random.pick([0, 65_530]), mtu }
  const moments = Array.from({ length: 1 + random.below(4) }, (_, at) => at)
  // One or a few packets each.
  const bytes = random.pick([10, 2 * mtu, 3 * mtu])
  switch (track) {
    case 0: {
      const packetize = createH264Packetizer(options)
      const units = (at: number) =>
        at % 3 === 0 ? [H264.delimiter, H264.sps, H264.pps, H264.sei, idr(at, bytes)] : [predicted(at, bytes)]
      return moments.flatMap((at) => packetize(units(at), at * TICKS))
    }
    case 1: {
      const packetize = createH265Packetizer(options)
      const units = (at: number) =>
        at % 3 === 0 ? [H265.vps, H265.sps, H265.pps, idr265(at, bytes)] : [predicted265(at, bytes)]
      return moments.flatMap((at) => packetize(units(at), at * TICKS))
    }
    case 2: {
      const packetize = createAacPacketizer(options)
      return moments.flatMap((at) => packetize(Buffer.alloc(bytes, at), at * 1024))
    }
    default: {
      const next = createPacketSequencer(options)
      return moments.map((at) => next(at * 960, false, Buffer.alloc(random.below(bytes), at)))
    }
  }
}

function report(random: Random): Buffer {
  const fields = { ssrc: SSRC, timestamp: edgeNumber(random, 32), wallClockMs: edgeNumber(random, 32) * 1000 }
  return random.pick([
    buildSenderReport({ ...fields, packets: 1, payloadBytes: 2 }),
    buildReceiverReport(SSRC),
    buildBye(SSRC),
  ])
}

/** Where the fields of RFC 3550 §5.1 and the first ones of the payload are, in bytes. */
const FIELDS = [
  { at: 0, width: 1 },
  { at: 1, width: 1 },
  { at: 2, width: 2 },
  { at: 4, width: 4 },
  { at: 8, width: 4 },
  { at: 12, width: 1 },
  { at: 13, width: 1 },
  { at: 13, width: 2 },
  { at: 14, width: 2 },
] as const

function changed(packet: Buffer, random: Random): Buffer {
  if (!random.oneIn(3)) return packet
  const copy = Buffer.from(packet)
  switch (random.below(6)) {
    case 0:
      return mutate(packet, random)
    case 1:
      return packet.subarray(0, random.below(packet.length + 1))
    case 2:
      return withExtension(packet, random)
    case 3:
      // Padding, contributing sources or both, which are not there.
      copy[0] = 0x80 | random.below(0x40)
      copy[copy.length - 1] = edgeNumber(random, 8)
      return copy
    case 4:
      // A fragment, an aggregate or a type that is not for RTP, whatever it was.
      if (copy.length > 13) copy[12] = random.pick([28, 24, 25, 29, 30, 0, 96, 98, 100, 0x7c])
      return copy
    default: {
      const { at, width } = random.pick(FIELDS)
      writeEdgeNumber(copy, at, width, random)
      return copy
    }
  }
}

/** RFC 3550 §5.3.1, with a length that may be wrong. */
function withExtension(packet: Buffer, random: Random): Buffer {
  const head = Buffer.from(packet.subarray(0, 12))
  if (head.length > 0) head[0] = head[0]! | 0x10
  const words = random.below(4)
  const length = random.oneIn(3) ? edgeNumber(random, 16) : words
  return Buffer.concat([
    head,
    Buffer.of(0xbe, 0xde, length >> 8, length & 0xff),
    random.bytes(4 * words),
    packet.subarray(12),
  ])
}
