import { smallFragmentedMp4 } from '../../builders/small-videos.ts'
import { mutateBoxes } from '../mutate-boxes.ts'
import { mutate } from '../mutate.ts'
import { type Random } from '../random.ts'

const WHOLE = smallFragmentedMp4()

/** A file of a recorder, or of whoever could write into its folder: torn, with boxes changed, or bytes. */
export function recordedFile(random: Random): Buffer {
  const file = random.oneIn(4) ? mutate(WHOLE, random) : mutateBoxes(WHOLE, random)
  return random.oneIn(4) ? file.subarray(0, random.below(file.length + 1)) : file
}
