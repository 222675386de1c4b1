import { AV_NOPTS_VALUE, AV_PKT_DATA_PRFT, type FormatContext, type Packet, type Stream } from 'node-av'
import { videoCodecOf } from './video-codec.ts'

/** Adds a stream to an MP4 file, into which the packets of `input` are copied. */
export function addCopiedStream(output: FormatContext, input: Stream): Stream {
  const stream = output.newStream(null)
  input.codecpar.copy(stream.codecpar)
  stream.codecpar.codecTag = codecTagOf(input)
  stream.timeBase = input.timeBase
  return stream
}

/**
 * Tags of RTSP or FLV would be refused, and without one the muxer takes its own: for H.265 `hev1`, and Apple's players take only `hvc1`, with
 * the parameter sets in the header.
 */
function codecTagOf(stream: Stream): string | number {
  return videoCodecOf(stream) === 'h265' ? 'hvc1' : 0
}

/** Gives packets decoding times that always grow, as MP4 wants them; streams from the field do not always have them. */
export interface MonotonicTimes {
  next(packet: Pick<Packet, 'pts' | 'dts'>): { dts: bigint; pts: bigint }
}

/** RTP has no decoding times: `decodingTimeOf` makes those of pictures from their presentation times. Sound is in order, and needs none. */
export function createMonotonicTimes(decodingTimeOf?: (pts: number) => number): MonotonicTimes {
  let last: bigint | undefined

  function timeOf({ pts, dts }: Pick<Packet, 'pts' | 'dts'>): bigint {
    if (decodingTimeOf && pts !== AV_NOPTS_VALUE) return BigInt(decodingTimeOf(Number(pts)))
    return dts === AV_NOPTS_VALUE ? pts : dts
  }

  return {
    next(packet) {
      const given = timeOf(packet)
      const known = given === AV_NOPTS_VALUE ? (last ?? 0n) + 1n : given
      const dts = last !== undefined && known <= last ? last + 1n : known
      last = dts
      const pts = packet.pts === AV_NOPTS_VALUE || packet.pts < dts ? dts : packet.pts
      return { dts, pts }
    },
  }
}

/** The sender's wall-clock time of a packet, in ms; undefined while RTCP has not said it (AVProducerReferenceTime: µs since 1970). */
export function sentAtMs(packet: Packet): number | undefined {
  const reference = packet.getSideData(AV_PKT_DATA_PRFT)
  return reference && reference.length >= 8 ? Number(reference.readBigInt64LE(0)) / 1000 : undefined
}
