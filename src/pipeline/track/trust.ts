import { type LiveTrack, type TrackerInput } from './live-track.ts'
import { type TrackerOptions } from './tracker-options.ts'

/** Weighs what speaks for a track and against it, and decides whether it is believed. */
export interface Trust {
  /** `seconds` since the frame before. */
  found(track: LiveTrack, detection: TrackerInput, seconds: number): void
  missed(track: LiveTrack, seconds: number): void
  /** The first detection of a track. */
  begun(track: LiveTrack): void
}

/** Frames closer than this (at 30 frames a second) show the same mistake twice: they are lesser witnesses. */
const independentSeconds = 1 / 30

/** `identify` returns the id of a known object that a new track turned out to be. */
export function createTrust(options: TrackerOptions, identify: (track: LiveTrack) => number | undefined): Trust {
  const { evidencePower, missingEvidence, lingeringEvidence, newTrackConfidence, maxEvidence } = options
  const typical = createTypicalConfidence(options.assumedConfidence)
  let nextId = options.firstId

  function settle(track: LiveTrack, evidence: number): void {
    track.evidence = Math.min(maxEvidence, Math.max(0, evidence))
    if (evidence >= options.confirmingEvidence) track.isConfirmed = true
    else if (evidence < options.doubtfulEvidence) track.isConfirmed = false
    if (track.isConfirmed && track.id === 0) track.id = identify(track) ?? nextId++
  }

  function found(track: LiveTrack, { classId, confidence }: TrackerInput, seconds: number): void {
    const likeness = Math.min(1, confidence / typical.of(classId)) ** evidencePower
    const gain = weightOf(seconds) * (likeness - missingEvidence * (1 - likeness))
    const minGain = confidence >= newTrackConfidence ? lingeringEvidence * seconds : -Infinity
    settle(track, track.evidence + Math.max(gain, minGain))
    if (track.isConfirmed) typical.learn(classId, confidence)
  }

  return {
    found,
    missed: (track, seconds) => settle(track, track.evidence - weightOf(seconds) * missingEvidence),
    begun: (track) => found(track, track.seen, independentSeconds),
  }
}

/** What a frame counts as a witness, 0 to 1. */
function weightOf(seconds: number): number {
  return Math.min(1, seconds / independentSeconds)
}

/**
 * The confidence that a detector usually gives to true objects of a class. Detectors differ (one says 0.98 where another
 * says 0.55), and so do classes; by this scale "confident" means the same for all.
 */
interface TypicalConfidence {
  of(classId: number): number
  /** A detection of an object that is believed in. */
  learn(classId: number, confidence: number): void
}

/** For how many detections' worth something is assumed at first. */
const ASSUMED_WEIGHT = 20
/** The older half of what was learnt counts half from here on, so that night follows day. */
const CONFIDENCE_MEMORY = 300

export function createTypicalConfidence(assumed: number): TypicalConfidence {
  const classes = new Map<number, { sum: number; count: number }>()
  const start = { sum: assumed * ASSUMED_WEIGHT, count: ASSUMED_WEIGHT }

  return {
    of(classId) {
      const { sum, count } = classes.get(classId) ?? start
      return sum / count
    },
    learn(classId, confidence) {
      const { sum, count } = classes.get(classId) ?? start
      const fade = count >= CONFIDENCE_MEMORY ? 0.5 : 1
      classes.set(classId, { sum: (sum + confidence) * fade, count: (count + 1) * fade })
    },
  }
}
