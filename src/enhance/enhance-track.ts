import { type PictureLimit } from '../core/picture-limit.ts'
import { clothingColours } from './colour/clothing-colour.ts'
import { vehicleColours } from './colour/vehicle-colour.ts'
import { type Enhanced, type EnhancedData, MAX_PICTURES, nothingFound, type TrackToEnhance } from './messages.ts'
import { hasPlate } from '../core/detection.ts'
import { type ColourOpinion, voteColour } from './colour/colour-shares.ts'
import { estimatedSizeM, familyOf, flyingDistanceM, flyingKind, vehicleType } from './object-kind.ts'
import { PictureError, readPicture } from './picture/read-picture.ts'
import { type RgbPicture } from './picture/rgb-picture.ts'
import { type PlateReader } from './plates/plate-reader.ts'
import { readTrackPlate } from './plates/track-plate.ts'

export interface EnhanceDeps {
  /** Called only when a plate is to be read; may throw a `WeightsError`. */
  readonly plateReader: () => Promise<PlateReader>
  /** Larger pictures are refused. */
  readonly maxPicture: PictureLimit
}

/** A picture of a track, and how much it says. */
interface SeenPicture {
  readonly picture: RgbPicture
  readonly weight: number
}

/** Finds out what it can about a track; class and size say something also when none of its pictures can be read. */
export async function enhanceTrack(track: TrackToEnhance, { plateReader, maxPicture }: EnhanceDeps): Promise<Enhanced> {
  const family = familyOf(track.className)
  const known = {
    ...nothingFound,
    vehicle_type: vehicleType(track),
    kind: flyingKind(track.className),
    estimated_size_m: estimatedSizeM(track),
    distance_m: flyingDistanceM(track),
  }
  // Pixels say nothing of the others that we could read.
  if (family !== 'vehicle' && family !== 'person') return { data: known, needsPictures: false }

  const { pictures, failure } = await readAll(
    track,
    hasPlate(track.className) ? MAX_PICTURES : MAX_FOR_COLOUR,
    maxPicture,
  )
  if (pictures.length === 0) {
    const unread = failure ?? 'The track has no pictures.'
    return { data: known, needsPictures: true, unread }
  }
  if (family === 'person') return { data: { ...known, ...clothesOf(pictures) }, needsPictures: true }
  const opinions = surest(pictures).flatMap(({ picture, weight }): ColourOpinion[] => {
    const shares = vehicleColours(picture)
    return shares ? [{ shares, weight }] : []
  })
  const color = opinions.length > 0 ? voteColour(opinions) : null
  const plate = hasPlate(track.className)
    ? await readTrackPlate(
        pictures.map(({ picture }) => picture),
        plateReader,
      )
    : null
  return { data: { ...known, color, plate }, needsPictures: true }
}

/** Colours are read from so many pictures: the next say little more, and cost as much. */
const MAX_FOR_COLOUR = 3

function surest(pictures: readonly SeenPicture[]): SeenPicture[] {
  return [...pictures].sort((a, b) => b.weight - a.weight).slice(0, MAX_FOR_COLOUR)
}

function clothesOf(pictures: readonly SeenPicture[]): Pick<EnhancedData, 'upper_color' | 'lower_color'> {
  const seen = surest(pictures).flatMap(({ picture, weight }) => {
    const colours = clothingColours(picture)
    return colours ? [{ ...colours, weight }] : []
  })
  if (seen.length === 0) return { upper_color: null, lower_color: null }
  return {
    upper_color: voteColour(seen.map(({ upper, weight }) => ({ shares: upper, weight }))),
    lower_color: voteColour(seen.map(({ lower, weight }) => ({ shares: lower, weight }))),
  }
}

/** Largest first, since most can be read in it. One that is broken or gone is left out; `failure` says why the first one was. */
async function readAll(
  { pictures }: TrackToEnhance,
  maxPictures: number,
  maxPicture: PictureLimit,
): Promise<{ pictures: SeenPicture[]; failure: string | undefined }> {
  const read: SeenPicture[] = []
  let failure: string | undefined
  // The patch is the best of all that were seen.
  const ordered = [...pictures].sort(
    (a, b) => Number(b.role === 'patch') - Number(a.role === 'patch') || b.confidence - a.confidence,
  )
  for (const { file, confidence } of ordered) {
    if (read.length === maxPictures) break
    try {
      const picture = await readPicture(file, maxPicture)
      const size = Math.min(1, Math.min(picture.width, picture.height) / 64)
      read.push({ picture, weight: Math.max(0.05, confidence) * size })
    } catch (error) {
      if (!(error instanceof PictureError)) throw error
      failure ??= error.message
    }
  }
  read.sort((a, b) => b.picture.width * b.picture.height - a.picture.width * a.picture.height)
  return { pictures: read, failure }
}
