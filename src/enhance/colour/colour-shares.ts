import { type RgbPicture } from '../picture/rgb-picture.ts'
import { scalePicture, thinOut, wholeOf } from '../picture/scale-picture.ts'
import { colourNames, createNameTable } from './colour-names.ts'
import { estimateGains, lightAt } from './illuminant.ts'
import { likenessToSurroundings } from './surroundings.ts'

/** How much each place of a picture counts, by its position from 0 to 1. */
export type PlaceWeight = (x: number, y: number) => number

/** How much of what was looked at has each of the eleven colours, in the order of their names; they add up to 1. */
export type ColourShares = Float64Array

/** Colours are told from small pictures: more pixels say nothing more. */
const side = 96

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
  const scale = Math.min(1, side / Math.max(picture.width, picture.height))
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
