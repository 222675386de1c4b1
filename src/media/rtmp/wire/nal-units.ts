import { splitByStartCodes } from '../../rtp/annex-b.ts'
import { createPartCounter, MAX_NAL_UNITS } from '../../rtp/part-limit.ts'

/**
 * NAL units in a message come with their lengths (ISO 14496-15 §5.3.3), except from broken encoders, which put start
 * codes between them (Annex B), or even both. Tries what is right first, because a length may look like a start code.
 * Throws `TooManyPartsError`.
 */
export function splitNalUnits(data: Buffer, lengthSize: number): Buffer[] {
  const units = splitByLengths(data, lengthSize)
  const found = units.isWhole || !startsWithStartCode(data) ? units.found : splitByStartCodes(data)
  const countPart = createPartCounter(MAX_NAL_UNITS)
  return found.flatMap((unit) => (startsWithStartCode(unit) ? splitByStartCodes(unit, countPart) : [unit]))
}

/** The units with a length of four bytes before each. */
export function joinNalUnits(head: Buffer, nalUnits: readonly Buffer[]): Buffer {
  const total = nalUnits.reduce((sum, { length }) => sum + 4 + length, head.length)
  const joined = Buffer.allocUnsafe(total)
  let at = head.copy(joined)
  for (const unit of nalUnits) {
    at = joined.writeUInt32BE(unit.length, at)
    at += unit.copy(joined, at)
  }
  return joined
}

/** No NAL unit begins so by itself: in both codecs two zero bytes are no valid header. */
function startsWithStartCode(data: Buffer): boolean {
  return data[0] === 0 && data[1] === 0 && (data[2] === 1 || (data[2] === 0 && data[3] === 1))
}

function splitByLengths(data: Buffer, lengthSize: number): { found: Buffer[]; isWhole: boolean } {
  const found: Buffer[] = []
  const countPart = createPartCounter(MAX_NAL_UNITS)
  let at = 0
  while (at + lengthSize <= data.length) {
    countPart()
    const length = data.readUIntBE(at, lengthSize)
    const end = at + lengthSize + length
    if (end > data.length) return { found, isWhole: false }
    if (length > 0) found.push(data.subarray(at + lengthSize, end))
    at = end
  }
  return { found, isWhole: at === data.length }
}
