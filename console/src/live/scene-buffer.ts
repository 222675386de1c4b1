import { type DetectionMessage } from '@aerie/client'

/** RTP timestamps of video count in 90,000ths of a second and start again after 2³² (RFC 3550 §5.1). */
const TICKS_A_MS = 90
const WRAP = 2 ** 32
/** A detector may be slower than the video; boxes older than this would only mislead. */
const STALE_MS = 700
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

  function findLast(ageMs: (scene: DetectionMessage) => number): DetectionMessage | undefined {
    const found = scenes.findLast((scene) => ageMs(scene) >= 0)
    return found && ageMs(found) <= STALE_MS ? found : undefined
  }

  return {
    add: (scene) => void (scenes = [...scenes.slice(-KEPT + 1), scene]),
    atRtp: (timestamp) =>
      findLast(({ frame }) => (frame.rtp_timestamp === null ? NaN : rtpMsBetween(frame.rtp_timestamp, timestamp))),
    // Half a frame's time of tolerance: wall clocks are told in milliseconds.
    atTime: (wallClockMs) => findLast((scene) => wallClockMs + 10 - Date.parse(scene.timestamp)),
    get newest() {
      return scenes.at(-1)
    },
  }
}

/** Milliseconds from one RTP timestamp to another, by the shorter way around. */
export function rtpMsBetween(from: number, to: number): number {
  const ticks = (((to - from) % WRAP) + WRAP) % WRAP
  return (ticks < WRAP / 2 ? ticks : ticks - WRAP) / TICKS_A_MS
}
