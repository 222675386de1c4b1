import { type Size } from '../../core/detection.ts'
import { join, type JoinRules, selectDetections } from './association.ts'
import { isUsableBox } from './box.ts'
import { type CameraMotion } from './camera-motion.ts'
import { continueTrack, createLiveTrack, type LiveTrack, type TrackerInput } from './live-track.ts'
import { describeTrack, moveTrack, type Track } from './track.ts'
import { defaultTrackerOptions, type TrackerOptions } from './tracker-options.ts'
import { findLost } from './leap.ts'
import { transformPoint } from './plane-transform.ts'
import { createTrust } from './trust.ts'
import { createUnrest } from './unrest.ts'

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
  /** The confirmed tracks, coasting ones included, where they are expected at another time, at most a second from the last update. */
  predictAt(timeMs: number): Track[]
}

/** The first predictions of a track are wild: they teach nothing about how things move. */
const hitsToKnowVelocity = 4
const MAX_PREDICTION_SECONDS = 1
/** A track with this part of the confidence that true objects usually have is sure of its class. */
const sureShare = 0.9
/** Time that runs back by more is a new beginning; by less, frames out of order. */
const newTimelineMs = 1000

/**
 * Gives detections an identity that survives from frame to frame. Frames may come at any rate and unevenly: prediction,
 * patience and trust go by elapsed time. Nothing looks ahead.
 */
export function createTracker(changes: Partial<TrackerOptions> = {}): Tracker {
  const options: TrackerOptions = { ...defaultTrackerOptions, ...changes }
  const trust = createTrust(options, takeOver)
  const unrest = createUnrest()
  const sureConfidence = sureShare * options.assumedConfidence
  let tracks: LiveTrack[] = []
  let reported: Track[] = []
  let nowMs: number | undefined
  let typicalInterval = 0
  let picture: Size | undefined

  /** Seconds since the last update; 0 for the first one. */
  function advanceClock(timeMs: number): number {
    if (!Number.isFinite(timeMs)) throw new TypeError(`A frame's time must be a number of milliseconds, not ${timeMs}.`)
    if (nowMs !== undefined && timeMs < nowMs - newTimelineMs) {
      tracks = []
      nowMs = undefined
    }
    const seconds = Math.max(0, timeMs - (nowMs ?? timeMs)) / 1000
    nowMs = Math.max(timeMs, nowMs ?? timeMs)
    return seconds
  }

  /** A slow stream gives a track a second chance at least. */
  function isForgotten({ id, seenMs }: LiveTrack): boolean {
    const { coastSeconds, tentativeCoastSeconds } = options
    const patience =
      id > 0 ? Math.max(coastSeconds, 2.5 * typicalInterval) : Math.max(tentativeCoastSeconds, 1.5 * typicalInterval)
    return nowMs! - seenMs > 1000 * patience
  }

  function moveTracks(seconds: number, motion: CameraMotion | undefined): void {
    if (motion?.isCut) tracks = []
    for (const track of tracks) {
      track.filter.predict(seconds, unrest.value)
      if (motion) {
        track.filter.warp(motion.transform)
        track.firstPlace = transformPoint(motion.transform, track.firstPlace)
        track.lastPlace = transformPoint(motion.transform, track.lastPlace)
      }
      track.expected = track.filter.box()
    }
  }

  function takeUp(track: LiveTrack, detection: TrackerInput, seconds: number): void {
    const isTelling = track.isConfirmed && isStrong(track, detection) && track.hits >= hitsToKnowVelocity
    const surprise = continueTrack(track, detection, nowMs!)
    if (isTelling) unrest.learn(surprise)
    trust.found(track, detection, seconds)
  }

  /** What was lost and turns up elsewhere is one object: the new track takes the place of the old. */
  function takeOver(heir: LiveTrack): number | undefined {
    const lost = findLost(heir, tracks, { leap: options.leap, sureConfidence, nowMs: nowMs!, picture })
    if (!lost) return undefined
    tracks = tracks.filter((track) => track !== lost)
    heir.bornMs = lost.bornMs
    heir.vote.takeOver(lost.vote)
    return lost.id
  }

  const isStrong = (track: LiveTrack, { confidence }: TrackerInput): boolean =>
    confidence >= options.strongShare * track.typicalConfidence
  const isWeakAtLeast = (track: LiveTrack, { confidence }: TrackerInput): boolean =>
    confidence >= options.weakShare * track.typicalConfidence

  /** Strong detections go to known tracks first, weak ones to those just seen, and what is left to the tentative ones. */
  function joinAll(detections: TrackerInput[], seconds: number): TrackerInput[] {
    const { minOverlap, minWeakOverlap } = options
    const weakAfterMs = 1000 * Math.max(options.weakAfterSeconds, 2 * typicalInterval)
    const rounds: [isMeant: (track: LiveTrack) => boolean, rules: JoinRules][] = [
      [({ id }) => id > 0, { minOverlap, isAllowed: isStrong }],
      [
        ({ id, seenMs }) => id > 0 && nowMs! - seenMs <= weakAfterMs,
        { minOverlap: minWeakOverlap, isAllowed: isWeakAtLeast },
      ],
      [({ id }) => id === 0, { minOverlap, isAllowed: isWeakAtLeast }],
    ]
    const done = new Set<LiveTrack | TrackerInput>()
    let open = detections
    for (const [isMeant, rules] of rounds) {
      const waiting = tracks.filter((track) => !done.has(track) && isMeant(track))
      for (const { track, detection } of join(waiting, open, rules, seconds, options)) {
        takeUp(track, detection, seconds)
        done.add(track).add(detection)
      }
      open = open.filter((detection) => !done.has(detection))
    }
    for (const track of tracks) if (!done.has(track)) trust.missed(track, seconds)
    return open
  }

  /** `detections` come with the most confident first. */
  function beginTracks(detections: readonly TrackerInput[]): void {
    for (const detection of detections) {
      if (detection.confidence < options.newTrackConfidence || tracks.length >= options.limit) return
      const track = createLiveTrack(detection, nowMs!)
      trust.begun(track)
      tracks.push(track)
    }
  }

  return {
    update({ timeMs, detections, cameraMotion, size }) {
      picture = size
      const seconds = advanceClock(timeMs)
      typicalInterval ||= seconds
      // After a long loss of the stream identities are anyone's guess: known tracks end before they could be joined.
      tracks = tracks.filter((track) => track.id === 0 || !isForgotten(track))
      if (seconds > 0) typicalInterval += 0.1 * (seconds - typicalInterval)
      moveTracks(seconds, cameraMotion)
      const usable = selectDetections(detections, options, ({ box }) => isUsableBox(box))
      beginTracks(joinAll(usable, seconds))
      tracks = tracks.filter((track) => !isForgotten(track))
      const moment = { nowMs: nowMs!, seconds, cameraMotion, smoothing: options.smoothing }
      reported = tracks.filter(({ id }) => id > 0).map((track) => describeTrack(track, moment))
      return reported
    },

    predictAt(timeMs) {
      const seconds = (timeMs - (nowMs ?? timeMs)) / 1000
      const reach = Math.min(MAX_PREDICTION_SECONDS, Math.max(-MAX_PREDICTION_SECONDS, seconds))
      return reported.filter(({ isConfirmed }) => isConfirmed).map((track) => moveTrack(track, reach))
    },
  }
}
