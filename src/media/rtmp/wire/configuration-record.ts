import { createPartCounter, MAX_NAL_UNITS } from '../../rtp/part-limit.ts'

/** How a decoder configuration record (ISO 14496-15) lists its parameter sets. */
export interface SetLists {
  /** The byte where the first list begins. */
  readonly start: number
  readonly lists: number
  /** What stands before the sets of a list. */
  readonly headBytes: number
  /** How many sets the list has whose head begins at `at`. */
  readonly countAt: (at: number, list: number) => number
}

/** The parameter sets of a record, each behind its length in two bytes; of one that is cut short, those before. Throws `TooManyPartsError`. */
export function readSetLists(data: Buffer, { start, lists, headBytes, countAt }: SetLists): Buffer[] {
  const sets: Buffer[] = []
  const countPart = createPartCounter(MAX_NAL_UNITS)
  let at = start
  for (let list = 0; list < lists && at + headBytes <= data.length; list++) {
    let left = countAt(at, list)
    at += headBytes
    for (; left > 0 && at + 2 <= data.length; left--) {
      countPart()
      const end = at + 2 + data.readUInt16BE(at)
      if (end > data.length) return sets
      if (end > at + 2) sets.push(data.subarray(at + 2, end))
      at = end
    }
  }
  return sets
}

/** A set as a record lists it. */
export function withLength(set: Buffer): Buffer[] {
  return [Buffer.of(set.length >> 8, set.length & 0xff), set]
}
