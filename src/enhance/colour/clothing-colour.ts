import { type RgbPicture } from '../picture/rgb-picture.ts'
import { type ColourShares, type PlaceWeight, toColourPicture } from './colour-shares.ts'

export interface ClothingColours {
  readonly upper: ColourShares
  readonly lower: ColourShares
}

/** Below it a leg is two pixels wide. */
const [narrowest, lowest] = [14, 36]
/** Somebody who sits, lies or is seen from above has no upper and lower part where we would look. */
const leastRatio = 1.35

/** In shares of a standing person's height: head and neck end at 0.17, feet begin at 0.9; a belt is somewhere between the zones. */
const upper: PlaceWeight = (x, y) => zone(x, y, 0.19, 0.45)
const lower: PlaceWeight = (x, y) => zone(x, y, 0.54, 0.86)

function zone(x: number, y: number, from: number, to: number): number {
  return y < from || y > to ? 0 : Math.exp(-(((x - 0.5) / 0.17) ** 2))
}

/** Which colours the clothes of a standing person may have; undefined when the picture does not show one large enough. */
export function clothingColours(picture: RgbPicture): ClothingColours | undefined {
  const { width, height } = picture
  if (width < narrowest || height < lowest || height < leastRatio * width) return undefined
  const colours = toColourPicture(picture)
  return { upper: colours.shares(upper), lower: colours.shares(lower) }
}
