import { verifyPackage } from '../../../src/clips/evidence/verify-package.ts'
import { bytesSource, InvalidPackage } from '../../../src/clips/evidence/zip-reader.ts'
import { aPackage, signingKey } from '../../builders/evidence-package.ts'
import { edgeNumber } from '../edge-numbers.ts'
import { mutate } from '../mutate.ts'
import { type FuzzTarget } from '../target.ts'

/** Whatever stands in a package of evidence, only the one that was signed verifies; all others are refused with a sentence. */
export const evidence: FuzzTarget = {
  name: 'evidence',
  about: 'packages of evidence to `aerie verify`',
  counts: { short: 1_000, long: 200_000 },
  async open() {
    const signed = await aPackage()
    return {
      create(random) {
        if (random.oneIn(2)) return mutate(signed, random)
        const copy = Buffer.from(signed)
        // Lengths, offsets and counts, most of which stand in the records at the end.
        for (let left = 1 + random.below(3); left > 0; left--) {
          const reach = random.pick([40, 600, copy.length]) - 4
          const at = copy.length - 4 - random.below(reach)
          if (random.oneIn(2)) copy.writeUInt32LE(edgeNumber(random, 32), at)
          else copy.writeUInt16LE(edgeNumber(random, 16), at)
        }
        return copy
      },
      async feed(input) {
        try {
          const { problems } = await verifyPackage(bytesSource(input), signingKey)
          if (problems.length === 0 && !input.equals(signed)) throw new Error('What was changed verifies.')
        } catch (error) {
          if (!(error instanceof InvalidPackage)) throw error
        }
      },
    }
  },
}
