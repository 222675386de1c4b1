import { boxesIn, findBox } from './mp4-boxes.ts'
import { createFragmentSplitter, FragmentFault } from './fragment-splitter.ts'

/** By how much the times of a track are to be later, in its ticks; negative for earlier. */
export type ShiftOf = (trackId: number) => bigint

const MAX_SHORT_TIME = 2n ** 32n - 1n

/**
 * Fragments with other decoding times (`tfdt`, ISO/IEC 14496-12 §8.8.12), so that files that were written one after the other play as
 * one. Whatever is no fragment is left out. Throws a `FragmentFault` on what is none of our files.
 */
export async function* shiftFragments(chunks: AsyncIterable<Buffer>, shiftOf: ShiftOf): AsyncGenerator<Buffer, void> {
  const splitter = createFragmentSplitter()
  for await (const chunk of chunks)
    for (const part of splitter.push(chunk)) yield part.type === 'moof' ? shifted(part.box, shiftOf) : part.bytes
}

function shifted(box: Buffer, shiftOf: ShiftOf): Buffer {
  const moof = Buffer.from(box)
  for (const { type, body } of boxesIn(moof.subarray(8))) {
    const [header, start] = type === 'traf' ? [findBox(body, 'tfhd'), findBox(body, 'tfdt')] : []
    if (!header || !start || header.length < 8 || start.length < (start[0] === 1 ? 12 : 8)) continue
    writeStart(start, shiftOf(header.readUInt32BE(4)))
  }
  return moof
}

/** What would begin before 0 begins there. */
function writeStart(tfdt: Buffer, shift: bigint): void {
  const isLong = tfdt[0] === 1
  const ticks = (isLong ? tfdt.readBigUInt64BE(4) : BigInt(tfdt.readUInt32BE(4))) + shift
  const start = ticks < 0n ? 0n : ticks
  if (isLong) tfdt.writeBigUInt64BE(BigInt.asUintN(64, start), 4)
  else if (start <= MAX_SHORT_TIME) tfdt.writeUInt32BE(Number(start), 4)
  else throw new FragmentFault('a time that is too late for its box')
}
