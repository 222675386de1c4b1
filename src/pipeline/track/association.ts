import { assign, type Candidate } from './assignment.ts'
import { overlapOf } from './box.ts'
import { type LiveTrack, type TrackerInput } from './live-track.ts'
import { type TrackerOptions } from './tracker-options.ts'

export interface Pair {
  readonly track: LiveTrack
  readonly detection: TrackerInput
}

export interface JoinRules {
  readonly minOverlap: number
  /** Pairs that may be joined at all. */
  readonly isAllowed: (track: LiveTrack, detection: TrackerInput) => boolean
}

/** A track in a heap of boxes weighs only this many of them, the best. */
const MAX_CHOICES = 20

/** Joins tracks with detections so that they overlap best in all; what overlaps too little stays alone. */
export function join(
  tracks: readonly LiveTrack[],
  detections: readonly TrackerInput[],
  { minOverlap, isAllowed }: JoinRules,
  seconds: number,
  options: TrackerOptions,
): Pair[] {
  const { marginDeviations, confidenceShare, classPenalty } = options
  const maxMargin = options.maxMargin + options.marginRate * seconds
  const candidates: Candidate[] = []
  for (let row = 0; row < tracks.length; row++) {
    const track = tracks[row]!
    const { filter, expected, vote } = track
    // The less is known of where it went, the farther it may be: after a gap, at a low frame rate, when just born.
    const margin = Math.min(marginDeviations * filter.centreDeviation, maxMargin * filter.size)
    const choices: Candidate[] = []
    for (let column = 0; column < detections.length; column++) {
      const detection = detections[column]!
      const overlap = overlapOf(expected, detection.box, margin)
      if (overlap < minOverlap || !isAllowed(track, detection)) continue
      const kept = overlap * (1 - classPenalty * (1 - vote.shareOf(detection.classId)))
      if (kept < minOverlap) continue
      const score = kept * (1 - confidenceShare * (1 - detection.confidence))
      choices.push({ row, column, score })
    }
    if (choices.length > MAX_CHOICES) choices.sort((a, b) => b.score - a.score).length = MAX_CHOICES
    candidates.push(...choices)
  }
  return assign(candidates).map(({ row, column }) => ({ track: tracks[row]!, detection: detections[column]! }))
}

/** The usable detections, the most confident first, each object once, no more than `limit`. */
export function selectDetections(
  detections: readonly TrackerInput[],
  { minConfidence, duplicateOverlap, limit }: TrackerOptions,
  isUsable: (detection: TrackerInput) => boolean,
): TrackerInput[] {
  const ranked = detections
    .filter((detection) => detection.confidence >= minConfidence && isUsable(detection))
    .sort((a, b) => b.confidence - a.confidence)
    .slice(0, limit)
  const kept: TrackerInput[] = []
  for (const detection of ranked) {
    if (!kept.some((other) => overlapOf(other.box, detection.box) > duplicateOverlap)) kept.push(detection)
  }
  return kept
}
