import { type RgbPicture } from '../picture/rgb-picture.ts'
import { type ReadLine } from './ctc.ts'

/** Bands are at most so much of a plate's length, and at least so much (below it they are noise). */
const widestBand = 0.22
const narrowestBand = 0.03

/**
 * Leaves out what stands in the blue bands at the ends of European plates: the country at the left, and in France and Italy
 * the district at the right. Those characters are no part of the number.
 */
export function withoutBands(line: ReadLine, picture: RgbPicture): ReadLine {
  const left = bandLength(picture, (column) => column)
  const right = bandLength(picture, (column) => picture.width - 1 - column)
  if (left === 0 && right === 0) return line
  const characters = line.characters.filter(({ position }) => position >= left && position <= 1 - right)
  return characters.length === line.characters.length ? line : { ...line, characters }
}

/** How far blue reaches from one end, as a share of the length; 0 when there is no band. */
function bandLength({ width, height, rgb }: RgbPicture, columnAt: (index: number) => number): number {
  const most = Math.ceil(width * (widestBand + 0.05))
  let end = 0
  for (let index = 0, misses = 0; index < most && misses <= 0.06 * width; index++) {
    if (blueShare(rgb, width, height, columnAt(index)) >= 0.4) {
      end = index + 1
      misses = 0
    } else misses++
  }
  const share = end / width
  return share >= narrowestBand && share <= widestBand ? share : 0
}

function blueShare(rgb: Uint8Array, width: number, height: number, column: number): number {
  let blue = 0
  // The rows at the edges are often the car, not the plate.
  const [top, bottom] = [Math.floor(height * 0.2), Math.ceil(height * 0.8)]
  for (let y = top; y < bottom; y++) {
    const at = 3 * (y * width + column)
    const [red, green, blueness] = [rgb[at]!, rgb[at + 1]!, rgb[at + 2]!]
    if (blueness > 50 && blueness > 1.4 * red && blueness > 1.15 * green) blue++
  }
  return blue / (bottom - top)
}
