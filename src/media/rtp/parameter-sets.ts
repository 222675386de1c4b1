import { type Codec } from '../stream.ts'
import { aggregatedUnits } from './aggregation.ts'
import { nalUnitCodecOf } from './nal-unit-codecs.ts'
import { payloadOf } from './packet.ts'

/** A stream has one to three sets; some cameras cycle through several picture parameter sets. */
const MAX_SETS = 16

/**
 * Keeps the newest parameter sets of a track: those that the publisher announced, then those that come in
 * band, alone or aggregated. Fragmented ones are not parsed: a set is far smaller than a packet.
 */
export interface ParameterSets {
  /** The sets, when this packet brought a new one; otherwise undefined. */
  update(rtpPacket: Buffer): readonly Buffer[] | undefined
}

export function createParameterSets(codec: Codec, announced: readonly Buffer[] = []): ParameterSets {
  const format = nalUnitCodecOf(codec)
  if (!format) return { update: () => undefined }
  const sets = new Map<number, Buffer>()
  for (const set of announced) keep(set)

  /** True when the set is new. */
  function keep(unit: Buffer): boolean {
    const type = unit.length > format!.headerLength ? format!.typeOf(unit) : -1
    if (!format!.parameterSetTypes.includes(type)) return false
    const key = type * 256 + (format!.setIdOf(unit) & 0xff)
    const known = sets.get(key)
    if (known?.equals(unit) || (!known && sets.size >= MAX_SETS)) return false
    // A copy, because the packet is part of a large read that would stay in memory with it.
    sets.set(key, Buffer.from(unit))
    return true
  }

  return {
    update(rtpPacket) {
      const payload = payloadOf(rtpPacket)
      if (payload.length <= format.headerLength) return undefined
      const type = format.typeOf(payload)
      let isNew = false
      if (type === format.aggregateType)
        for (const unit of aggregatedUnits(payload, format.headerLength)) isNew = keep(unit) || isNew
      else if (format.parameterSetTypes.includes(type)) isNew = keep(payload)
      return isNew ? inDecodingOrder(sets) : undefined
    },
  }
}

/** VPS, SPS, PPS: their type numbers happen to stand in the order in which a decoder wants them. */
function inDecodingOrder(sets: ReadonlyMap<number, Buffer>): readonly Buffer[] {
  return [...sets].sort(([a], [b]) => a - b).map(([, set]) => set)
}
