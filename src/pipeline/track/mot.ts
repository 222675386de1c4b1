import { type Size } from '../../core/detection.ts'
import { type TrackerInput } from './live-track.ts'
import { createStageTracker, type TrackedModel } from './track-stage.ts'

export interface MotOptions {
  /** Frames a second of the video that the detections are from. */
  readonly fps: number
  /** Of its pictures, which the detections don't say. */
  readonly size?: Size | undefined
  /** What is known of the detector that they are from. */
  readonly model?: TrackedModel | undefined
}

/** Tracks are forgotten long before: frames without detections beyond this need no visit. */
const MAX_SILENCE_SECONDS = 10

/**
 * Tracks detections in the MOTChallenge form (`frame,-1,x,y,width,height,confidence,…`) and answers results in the same
 * (`frame,id,x,y,width,height,1,-1,-1,-1`): the confirmed tracks that were found in each frame. The tracker is the live one
 * and sees one frame after the other; only the scale of confidences is taken from the whole file.
 */
export function trackMot(text: string, { fps, size, model }: MotOptions): string {
  if (!(fps > 0 && fps < Infinity)) throw new RangeError(`The frame rate must be a positive number, not ${fps}.`)
  const frames = readMotDetections(text)
  const numbers = [...frames.keys()].sort((a, b) => a - b)
  const tracker = createStageTracker(1, null, model)
  const lines: string[] = []
  let silence = 0
  let frame = numbers[0] ?? 0
  for (let next = 0; next < numbers.length; frame++) {
    const isSilent = frame !== numbers[next]
    silence = isSilent ? silence + 1 : 0
    if (silence > MAX_SILENCE_SECONDS * fps) frame = numbers[next]!
    const detections = frames.get(frame) ?? []
    const tracks = tracker.update({ timeMs: (frame * 1000) / fps, detections, size })
    for (const { id, box, isConfirmed, matchedNow } of tracks) {
      if (!isConfirmed || !matchedNow) continue
      const place = [box.x, box.y, box.width, box.height].map((value) => value.toFixed(2))
      lines.push([frame, id, ...place, 1, -1, -1, -1].join(','))
    }
    if (frame === numbers[next]) next++
  }
  return lines.map((line) => `${line}\n`).join('')
}

/** The detections of each frame, in the order of the file, with confidences brought to 0..1. */
export function readMotDetections(text: string): Map<number, TrackerInput[]> {
  const rows: { frame: number; values: number[] }[] = []
  text.split('\n').forEach((line, index) => {
    if (line.trim() !== '') rows.push(parseLine(line, index + 1))
  })
  const toUnit = confidenceScale(rows.map(({ values }) => values[4] ?? 1))
  const frames = new Map<number, TrackerInput[]>()
  for (const { frame, values } of rows) {
    const [x, y, width, height, confidence = 1] = values as [number, number, number, number, number?]
    const detections = frames.get(frame) ?? []
    detections.push({ box: { x, y, width, height }, confidence: toUnit(confidence), classId: 0, className: 'object' })
    frames.set(frame, detections)
  }
  return frames
}

function parseLine(line: string, lineNumber: number): { frame: number; values: number[] } {
  const fail = (problem: string): never => {
    throw new Error(`Line ${lineNumber} ${problem}; a detection reads "frame,-1,x,y,width,height,confidence".`)
  }
  const fields = line.split(',').map((field) => field.trim())
  if (fields.length < 6) fail(`has ${fields.length} fields where at least 6 are needed`)
  const frame = Number(fields[0])
  if (fields[0] === '' || !Number.isSafeInteger(frame) || frame < 0)
    fail(`starts with "${fields[0]}", which is no frame number`)
  const values = fields.slice(2, 7).map((field) => {
    // A detector's NaN is one lost box; anything else that is no number makes it another kind of file.
    if (/^[+-]?(nan|inf(inity)?)$/i.test(field)) return NaN
    const value = Number(field)
    if (field === '' || Number.isNaN(value)) fail(`has "${field}" where a number is needed`)
    return value
  })
  return { frame, values }
}

/**
 * How to bring a file's confidences to 0..1. Probabilities stay as they are. Other scores (boosting sums, SVM margins,
 * percents) have no common scale, so their rank decides: the lowest becomes 0.4, the highest 1. If all are the same,
 * as where a file says -1 for "not known", all are taken as certain.
 */
function confidenceScale(confidences: readonly number[]): (confidence: number) => number {
  const sorted = Float64Array.from(confidences.filter(Number.isFinite)).sort()
  const min = sorted[0] ?? 1
  const max = sorted.at(-1) ?? 1
  if (min === max && (min < 0 || min > 1)) return () => 1
  if (min >= 0 && max <= 1) return (confidence) => confidence
  return (confidence) => (Number.isNaN(confidence) ? NaN : 0.4 + 0.6 * (upperRank(sorted, confidence) / sorted.length))
}

/** How many of the sorted values are not above `value`. */
function upperRank(sorted: Float64Array, value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! <= value) low = middle + 1
    else high = middle
  }
  return low
}
