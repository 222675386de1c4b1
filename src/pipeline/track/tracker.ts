import { type Box, type Size } from '../../core/detection.ts'
import { isStrong, joinInRounds, selectDetections } from './association.ts'
import { isUsableBox } from './box.ts'
import { type CameraMotion } from './camera-motion.ts'
import { createFrameClock } from './frame-clock.ts'
import { continueTrack, createLiveTrack, type LiveTrack, type TrackerInput } from './live-track.ts'
import { describeTrack, moveTrack, type Track } from './track.ts'
import { defaultTrackerOptions, type TrackerOptions } from './tracker-options.ts'
import { findLost } from './reidentify.ts'
import { transformPoint } from './plane-transform.ts'
import { createTrust } from './trust.ts'
import { createMotionNoise } from './motion-noise.ts'

export interface TrackerFrame {
  /** When the frame was taken; only differences count. */
  readonly timeMs: number
  readonly detections: readonly TrackerInput[]
  /** From the frame of the last update to this one. */
  readonly cameraMotion?: CameraMotion
  /** How large the frame is, where that is known: nothing beyond it is looked for. */
  readonly size?: Size | undefined
}

export interface Tracker {
  /** The tracks after this frame, coasting ones included; those that were never believed are left out. */
  update(frame: TrackerFrame): Track[]
  /** Where something was found that is not yet believed. */
  listTentative(): Box[]
  /** Nothing has changed from the last update until then: it is as if no time had passed. */
  hold(timeMs: number): void
  /** The confirmed tracks, coasting ones included, where they are expected at another time, at most a second from the last update. */
  predictAt(timeMs: number): Track[]
}

/** The first predictions of a track are wild: they teach nothing about how things move. */
const HITS_TO_KNOW_VELOCITY = 4
const MAX_PREDICTION_SECONDS = 1
/** A track with this part of the confidence that true objects usually have is sure of its class. */
const SURE_SHARE = 0.9
/**
 * Gives detections an identity that survives from frame to frame. Frames may come at any rate and unevenly: prediction,
 * patience and trust go by elapsed time. Nothing looks ahead.
 */
export function createTracker(changes: Partial<TrackerOptions> = {}): Tracker {
  const options: TrackerOptions = { ...defaultTrackerOptions, ...changes }
  const clock = createFrameClock()
  const trust = createTrust(options, takeOver)
  const motionNoise = createMotionNoise()
  const sureConfidence = SURE_SHARE * options.assumedConfidence
  let tracks: LiveTrack[] = []
  let reported: Track[] = []
  let picture: Size | undefined
  /** For how long nothing changed. */
  let heldMs = 0

  /** A slow stream gives a track a second chance at least. */
  function isForgotten({ id, seenMs }: LiveTrack, typicalSeconds: number): boolean {
    const { coastSeconds, tentativeCoastSeconds } = options
    const patience =
      id > 0 ? Math.max(coastSeconds, 2.5 * typicalSeconds) : Math.max(tentativeCoastSeconds, 1.5 * typicalSeconds)
    return clock.nowMs - seenMs > 1000 * patience
  }

  function moveTracks(seconds: number, motion: CameraMotion | undefined): void {
    if (motion?.isCut) tracks = []
    for (const track of tracks) {
      track.filter.predict(seconds, motionNoise.value)
      if (motion) {
        track.filter.warp(motion.transform)
        track.firstPlace = transformPoint(motion.transform, track.firstPlace)
        track.lastPlace = transformPoint(motion.transform, track.lastPlace)
      }
      track.expected = track.filter.box()
    }
  }

  /** What was lost and turns up elsewhere is one object: the new track takes the place of the old. */
  function takeOver(heir: LiveTrack): number | undefined {
    const { reidentifyDistance } = options
    const lost = findLost(heir, tracks, { reidentifyDistance, sureConfidence, nowMs: clock.nowMs, picture })
    if (!lost) return undefined
    tracks = tracks.filter((track) => track !== lost)
    heir.bornMs = lost.bornMs
    heir.vote.takeOver(lost.vote)
    return lost.id
  }

  function continueWith(track: LiveTrack, detection: TrackerInput, seconds: number): void {
    const isReliable = track.isConfirmed && isStrong(track, detection, options) && track.hits >= HITS_TO_KNOW_VELOCITY
    const surprise = continueTrack(track, detection, clock.nowMs)
    if (isReliable) motionNoise.learn(surprise)
    trust.found(track, detection, seconds)
  }

  /** Returns the detections that belong to no track. */
  function continueTracks(detections: readonly TrackerInput[], seconds: number): readonly TrackerInput[] {
    const { nowMs, typicalSeconds } = clock
    const { pairs, unmatched } = joinInRounds(tracks, detections, { nowMs, seconds, typicalSeconds }, options)
    for (const { track, detection } of pairs) continueWith(track, detection, seconds)
    const found = new Set(pairs.map(({ track }) => track))
    for (const track of tracks) if (!found.has(track)) trust.missed(track, seconds)
    return unmatched
  }

  /** `detections`: the most confident first. */
  function beginTracks(detections: readonly TrackerInput[]): void {
    for (const detection of detections) {
      if (detection.confidence < options.newTrackConfidence || tracks.length >= options.limit) return
      const track = createLiveTrack(detection, clock.nowMs)
      trust.begun(track)
      tracks.push(track)
    }
  }

  return {
    update({ timeMs, detections, cameraMotion, size }) {
      picture = size
      const { seconds, isNewTimeline, typicalBefore } = clock.advance(timeMs - heldMs)
      if (isNewTimeline) tracks = []
      // After a long loss of the stream identities are anyone's guess: known tracks end before they could be joined.
      tracks = tracks.filter((track) => track.id === 0 || !isForgotten(track, typicalBefore))
      moveTracks(seconds, cameraMotion)
      const usable = selectDetections(detections, options, ({ box }) => isUsableBox(box))
      beginTracks(continueTracks(usable, seconds))
      tracks = tracks.filter((track) => !isForgotten(track, clock.typicalSeconds))
      const moment = { nowMs: clock.nowMs, seconds, cameraMotion, smoothing: options.smoothing }
      reported = tracks.filter(({ id }) => id > 0).map((track) => describeTrack(track, moment))
      return reported
    },

    listTentative: () => tracks.filter(({ id }) => id === 0).map(({ seen }) => seen.box),

    hold(timeMs) {
      heldMs = Math.max(heldMs, timeMs - clock.nowMs)
    },

    predictAt(timeMs) {
      const seconds = clock.secondsUntil(timeMs - heldMs)
      const reach = Math.min(MAX_PREDICTION_SECONDS, Math.max(-MAX_PREDICTION_SECONDS, seconds))
      return reported.filter(({ isConfirmed }) => isConfirmed).map((track) => moveTrack(track, reach))
    },
  }
}
