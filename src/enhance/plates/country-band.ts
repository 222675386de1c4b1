import { type RgbPicture } from '../picture/rgb-picture.ts'
import { type ReadLine } from './ctc.ts'

/** Bands are at most so much of a plate's length, and at least so much (below it they are noise). */
const MAX_BAND = 0.22
const MIN_BAND = 0.03

/**
 * Leaves out what stands in the blue bands at the ends of European plates: the country at the left, and in France and Italy
 * the district at the right. Those characters are no part of the number.
 */
export function withoutBands(line: ReadLine, picture: RgbPicture, lead = 0): ReadLine {
  const left = bandLength(picture, lead, (column) => column)
  const right = bandLength(picture, lead, (column) => picture.width - 1 - column)
  if (left === 0 && right === 0) return line
  const characters = line.characters.filter(({ position }) => position >= left && position <= 1 - right)
  return characters.length === line.characters.length ? line : { ...line, characters }
}

/**
 * How far blue reaches from one end, as a share of the length; 0 when there is no band. Blue letters leave more white between them. The plate
 * may begin as late as `lead` says.
 */
function bandLength({ width, height, rgb }: RgbPicture, lead: number, columnAt: (index: number) => number): number {
  const maxX = Math.ceil(width * (lead + MAX_BAND + 0.05))
  const edge = Math.ceil(width * 0.06)
  let [start, end, sum] = [-1, Math.floor(width * lead), 0]
  for (let index = 0; index < maxX && index - end <= edge; index++) {
    const share = blueShare(rgb, width, height, columnAt(index))
    if (share < 0.4) continue
    if (start < 0) start = index
    end = index + 1
    sum += share
  }
  // Without a lead the band is what reaches from the end; a crooked line may begin outside of the plate.
  const share = (end - (lead > 0 ? start : 0)) / width
  const isBand = start >= 0 && share >= MIN_BAND && share <= MAX_BAND && sum / (end - start) >= 0.6
  return isBand ? end / width : 0
}

function blueShare(rgb: Uint8Array, width: number, height: number, column: number): number {
  let blue = 0
  // The rows at the edges are often the car, not the plate.
  const [top, bottom] = [Math.floor(height * 0.2), Math.ceil(height * 0.8)]
  for (let y = top; y < bottom; y++) {
    const at = 3 * (y * width + column)
    const [red, green, blueness] = [rgb[at]!, rgb[at + 1]!, rgb[at + 2]!]
    if (blueness > 50 && blueness > 1.6 * red && blueness > 1.25 * green) blue++
  }
  return blue / (bottom - top)
}
