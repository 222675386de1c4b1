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
const DEFAULT_SIDE = 736
const closerSides = [1280, 1920]
const MAX_ENLARGED = 3
/** Lines that are read in one look: more text than that is writing on the vehicle. */
const MAX_LINES = 10
/** Below it a candidate is none, and from the other on nothing better is looked for. */
const MIN_SCORE = 0.12
const MIN_GOOD_SCORE = 0.58
/** Shorter ones are as often a model's or an engine's name: a better one is looked for nevertheless. */
const MIN_GOOD_LENGTH = 6
/** Of larger pictures the quarters are looked at too: a plate on a photo of the whole street has only some pixels left in the whole. */
const MIN_LARGE_SIDE = 2400
/** How much quarters overlap, so that no plate is cut. */
const OVERLAP = 0.1

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
  const longerSide = Math.max(picture.width, picture.height)
  let best: PlateCandidate | undefined
  for (const side of isThorough ? [DEFAULT_SIDE, ...closerSides] : [DEFAULT_SIDE]) {
    // A closer look at not many more pixels than before shows nothing new.
    if (side > DEFAULT_SIDE && side > 1.5 * longerSide) break
    const found = await look(models, picture, wholeOf(picture), Math.min(side, MAX_ENLARGED * longerSide))
    if (found && found.score > (best?.score ?? 0)) best = found
    if (isGood(best)) break
  }
  if (isThorough && longerSide >= MIN_LARGE_SIDE && !isGood(best)) {
    for (const quarter of quartersOf(picture)) {
      const found = await look(models, picture, quarter, closerSides.at(-1)!)
      if (found && found.score > (best?.score ?? 0)) best = found
    }
  }
  return best
}

function isGood(candidate: PlateCandidate | undefined): boolean {
  return candidate !== undefined && candidate.score >= MIN_GOOD_SCORE && candidate.text.length >= MIN_GOOD_LENGTH
}

function quartersOf(picture: Size): Box[] {
  const [width, height] = [
    Math.ceil((0.5 + OVERLAP / 2) * picture.width),
    Math.ceil((0.5 + OVERLAP / 2) * picture.height),
  ]
  const corners = [
    [0, picture.height - height],
    [picture.width - width, picture.height - height],
    [0, 0],
    [picture.width - width, 0],
  ] as const
  return corners.map(([x, y]) => ({ x, y, width, height }))
}

/** A second look from near finds the plate's edges better than the first, for which it was small. Where they differ a third decides. */
async function readAgain(models: Models, picture: RgbPicture, first: PlateCandidate): Promise<PlateReading[]> {
  const region = around(first, picture)
  const height = Math.max(...first.lines.map(({ quad }) => heightOf(quad)))
  // Characters become about as high as those that the model was trained on.
  const side = Math.min(480, Math.max(160, (Math.max(region.width, region.height) * 56) / height))
  const second = await look(models, picture, region, side)
  const looks = [first, second]
  if (second?.text !== first.text) looks.push(await readLonger(models, picture, second ?? first, 0.35))
  const nearest = second ?? first
  const longer = await readLonger(models, picture, nearest, 0.9)
  if (longer && isCutOff(nearest, longer)) return [longer, longer].map(toReading)
  return looks.flatMap((seen) => (seen ? [toReading(seen)] : []))
}

function toReading({ characters, score }: PlateCandidate): PlateReading {
  return { characters, weight: score }
}

/** A box that is too short cuts characters off at its ends; `by` so many heights it is made longer at each. */
async function readLonger(
  { recogniser }: Models,
  picture: RgbPicture,
  { lines }: PlateCandidate,
  by: number,
): Promise<PlateCandidate | undefined> {
  const longer: TextLine[] = []
  for (const { quad } of lines) {
    const wide = widen(quad, by * heightOf(quad), 0.05 * heightOf(quad))
    const lead = by > 0.5 ? (by * heightOf(quad)) / widthOf(wide) : 0
    longer.push({ quad: wide, read: await recogniser.read(picture, wide, lead) })
  }
  return plateCandidates(longer, picture).find((candidate) => candidate.lines.length === lines.length)
}

/** Characters beyond the ends of a box are believed only if they are sure, and no stroke that could be the plate's edge. */
const SURE_BEYOND = 0.85
const MAX_BEYOND = 2

/** Whether the longer reading goes on where the shorter one ends, and is as much a plate. */
function isCutOff(shorter: PlateCandidate, longer: PlateCandidate): boolean {
  const at = longer.text.indexOf(shorter.text)
  const extra = longer.characters.length - shorter.characters.length
  if (at < 0 || extra < 1 || extra > MAX_BEYOND || longer.score < 0.9 * shorter.score) return false
  const beyond = longer.characters.filter((_, index) => index < at || index >= at + shorter.characters.length)
  return beyond.every(({ character, confidence }) => confidence >= SURE_BEYOND && !'I1LJ'.includes(character))
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
  return best && best.score >= MIN_SCORE ? best : undefined
}

/** What is much higher than wide is not read. */
function largest(boxes: readonly TextBox[]): TextBox[] {
  const sizeOf = ({ quad }: TextBox) => heightOf(quad) * Math.sqrt(widthOf(quad))
  return boxes
    .filter(({ quad }) => widthOf(quad) > 0.7 * heightOf(quad))
    .sort((a, b) => sizeOf(b) - sizeOf(a))
    .slice(0, MAX_LINES)
}

/** The candidate with room around it. */
function around({ lines }: PlateCandidate, picture: Size): Box {
  const points = lines.flatMap(({ quad }) => [...quad])
  const margin = Math.max(...lines.map(({ quad }) => heightOf(quad)))
  const within = (value: number, max: number) => Math.min(max, Math.max(0, Math.round(value)))
  const left = within(Math.min(...points.map(({ x }) => x)) - 1.5 * margin, picture.width - 1)
  const top = within(Math.min(...points.map(({ y }) => y)) - margin, picture.height - 1)
  const right = within(Math.max(...points.map(({ x }) => x)) + 1.5 * margin, picture.width)
  const bottom = within(Math.max(...points.map(({ y }) => y)) + margin, picture.height)
  return { x: left, y: top, width: Math.max(1, right - left), height: Math.max(1, bottom - top) }
}
