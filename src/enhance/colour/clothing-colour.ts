import { type RgbPicture } from '../picture/rgb-picture.ts'
import { colourNames } from './colour-names.ts'
import { type ColourShares, type PlaceWeight, toColourPicture } from './colour-shares.ts'

export interface ClothingColours {
  readonly upper: ColourShares
  readonly lower: ColourShares
}

/** Below it a leg is two pixels wide. */
const [MIN_WIDTH, MIN_HEIGHT] = [14, 36]
/** Somebody who sits, lies or is seen from above has no upper and lower part where we would look. */
const MIN_RATIO = 1.35

/** In shares of a standing person's height: head and neck end at 0.17, feet begin at 0.9; a belt is somewhere between the zones. */
const upper: PlaceWeight = (x, y) => zone(x, y, 0.19, 0.45)
const lower: PlaceWeight = (x, y) => zone(x, y, 0.54, 0.86)

function zone(x: number, y: number, from: number, to: number): number {
  return y < from || y > to ? 0 : Math.exp(-(((x - 0.5) / 0.17) ** 2))
}

/** The ground is seen between the legs of somebody who walks. */
const BETWEEN_LEGS = 2.2

/** Which colours the clothes of a standing person may have; undefined when the picture does not show one large enough. */
export function clothingColours(picture: RgbPicture): ClothingColours | undefined {
  const { width, height } = picture
  if (width < MIN_WIDTH || height < MIN_HEIGHT || height < MIN_RATIO * width) return undefined
  const colours = toColourPicture(picture)
  return { upper: colours.shares(upper), lower: withDenim(colours.shares(lower, { doubt: BETWEEN_LEGS })) }
}

const [blue, grey] = [colourNames.indexOf('blue'), colourNames.indexOf('grey')]
/** Grey cloth has hardly a blue pixel; where there are so many for a grey one, it is the grey that is washed out. */
const MIN_BLUE = 0.6
const WASHED_OUT = 0.4

/** Worn denim is blue in some pixels and nearly grey in its neighbours. */
function withDenim(shares: ColourShares): ColourShares {
  if (shares[blue]! < MIN_BLUE * shares[grey]!) return shares
  const moved = WASHED_OUT * shares[grey]!
  return shares.map((share, name) => (name === blue ? share + moved : name === grey ? share - moved : share))
}
