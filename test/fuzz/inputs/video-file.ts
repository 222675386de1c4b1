import { codedH264, codedH265 } from '../../builders/coded-pictures.ts'
import { otherContainers, smallAvi, smallFragmentedMp4, smallMov, smallMp4 } from '../../builders/small-videos.ts'
import { edgeNumber } from '../edge-numbers.ts'
import { mutateBoxes } from '../mutate-boxes.ts'
import { mutate } from '../mutate.ts'
import { type Random } from '../random.ts'
import { jpegFile, pictureFile, pngFile } from './picture-files.ts'

const MAX_BYTES = 256 * 1024
const MP4 = smallMp4()
const FRAGMENTED = smallFragmentedMp4()
const OTHERS = otherContainers()
const CODED = { width: 64, height: 64, chroma: 1, depth: 8, references: 2, pictures: 3 } as const

/** What somebody may upload as a video: a container of which boxes, chunks or pictures are changed, or something else altogether. */
export function videoFile(random: Random): Buffer {
  const file = container(random).subarray(0, MAX_BYTES)
  return random.oneIn(8) ? mutate(file, random) : file
}

function container(random: Random): Buffer {
  switch (random.below(8)) {
    case 0:
    case 1:
      return mutateBoxes(MP4, random)
    case 2:
      return mutateBoxes(FRAGMENTED, random)
    case 3:
      return withChangedPictures(MP4, random)
    case 4:
      return mutateBoxes(
        random.oneIn(2) ? smallMov('png ', pngFile(random)) : smallMov('jpeg', jpegFile(random)),
        random,
      )
    case 5:
      return changedAvi(random)
    case 6:
      return random.oneIn(2) ? pictureFile(random) : random.bytes(random.below(2000))
    default:
      return mutate(random.pick(OTHERS), random)
  }
}

/** The container is right, and what it holds is not. */
function withChangedPictures(file: Buffer, random: Random): Buffer {
  const copy = Buffer.from(file)
  const start = copy.indexOf('mdat') + 4
  const end = copy.indexOf('moov') - 4
  for (let left = 1 + random.below(20); left > 0; left--) copy[start + random.below(end - start)] = random.below(256)
  const record = copy.indexOf('avcC') + 4
  if (random.oneIn(2)) copy[record + random.below(40)] = edgeNumber(random, 8)
  return copy
}

function changedAvi(random: Random): Buffer {
  const picture = {
    MJPG: () => jpegFile(random),
    MPNG: () => pngFile(random),
    H264: () => mutate(random.oneIn(2) ? codedH264(CODED) : codedH265(CODED), random),
  }
  const codec = random.pick(['MJPG', 'MPNG', 'H264'] as const)
  const file = Buffer.from(smallAvi(codec, picture[codec]()))
  // Sizes and counts of RIFF stand at even places, and count the other way round.
  for (let left = random.below(4); left > 0; left--) {
    const at = random.below(Math.min(400, file.length - 4)) & ~1
    file.writeUInt32LE(edgeNumber(random, 32), at)
  }
  return file
}
