/** Notices a stream whose packets give no picture: garbage, or one whose keyframes never arrive whole. */
export interface PictureWatch {
  /** The stream is opened, perhaps again. */
  start(): void
  /** Packets were decoded, and pictures came of them or not. */
  onDecoded(hasPicture: boolean): void
  /** A packet came and was not decoded: nobody knows whether it would have given a picture. */
  onHeldBack(): void
  /** There was a picture since it was opened. */
  readonly hasPicture: boolean
  /** Packets come, and for too long there was no picture. */
  readonly isFailing: boolean
}

/** So much counts of a time in which packets were held back, so that a scene at rest, of which few are decoded, can fail too. */
const MAX_HELD_BACK_MS = 1_000

export function createPictureWatch(maxMs: number, now: () => number): PictureWatch {
  let hasPicture = false
  /** How long packets have been decoded without a picture; undefined while there is one. */
  let missedMs: number | undefined
  let decodedAtMs = 0
  let areHeldBack = false

  return {
    start() {
      hasPicture = false
      missedMs = undefined
    },
    onDecoded(isThere) {
      if (isThere) hasPicture = true
      const passedMs = missedMs === undefined ? 0 : now() - decodedAtMs
      missedMs = isThere ? undefined : (missedMs ?? 0) + (areHeldBack ? Math.min(passedMs, MAX_HELD_BACK_MS) : passedMs)
      decodedAtMs = now()
      areHeldBack = false
    },
    onHeldBack: () => void (areHeldBack = true),
    get hasPicture() {
      return hasPicture
    },
    get isFailing() {
      return missedMs !== undefined && missedMs >= maxMs
    },
  }
}
