import { AV_NOPTS_VALUE, type Packet } from 'node-av'

/** Gives packets decoding times that always grow, as MP4 wants them; streams from the field do not always have them. */
export interface DecodingTimes {
  next(packet: Pick<Packet, 'pts' | 'dts'>): { dts: bigint; pts: bigint }
}

export function createDecodingTimes(): DecodingTimes {
  let last: bigint | undefined
  return {
    next(packet) {
      const given = packet.dts === AV_NOPTS_VALUE ? packet.pts : packet.dts
      const known = given === AV_NOPTS_VALUE ? (last ?? 0n) + 1n : given
      const dts = last !== undefined && known <= last ? last + 1n : known
      last = dts
      const pts = packet.pts === AV_NOPTS_VALUE || packet.pts < dts ? dts : packet.pts
      return { dts, pts }
    },
  }
}
