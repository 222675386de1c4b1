import { assign, type Candidate } from './assignment.ts'
import { overlapOf } from './box.ts'
import { type LiveTrack, type TrackerInput } from './live-track.ts'
import { type TrackerOptions } from './tracker-options.ts'

export interface Pair {
  readonly track: LiveTrack
  readonly detection: TrackerInput
}

interface JoinRules {
  readonly minOverlap: number
  /** Pairs that may be joined at all. */
  readonly isAllowed: (track: LiveTrack, detection: TrackerInput) => boolean
}

/** A track in a heap of boxes weighs only this many of them, the best. */
const MAX_CHOICES = 20

/** The time at which tracks and detections are joined. */
export interface JoinMoment {
  readonly nowMs: number
  /** Since the frame before. */
  readonly seconds: number
  /** Between frames. */
  readonly typicalSeconds: number
}

export interface Joined {
  readonly pairs: readonly Pair[]
  /** Detections that no track has, in their order. */
  readonly unmatched: readonly TrackerInput[]
}

/** A detection that can continue the track wherever it fits, not only where the track was just seen. */
export function isStrong(track: LiveTrack, { confidence }: TrackerInput, { strongShare }: TrackerOptions): boolean {
  return confidence >= strongShare * track.typicalConfidence
}

/** Strong detections go to known tracks first, weak ones to those just seen, and what is left to the tentative ones. */
export function joinInRounds(
  tracks: readonly LiveTrack[],
  detections: readonly TrackerInput[],
  { nowMs, seconds, typicalSeconds }: JoinMoment,
  options: TrackerOptions,
): Joined {
  const { minOverlap, minWeakOverlap, weakShare } = options
  const weakAfterMs = 1000 * Math.max(options.weakAfterSeconds, 2 * typicalSeconds)
  const isWeakAtLeast = (track: LiveTrack, { confidence }: TrackerInput) =>
    confidence >= weakShare * track.typicalConfidence
  const rounds: [isMeant: (track: LiveTrack) => boolean, rules: JoinRules][] = [
    [({ id }) => id > 0, { minOverlap, isAllowed: (track, detection) => isStrong(track, detection, options) }],
    [
      ({ id, seenMs }) => id > 0 && nowMs - seenMs <= weakAfterMs,
      { minOverlap: minWeakOverlap, isAllowed: isWeakAtLeast },
    ],
    [({ id }) => id === 0, { minOverlap, isAllowed: isWeakAtLeast }],
  ]
  const pairs: Pair[] = []
  const done = new Set<LiveTrack | TrackerInput>()
  let unmatched = detections
  for (const [isMeant, rules] of rounds) {
    const waiting = tracks.filter((track) => !done.has(track) && isMeant(track))
    for (const pair of join(waiting, unmatched, rules, seconds, options)) {
      pairs.push(pair)
      done.add(pair.track).add(pair.detection)
    }
    unmatched = unmatched.filter((detection) => !done.has(detection))
  }
  return { pairs, unmatched }
}

/** Joins tracks with detections so that they overlap best in all; what overlaps too little stays alone. */
function join(
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
