import { type Codec } from '../stream.ts'
import { payloadOf } from './packet.ts'

/** A stream has one to three sets; some cameras cycle through several picture parameter sets. */
const MAX_SETS = 16

/**
 * Keeps the newest parameter sets of a track: those that the publisher announced, then those that come in
 * band, alone or aggregated. Fragmented ones are not looked at: a set is far smaller than a packet.
 */
export interface ParameterSets {
  /** The sets, when this packet brought a new one; otherwise undefined. */
  update(rtpPacket: Buffer): readonly Buffer[] | undefined
}

export function createParameterSets(codec: Codec, announced: readonly Buffer[] = []): ParameterSets {
  const format = codec === 'h264' ? H264 : codec === 'h265' ? H265 : undefined
  if (!format) return { update: () => undefined }
  const sets = new Map<number, Buffer>()
  for (const set of announced) keep(set)

  /** Says whether anything is new. */
  function keep(unit: Buffer): boolean {
    const type = unit.length > format!.headerLength ? format!.typeOf(unit) : -1
    if (!format!.setTypes.includes(type)) return false
    const key = type * 256 + (format!.idOf(unit, type) & 0xff)
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
      if (type === format.aggregate)
        for (const unit of aggregated(payload, format.headerLength)) isNew = keep(unit) || isNew
      else if (format.setTypes.includes(type)) isNew = keep(payload)
      return isNew ? inDecodingOrder(sets) : undefined
    },
  }
}

interface Format {
  readonly headerLength: number
  readonly aggregate: number
  readonly setTypes: readonly number[]
  typeOf(unit: Buffer): number
  /** Which of its kind a set is: a stream may use several side by side. */
  idOf(unit: Buffer, type: number): number
}

/** RFC 6184 §5.6, §5.7.1; the ids are the first fields of ITU-T H.264 §7.3.2.1.1 and §7.3.2.2. */
const H264: Format = {
  headerLength: 1,
  aggregate: 24,
  setTypes: [7, 8],
  typeOf: (unit) => unit[0]! & 0x1f,
  idOf: (unit, type) => readExpGolomb(unit, type === 7 ? 4 : 1),
}

/** RFC 7798 §4.4.2. The ids of VPS and SPS stand behind much else, and nobody uses more than one. */
const H265: Format = {
  headerLength: 2,
  aggregate: 48,
  setTypes: [32, 33, 34],
  typeOf: (unit) => (unit[0]! >> 1) & 0x3f,
  idOf: (unit, type) => (type === 34 ? readExpGolomb(unit, 2) : 0),
}

/** VPS, SPS, PPS: their type numbers happen to stand in the order in which a decoder wants them. */
function inDecodingOrder(sets: ReadonlyMap<number, Buffer>): readonly Buffer[] {
  return [...sets].sort(([a], [b]) => a - b).map(([, set]) => set)
}

function* aggregated(payload: Buffer, headerLength: number): Generator<Buffer> {
  for (let at = headerLength; at + 2 < payload.length;) {
    const length = payload.readUInt16BE(at)
    yield payload.subarray(at + 2, at + 2 + length)
    at += 2 + length
  }
}

/** The unsigned number (H.264 §9.1) that begins at byte `from`; 0 when it is cut short. */
function readExpGolomb(unit: Buffer, from: number): number {
  const bitAt = (index: number) => (unit[from + (index >> 3)] ?? 0xff) & (0x80 >> (index & 7))
  let zeros = 0
  while (zeros < 16 && !bitAt(zeros)) zeros++
  let value = 0
  for (let index = zeros; index <= 2 * zeros; index++) value = value * 2 + (bitAt(index) ? 1 : 0)
  return value - 1
}
