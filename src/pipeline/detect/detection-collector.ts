import { type Detection } from '../../core/detection.ts'
import { type Letterbox, toInputBox } from './letterbox.ts'
import { type DecoderOptions } from './model-family.ts'
import { createSuppressor, suppressionGroups } from './non-max-suppression.ts'

/** The bound on what is compared with each other in one picture (or tile). */
const MAX_CANDIDATES = 1000
/** The bound on detections in one picture (or tile). */
const MAX_DETECTIONS = 300

/** What every family ends with: the surest candidates of the wanted classes, each object once, in input pixels. */
export interface DetectionCollector {
  /** Takes a candidate by the corners of its box on the canvas. `place` is that of its class in the model's output. */
  offer(score: number, place: number, left: number, top: number, right: number, bottom: number): void
  /** The detections among what was offered since the last time, the surest first. */
  finish(letterbox: Letterbox): Detection[]
}

interface Candidate {
  readonly score: number
  readonly place: number
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

type CollectorOptions = Pick<DecoderOptions, 'classes' | 'confidence' | 'wanted' | 'maxOverlap' | 'maxCovered'>

export function createCollector(options: CollectorOptions): DetectionCollector {
  const { classes, confidence, wanted, maxOverlap, maxCovered } = options
  const groups = suppressionGroups(classes.map((known) => known?.name))
  const isWanted = classes.map((known) => known !== undefined && (wanted?.includes(known.name) ?? true))
  // Boxes never overlap by more than 1: all of them stay.
  const suppressor = createSuppressor(MAX_DETECTIONS, maxOverlap ?? 1, maxCovered)
  let candidates: Candidate[] = []

  return {
    offer(score, place, left, top, right, bottom) {
      if (score >= confidence && isWanted[place]) candidates.push({ score, place, left, top, right, bottom })
    },
    finish(letterbox) {
      const ranked = candidates.sort((a, b) => b.score - a.score).slice(0, MAX_CANDIDATES)
      candidates = []
      suppressor.clear()
      const detections: Detection[] = []
      for (const { score, place, left, top, right, bottom } of ranked) {
        if (!suppressor.offer(groups[place]!, left, top, right, bottom)) continue
        const box = toInputBox(letterbox, left, top, right, bottom)
        // A box that lies on the padding alone shows nothing of the picture; one that is not a number shows nothing at all.
        if (!(box.width > 0 && box.height > 0)) continue
        const { id, name } = classes[place]!
        // A network whose last activation was left out of its export answers more than 1.
        detections.push({ box, confidence: Math.min(1, score), classId: id, className: name })
      }
      return detections
    },
  }
}
