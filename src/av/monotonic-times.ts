import { AV_NOPTS_VALUE, type Packet } from 'node-av'

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
