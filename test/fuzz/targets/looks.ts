import { BLOCK_HEAD_BYTES, decodeBlock, encodeBlock } from '../../../src/core/look-blocks.ts'
import { blocksWithin, looksOf, toBlock } from '../../../src/timeline/look-files.ts'
import { aLookAt } from '../../builders/recorded-looks.ts'
import { mutate } from '../mutate.ts'
import { type FuzzTarget } from '../target.ts'

const ALL = { from: -Infinity, to: Infinity }
/** Of a crowd that walks on. */
const looks = Array.from({ length: 40 }, (_, second) =>
  aLookAt(1_000 * second, [second, second + 1, second + 2, [second + 3, 'car']]),
)

/** A file that a disk has changed has the blocks before that, as they were written; a block that somebody made up is read or refused. */
export const detectionFiles: FuzzTarget = {
  name: 'looks',
  about: 'files of what was seen, and single blocks of them, to their readers',
  counts: { short: 1_000, long: 200_000 },
  async open() {
    const blocks = await Promise.all([0, 10, 20, 30].map((at) => toBlock(looks.slice(at, at + 10))))
    const file = Buffer.concat(blocks)
    const payload = encodeBlock(looks)
    return {
      // The first byte says which it is.
      create: (random) =>
        random.oneIn(2)
          ? Buffer.concat([Buffer.of(0), mutate(payload, random)])
          : Buffer.concat([Buffer.of(1), mutate(file, random)]),
      async feed(input) {
        const bytes = input.subarray(1)
        if (input[0] === 0) return readPayload(bytes)
        for (const block of blocksWithin(bytes, ALL)) {
          const isOurs = blocks.some((one) => one.equals(block.bytesThere))
          if (!isOurs) throw new Error('A block that nobody wrote is taken for one.')
          if ((await looksOf(block)).length !== block.looks) throw new Error('A block lacks looks.')
          if (block.bytesThere.length < BLOCK_HEAD_BYTES) throw new Error('A block has no head.')
        }
      },
    }
  },
}

function readPayload(payload: Buffer): void {
  try {
    decodeBlock(payload)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
}
