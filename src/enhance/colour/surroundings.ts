import { type RgbPicture } from '../picture/rgb-picture.ts'
import { borderPixels } from './illuminant.ts'

/** How much of a picture's border has a colour like this pixel's, 0…1. */
export type Likeness = (at: number) => number

const bits = 4

/** The border is mostly what is not the object; what looks like it inside counts less. */
export function likenessToSurroundings(picture: RgbPicture): Likeness {
  const side = 1 << bits
  const counts = new Float32Array(side ** 3)
  let total = 0
  const { rgb } = picture
  const binAt = (at: number): [number, number, number] => [
    rgb[at]! >> (8 - bits),
    rgb[at + 1]! >> (8 - bits),
    rgb[at + 2]! >> (8 - bits),
  ]
  for (const at of borderPixels(picture)) {
    const [red, green, blue] = binAt(at)
    counts[(red * side + green) * side + blue]!++
    total++
  }
  return (at) => {
    const [red, green, blue] = binAt(at)
    // Neighbouring bins count too: noise must not make the same road another colour.
    let sum = 0
    for (let r = Math.max(0, red - 1); r <= Math.min(side - 1, red + 1); r++)
      for (let g = Math.max(0, green - 1); g <= Math.min(side - 1, green + 1); g++)
        for (let b = Math.max(0, blue - 1); b <= Math.min(side - 1, blue + 1); b++)
          sum += counts[(r * side + g) * side + b]!
    return Math.min(1, sum / total)
  }
}
