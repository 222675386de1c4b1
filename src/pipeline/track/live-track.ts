import { type Box } from '../../core/detection.ts'
import { centreOf } from './box.ts'
import { type ClassVote, createClassVote } from './class-vote.ts'
import { type Point } from './corners.ts'
import { createMotionFilter, type MotionFilter } from './motion-filter.ts'

/** What the tracker needs of a detection. */
export interface TrackerInput {
  readonly box: Box
  /** 0 to 1. */
  readonly confidence: number
  readonly classId: number
  readonly className: string
}

/** The tracker's own notes on one object. */
export interface LiveTrack {
  /** 0 until the track is believed for the first time. */
  id: number
  bornMs: number
  /** Centres of its first detection and of its newest, carried along with the camera. */
  firstPlace: Point
  lastPlace: Point
  readonly filter: MotionFilter
  readonly vote: ClassVote
  /** Where the filter expects it now. */
  expected: Box
  /** The newest detection, and when it was made. */
  seen: TrackerInput
  seenMs: number
  hits: number
  /** Running mean of the confidences of its detections. */
  typicalConfidence: number
  evidence: number
  isConfirmed: boolean
}

/** The running mean forgets over this many detections. */
const CONFIDENCE_MEMORY = 10

export function createLiveTrack(seen: TrackerInput, timeMs: number): LiveTrack {
  const track: LiveTrack = {
    id: 0,
    bornMs: timeMs,
    firstPlace: centreOf(seen.box),
    lastPlace: centreOf(seen.box),
    filter: createMotionFilter(seen.box),
    vote: createClassVote(),
    expected: seen.box,
    seen,
    seenMs: timeMs,
    hits: 1,
    typicalConfidence: seen.confidence,
    evidence: 0,
    isConfirmed: false,
  }
  track.vote.add(seen.classId, seen.className, seen.confidence)
  return track
}

/** Answers how surprising the detection's place was; see `MotionFilter.correct`. */
export function continueTrack(track: LiveTrack, seen: TrackerInput, timeMs: number): number {
  const surprise = track.filter.correct(seen.box)
  track.expected = track.filter.box()
  track.vote.add(seen.classId, seen.className, seen.confidence)
  track.seen = seen
  track.seenMs = timeMs
  track.lastPlace = centreOf(seen.box)
  track.hits++
  track.typicalConfidence += (seen.confidence - track.typicalConfidence) / Math.min(track.hits, CONFIDENCE_MEMORY)
  return surprise
}
