import { type Box, type Size } from '../../core/detection.ts'
import { heightOf, type Quad, widen, widthOf } from '../picture/quad.ts'
import { type RgbPicture } from '../picture/rgb-picture.ts'
import { wholeOf } from '../picture/scale-picture.ts'
import { loadOcrWeights, type OcrWeights } from './ocr-weights.ts'
import { type PlateCandidate, plateCandidates, type TextLine } from './plate-candidates.ts'
import { type PlateReading } from './plate-vote.ts'
import { type TextBox } from './text-boxes.ts'
import { openTextDetector, type TextDetector } from './text-detector.ts'
import { openTextRecogniser, type TextRecogniser } from './text-recogniser.ts'

/** Reads the plate of a vehicle that fills the picture. */
export interface PlateReader {
  /** Each look at what is likeliest the plate; none where there is nothing like one. */
  read(picture: RgbPicture): Promise<PlateReading[]>
  close(): Promise<void>
}

/** The text model's usual view. Small pictures are enlarged, but no more than so many times. */
const usualSide = 736
const mostEnlarged = 4
/** A closer look, for large pictures in which nothing was found. */
const closerSide = 1280
/** Lines that are read in one look: more text than that is writing on the vehicle. */
const mostLines = 10
/** Below it a candidate is none. */
const leastScore = 0.12
/** From it on nothing better is looked for in the picture. */
const goodScore = 0.5

export async function openPlateReader(weights?: OcrWeights): Promise<PlateReader> {
  const loaded = weights ?? (await loadOcrWeights())
  const detector = await openTextDetector(loaded.detection)
  const recogniser = await openTextRecogniser(loaded)
  return {
    async read(picture) {
      const look = (region: Box, longSide: number) => lookAt({ detector, recogniser, picture }, region, longSide)
      const longest = Math.max(picture.width, picture.height)
      const candidates = await look(wholeOf(picture), Math.min(usualSide, mostEnlarged * longest))
      if ((candidates[0]?.score ?? 0) < goodScore && longest > 1.2 * usualSide)
        candidates.push(...(await look(wholeOf(picture), Math.min(closerSide, longest))))
      const best = likeliestOf(candidates)
      if (!best) return []
      const looks = [best, likeliestOf(await look(around(best, picture), closeUpSide(best, picture)))]
      // A box that is too short cuts characters off; a third look at a longer one decides.
      if (looks[1]?.text !== best.text) looks.push(await lengthened(looks.at(-1) ?? best, recogniser, picture))
      return looks.flatMap((seen) => (seen ? [{ characters: seen.characters, weight: seen.score }] : []))
    },
    async close() {
      await detector.close()
      await recogniser.close()
    },
  }
}

interface Look {
  readonly detector: TextDetector
  readonly recogniser: TextRecogniser
  readonly picture: RgbPicture
}

async function lookAt(
  { detector, recogniser, picture }: Look,
  region: Box,
  longSide: number,
): Promise<PlateCandidate[]> {
  const boxes = await detector.find(picture, region, longSide)
  const lines: TextLine[] = []
  for (const { quad } of likeliest(boxes)) lines.push({ quad, read: await recogniser.read(picture, quad) })
  return plateCandidates(lines, picture)
}

/** Large text first; what is much higher than wide is not read. */
function likeliest(boxes: readonly TextBox[]): TextBox[] {
  return boxes
    .filter(({ quad }) => widthOf(quad) > 0.7 * heightOf(quad))
    .sort((a, b) => heightOf(b.quad) * Math.sqrt(widthOf(b.quad)) - heightOf(a.quad) * Math.sqrt(widthOf(a.quad)))
    .slice(0, mostLines)
}

function likeliestOf(candidates: readonly PlateCandidate[]): PlateCandidate | undefined {
  const best = [...candidates].sort((a, b) => b.score - a.score)[0]
  return best && best.score >= leastScore ? best : undefined
}

async function lengthened(
  { lines }: PlateCandidate,
  recogniser: TextRecogniser,
  picture: RgbPicture,
): Promise<PlateCandidate | undefined> {
  const longer: TextLine[] = []
  for (const { quad } of lines) {
    const wide = widen(quad, 0.35 * heightOf(quad), 0.05 * heightOf(quad))
    longer.push({ quad: wide, read: await recogniser.read(picture, wide) })
  }
  return likeliestOf(plateCandidates(longer, picture).filter((candidate) => candidate.lines.length === lines.length))
}

/** The candidate with room around it: a second look finds its edges better than the first, for which it was small. */
function around({ lines }: PlateCandidate, picture: Size): Box {
  const points = lines.flatMap(({ quad }): Quad[number][] => [...quad])
  const margin = Math.max(...lines.map(({ quad }) => heightOf(quad)))
  const left = Math.max(0, Math.floor(Math.min(...points.map(({ x }) => x)) - 1.5 * margin))
  const top = Math.max(0, Math.floor(Math.min(...points.map(({ y }) => y)) - margin))
  const right = Math.min(picture.width, Math.ceil(Math.max(...points.map(({ x }) => x)) + 1.5 * margin))
  const bottom = Math.min(picture.height, Math.ceil(Math.max(...points.map(({ y }) => y)) + margin))
  return { x: left, y: top, width: Math.max(1, right - left), height: Math.max(1, bottom - top) }
}

/** Characters about as high as those that the model was trained on. */
function closeUpSide({ lines }: PlateCandidate, picture: Size): number {
  const region = around({ lines } as PlateCandidate, picture)
  const height = Math.max(...lines.map(({ quad }) => heightOf(quad)))
  return Math.min(480, Math.max(160, (Math.max(region.width, region.height) * 56) / height))
}
