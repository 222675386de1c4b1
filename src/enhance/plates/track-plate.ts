import { type Size } from '../../core/detection.ts'
import { type RgbPicture } from '../picture/rgb-picture.ts'
import { type PlateReader } from './plate-reader.ts'
import { type PlateReading, type PlateText, votePlate } from './plate-vote.ts'

/** A plate cannot be read in less; a plate's characters are then four pixels high. */
const [MIN_WIDTH, MIN_HEIGHT] = [48, 32]
/** No more is looked at once two pictures have agreed on a number that is so sure. */
const MIN_SURE_CONFIDENCE = 0.95
/** A number that is less sure is not reported. */
const MIN_CONFIDENCE = 0.4

/** The plate that several pictures of one vehicle, the largest first, agree on; null when there is none to be read. */
export async function readTrackPlate(
  pictures: readonly RgbPicture[],
  plateReader: () => Promise<PlateReader>,
): Promise<PlateText | null> {
  const readings: PlateReading[] = []
  const seen = new Map<string, number>()
  for (const [index, picture] of pictures.filter((one) => isWorthReading(one, pictures[0]!)).entries()) {
    // Where the largest shows nothing even from near, the others won't.
    const found = await (await plateReader()).read(picture, index === 0)
    readings.push(...found)
    const here = votePlate(found)
    if (!here || here.confidence < MIN_SURE_CONFIDENCE) continue
    const agreeing = (seen.get(here.text) ?? 0) + 1
    seen.set(here.text, agreeing)
    if (agreeing >= 2) break
  }
  const plate = votePlate(ofOneNumber(readings))
  if (!plate || plate.confidence < MIN_CONFIDENCE) return null
  return { text: plate.text, confidence: Math.round(plate.confidence * 1000) / 1000 }
}

/** What is much smaller than the largest shows nothing that the others don't. */
function isWorthReading({ width, height }: Size, largest: Size): boolean {
  return width >= MIN_WIDTH && height >= MIN_HEIGHT && width * height >= 0.2 * largest.width * largest.height
}

/**
 * In some pictures other writing was taken for the plate. Only readings are voted on that are rather like each other than not:
 * those around the one that most others are like.
 */
function ofOneNumber(readings: readonly PlateReading[]): readonly PlateReading[] {
  const texts = readings.map(({ characters }) => characters.map(({ character }) => character).join(''))
  const groups = texts.map((text) => readings.filter((_, index) => isAlike(text, texts[index]!)))
  const weightOf = (group: readonly PlateReading[]) => group.reduce((sum, { weight }) => sum + weight, 0)
  return groups.sort((a, b) => weightOf(b) - weightOf(a))[0] ?? []
}

/** At most half of the characters differ. */
function isAlike(a: string, b: string): boolean {
  return editDistance(a, b) <= Math.max(a.length, b.length) / 2
}

/** How many characters must be changed, added or removed (Levenshtein 1966). */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    row = next
  }
  return row[b.length]!
}
