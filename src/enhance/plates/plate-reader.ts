import { type Box, type Size } from '../../core/detection.ts'
import { heightOf, widen, widthOf } from '../picture/quad.ts'
import { type RgbPicture } from '../picture/rgb-picture.ts'
import { wholeOf } from '../picture/scale-picture.ts'
import { loadOcrWeights } from './ocr-weights.ts'
import { type PlateCandidate, plateCandidates, type TextLine } from './plate-candidates.ts'
import { type PlateReading } from './plate-vote.ts'
import { type TextBox } from './text-boxes.ts'
import { openTextDetector, type TextDetector } from './text-detector.ts'
import { openTextRecogniser, type TextRecogniser } from './text-recogniser.ts'

/** Reads the plate of a vehicle that fills the picture. */
export interface PlateReader {
  /**
   * Each look at what is likeliest the plate; none where there is nothing like one. `isThorough`: look closer where nothing good
   * was found, which takes three times as long.
   */
  read(picture: RgbPicture, isThorough: boolean): Promise<PlateReading[]>
  close(): Promise<void>
}

/** To how many pixels the longer side is scaled, look by look; small pictures are enlarged, but only so many times. */
const usualSide = 736
const closerSides = [1280, 1920]
const mostEnlarged = 3
/** Lines that are read in one look: more text than that is writing on the vehicle. */
const mostLines = 10
/** Below it a candidate is none, and from the other on nothing better is looked for. */
const leastScore = 0.12
const goodScore = 0.58

/** Throws a `WeightsError`. */
export async function openPlateReader(): Promise<PlateReader> {
  const weights = await loadOcrWeights()
  const models = { detector: await openTextDetector(weights.detection), recogniser: await openTextRecogniser(weights) }
  return {
    async read(picture, isThorough) {
      const best = await findPlate(models, picture, isThorough)
      return best ? readAgain(models, picture, best) : []
    },
    async close() {
      await models.detector.close()
      await models.recogniser.close()
    },
  }
}

interface Models {
  readonly detector: TextDetector
  readonly recogniser: TextRecogniser
}

async function findPlate(
  models: Models,
  picture: RgbPicture,
  isThorough: boolean,
): Promise<PlateCandidate | undefined> {
  const longest = Math.max(picture.width, picture.height)
  let best: PlateCandidate | undefined
  for (const side of isThorough ? [usualSide, ...closerSides] : [usualSide]) {
    // A closer look at not many more pixels than before shows nothing new.
    if (side > usualSide && side > 1.5 * longest) break
    const found = await look(models, picture, wholeOf(picture), Math.min(side, mostEnlarged * longest))
    if (found && found.score > (best?.score ?? 0)) best = found
    if (best && best.score >= goodScore) break
  }
  return best
}

/** A second look from near finds the plate's edges better than the first, for which it was small. Where they differ a third decides. */
async function readAgain(models: Models, picture: RgbPicture, first: PlateCandidate): Promise<PlateReading[]> {
  const region = around(first, picture)
  const height = Math.max(...first.lines.map(({ quad }) => heightOf(quad)))
  // Characters become about as high as those that the model was trained on.
  const side = Math.min(480, Math.max(160, (Math.max(region.width, region.height) * 56) / height))
  const second = await look(models, picture, region, side)
  const looks = [first, second]
  if (second?.text !== first.text) looks.push(await readLonger(models, picture, second ?? first))
  return looks.flatMap((seen) => (seen ? [{ characters: seen.characters, weight: seen.score }] : []))
}

/** A box that is too short cuts characters off at its ends. */
async function readLonger(
  { recogniser }: Models,
  picture: RgbPicture,
  { lines }: PlateCandidate,
): Promise<PlateCandidate | undefined> {
  const longer: TextLine[] = []
  for (const { quad } of lines) {
    const wide = widen(quad, 0.35 * heightOf(quad), 0.05 * heightOf(quad))
    longer.push({ quad: wide, read: await recogniser.read(picture, wide) })
  }
  return plateCandidates(longer, picture).find((candidate) => candidate.lines.length === lines.length)
}

/** The likeliest plate in a part of the picture. */
async function look(
  { detector, recogniser }: Models,
  picture: RgbPicture,
  region: Box,
  longSide: number,
): Promise<PlateCandidate | undefined> {
  const lines: TextLine[] = []
  for (const { quad } of largest(await detector.find(picture, region, longSide)))
    lines.push({ quad, read: await recogniser.read(picture, quad) })
  const best = plateCandidates(lines, picture)[0]
  return best && best.score >= leastScore ? best : undefined
}

/** What is much higher than wide is not read. */
function largest(boxes: readonly TextBox[]): TextBox[] {
  const sizeOf = ({ quad }: TextBox) => heightOf(quad) * Math.sqrt(widthOf(quad))
  return boxes
    .filter(({ quad }) => widthOf(quad) > 0.7 * heightOf(quad))
    .sort((a, b) => sizeOf(b) - sizeOf(a))
    .slice(0, mostLines)
}

/** The candidate with room around it. */
function around({ lines }: PlateCandidate, picture: Size): Box {
  const points = lines.flatMap(({ quad }) => [...quad])
  const margin = Math.max(...lines.map(({ quad }) => heightOf(quad)))
  const within = (value: number, most: number) => Math.min(most, Math.max(0, Math.round(value)))
  const left = within(Math.min(...points.map(({ x }) => x)) - 1.5 * margin, picture.width - 1)
  const top = within(Math.min(...points.map(({ y }) => y)) - margin, picture.height - 1)
  const right = within(Math.max(...points.map(({ x }) => x)) + 1.5 * margin, picture.width)
  const bottom = within(Math.max(...points.map(({ y }) => y)) + margin, picture.height)
  return { x: left, y: top, width: Math.max(1, right - left), height: Math.max(1, bottom - top) }
}
