import { type NamedColour } from '../messages.ts'
import { type RgbPicture } from '../picture/rgb-picture.ts'
import { scalePicture, thinOut, wholeOf } from '../picture/scale-picture.ts'
import { colourNames, createNameTable } from './colour-names.ts'
import { borderPixels, estimateGains, lightAt } from './illuminant.ts'

/** How much each place of a picture counts, by its position from 0 to 1. */
export type PlaceWeight = (x: number, y: number) => number

/** How much of what was looked at has each of the eleven colours, in the order of their names; they add up to 1. */
export type ColourShares = Float64Array

/** Colours are read from small pictures: more pixels say nothing more. */
const SIDE = 96

/** How much less a pixel counts for each share of the surroundings that looks like it; but never nothing, since a grey car stands on a grey road. */
const SURROUNDINGS_DISCOUNT = 1.5
const MIN_INSIDE_WEIGHT = 0.375

export interface ShareOptions {
  /** What a name's votes are multiplied by. */
  readonly discount?: Readonly<Partial<Record<string, number>>>
  /** More than usual where the surroundings show through. */
  readonly doubt?: number
}

/** A picture made ready for questions about its colours. */
export interface ColourPicture {
  shares(weight: PlaceWeight, options?: ShareOptions): ColourShares
}

export function toColourPicture(picture: RgbPicture): ColourPicture {
  const scale = Math.min(1, SIDE / Math.max(picture.width, picture.height))
  const size = {
    width: Math.max(4, Math.round(picture.width * scale)),
    height: Math.max(4, Math.round(picture.height * scale)),
  }
  // A third of the pixels a side is enough for a mean, and takes a ninth of the time.
  const thin = thinOut(picture, Math.floor(1 / scale / 2.5))
  const small = scalePicture(thin, wholeOf(thin), size)
  const gains = estimateGains(small)
  const likeness = likenessToSurroundings(small)
  const table = createNameTable()
  return {
    shares(weight, { discount = {}, doubt = SURROUNDINGS_DISCOUNT } = {}) {
      const sums: ColourShares = new Float64Array(colourNames.length)
      for (let y = 0, at = 0; y < size.height; y++) {
        for (let x = 0; x < size.width; x++, at += 3) {
          const place = weight((x + 0.5) / size.width, (y + 0.5) / size.height)
          if (place < 0.01) continue
          const counts = place * Math.max(MIN_INSIDE_WEIGHT / doubt, 1 - doubt * likeness(at))
          const [red, green, blue] = lightAt(small, at)
          const shares = table.at(red * gains[0], green * gains[1], blue * gains[2])
          for (let name = 0; name < sums.length; name++) sums[name]! += counts * table.shares[shares + name]!
        }
      }
      return normalised(sums.map((sum, name) => sum * (discount[colourNames[name]!] ?? 1)))
    },
  }
}

export function normalised(shares: ColourShares): ColourShares {
  const sum = shares.reduce((total, share) => total + share, 0)
  return sum === 0 ? shares : shares.map((share) => share / sum)
}

/** How much of a picture's border has a colour like this pixel's, 0…1. */
type Likeness = (at: number) => number

const BIN_BITS = 4

/** The border is mostly what is not the object; what looks like it inside counts less. */
function likenessToSurroundings(picture: RgbPicture): Likeness {
  const side = 1 << BIN_BITS
  const counts = new Float32Array(side ** 3)
  let total = 0
  const { rgb } = picture
  const binAt = (at: number): [number, number, number] => [
    rgb[at]! >> (8 - BIN_BITS),
    rgb[at + 1]! >> (8 - BIN_BITS),
    rgb[at + 2]! >> (8 - BIN_BITS),
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

/** What one picture says. */
export interface ColourOpinion {
  readonly shares: ColourShares
  /** How much it counts, above 0. */
  readonly weight: number
}

/** A colour is reported only if it has so much of all votes, and so many times those of the next. */
const MIN_SHARE = 0.38
const MIN_LEAD = 1.25

/** The colour that several pictures of one thing agree on; null when it is too mixed. */
export function voteColour(opinions: readonly ColourOpinion[]): NamedColour | null {
  const sums: ColourShares = new Float64Array(colourNames.length)
  for (const { shares, weight } of opinions) for (const [name, share] of shares.entries()) sums[name]! += weight * share
  const ranked = [...normalised(sums).entries()].sort(([, a], [, b]) => b - a)
  const [[name, share], [, next]] = [ranked[0]!, ranked[1]!]
  if (share < MIN_SHARE || share < MIN_LEAD * next) return null
  return { name: colourNames[name]!, confidence: Math.round(share * 1000) / 1000 }
}
