import { type DetectionMessage } from '@aerie/client'

/** RTP timestamps of video count in 90,000ths of a second and start again after 2³² (RFC 3550 §5.1). */
const TICKS_A_MS = 90
const WRAP = 2 ** 32
/** A detector may be slower than the video: boxes stand until the next are due, and a little longer. Older ones would only mislead. */
const MIN_STALE_MS = 700
const MAX_STALE_MS = 3_000
const STALE_PACES = 1.5
/** Scenes by which the detector's pace is judged. */
const PACE_SCENES = 6
/** Some seconds of a fast process. */
const KEPT = 128

/** What a process saw lately, to be found again by the moment of a picture. */
export interface SceneBuffer {
  add(scene: DetectionMessage): void
  /** What was seen in the frame with this RTP timestamp, or in the last one before it. */
  atRtp(timestamp: number): DetectionMessage | undefined
  /** The same by the time at which the frame was taken. */
  atTime(wallClockMs: number): DetectionMessage | undefined
  readonly newest: DetectionMessage | undefined
}

export function createSceneBuffer(): SceneBuffer {
  let scenes: DetectionMessage[] = []
  let staleMs = MIN_STALE_MS

  function findLast(ageMs: (scene: DetectionMessage) => number): DetectionMessage | undefined {
    const found = scenes.findLast((scene) => ageMs(scene) >= 0)
    return found && ageMs(found) <= staleMs ? found : undefined
  }

  return {
    add(scene) {
      scenes = [...scenes.slice(-KEPT + 1), scene]
      staleMs = Math.min(MAX_STALE_MS, Math.max(MIN_STALE_MS, STALE_PACES * paceMs(scenes.slice(-PACE_SCENES))))
    },
    atRtp: (timestamp) =>
      findLast(({ frame }) => (frame.rtp_timestamp === null ? NaN : rtpMsBetween(frame.rtp_timestamp, timestamp))),
    // Half a frame's time of tolerance: wall clocks are in whole milliseconds.
    atTime: (wallClockMs) => findLast((scene) => wallClockMs + 10 - Date.parse(scene.timestamp)),
    get newest() {
      return scenes.at(-1)
    },
  }
}

/** From one scene to the next, in the middle of what is usual. */
function paceMs(scenes: readonly DetectionMessage[]): number {
  const gaps = scenes.slice(1).map((scene, index) => Date.parse(scene.timestamp) - Date.parse(scenes[index]!.timestamp))
  return gaps.sort((a, b) => a - b)[gaps.length >> 1] ?? 0
}

/** Milliseconds from one RTP timestamp to another, by the shorter way around. */
export function rtpMsBetween(from: number, to: number): number {
  const ticks = (((to - from) % WRAP) + WRAP) % WRAP
  return (ticks < WRAP / 2 ? ticks : ticks - WRAP) / TICKS_A_MS
}
