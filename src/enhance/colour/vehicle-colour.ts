import { type RgbPicture } from '../picture/rgb-picture.ts'
import { colourNames } from './colour-names.ts'
import { type ColourShares, type PlaceWeight, toColourPicture } from './colour-shares.ts'

/** Smaller pictures show lights, windows and noise, but no paint. */
const MIN_SIDE = 20

/** Paint is around the middle; below are tyres and shadow, above windows and what is behind. */
const paint: PlaceWeight = (x, y) => Math.exp(-(((x - 0.5) / 0.3) ** 2) - ((y - 0.52) / 0.26) ** 2)

/** A quarter of every car is black (windows, tyres, shadow) and some of it grey (road, chrome, shade on white); little is coloured by chance. */
const discount = {
  black: 0.52,
  grey: 0.62,
  red: 1.25,
  orange: 1.25,
  yellow: 1.25,
  green: 1.2,
  blue: 1.15,
  purple: 1.1,
  pink: 1.2,
}

/** Glossy red that mirrors the sky looks pink, and pink cars are rare: where there is red too, pink is taken for it. */
const MIN_RED = 0.15

/** Which colours a vehicle's paint may have; undefined when the picture is too small. */
export function vehicleColours(picture: RgbPicture): ColourShares | undefined {
  if (Math.min(picture.width, picture.height) < MIN_SIDE) return undefined
  const shares = toColourPicture(picture).shares(paint, { discount })
  const [red, pink] = [colourNames.indexOf('red'), colourNames.indexOf('pink')]
  if (shares[red]! >= MIN_RED * shares[pink]!) {
    shares[red]! += shares[pink]!
    shares[pink] = 0
  }
  return shares
}
