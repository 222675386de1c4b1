import { isParameterSet, type NalUnitCodec } from '../../rtp/nal-unit-codec.ts'

/** How a codec distinguishes its parameter sets from the rest. */
export interface SetTypes {
  /** The types without which nothing can be decoded, in decoding order. */
  readonly parameterSetTypes: readonly number[]
  typeOf(nalUnit: Buffer): number
}

/** A stream has three or four small ones; these bounds leave room for odd encoders and none for abuse. */
const MAX_SETS = 16
const MAX_SET_BYTES = 4096

/** The sets that count after these units: each type that comes anew takes the place of what was known of it. */
export function mergeParameterSets(format: SetTypes, known: readonly Buffer[], nalUnits: readonly Buffer[]): Buffer[] {
  return format.parameterSetTypes.flatMap((type) => {
    const ofType = (unit: Buffer) => format.typeOf(unit) === type && unit.length <= MAX_SET_BYTES
    const fresh = nalUnits.filter(ofType)
    // Copies, because each is a view of a much larger message.
    return fresh.length > 0 ? fresh.slice(0, MAX_SETS).map((unit) => Buffer.from(unit)) : known.filter(ofType)
  })
}

export function isComplete(format: SetTypes, parameterSets: readonly Buffer[]): boolean {
  return format.parameterSetTypes.every((type) => parameterSets.some((set) => format.typeOf(set) === type))
}

/** The sets among these units; undefined where one is missing without which nothing can be decoded. */
export function completeParameterSets(format: SetTypes, nalUnits: readonly Buffer[]): Buffer[] | undefined {
  const sets = mergeParameterSets(format, [], nalUnits)
  return isComplete(format, sets) ? sets : undefined
}

export function areSame(one: readonly Buffer[], other: readonly Buffer[]): boolean {
  return one.length === other.length && one.every((set, index) => set.equals(other[index]!))
}

/** Parameter sets travel in the configuration; delimiters are the container's business here. */
export function belongsInFrame(codec: NalUnitCodec, nalUnit: Buffer): boolean {
  return codec.typeOf(nalUnit) !== codec.delimiterType && !isParameterSet(codec, nalUnit)
}
