import { type CountPart, createPartCounter, MAX_NAL_UNITS } from './part-limit.ts'

const START_CODE = Buffer.of(0, 0, 1)
const LONG_START_CODE = Buffer.of(0, 0, 0, 1)

/** As decoders take them. */
export function joinByStartCodes(nalUnits: readonly Buffer[]): Buffer {
  return Buffer.concat(nalUnits.flatMap((nalUnit) => [LONG_START_CODE, nalUnit]))
}

/** NAL units between start codes of three or four bytes. Throws `TooManyPartsError`. */
export function splitByStartCodes(data: Buffer, countPart: CountPart = createPartCounter(MAX_NAL_UNITS)): Buffer[] {
  const units: Buffer[] = []
  let start: number | undefined
  for (let at = data.indexOf(START_CODE); at >= 0; at = data.indexOf(START_CODE, at + 3)) {
    countPart()
    if (start !== undefined) pushTrimmed(units, data.subarray(start, at))
    start = at + 3
  }
  if (start !== undefined) pushTrimmed(units, data.subarray(start))
  return units
}

/** A unit ends with a set bit: zeros behind it belong to the next start code, or are padding (H.264 §B.1.1). */
function pushTrimmed(units: Buffer[], unit: Buffer): void {
  let end = unit.length
  while (end > 0 && unit[end - 1] === 0) end--
  if (end > 0) units.push(unit.subarray(0, end))
}
