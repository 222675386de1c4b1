/** Notices a stream whose packets give no picture: garbage, or one whose keyframes never arrive whole. */
export interface PictureWatch {
  /** The stream is opened, perhaps again. */
  start(): void
  /** Packets were decoded, and pictures came of them or not. */
  onDecoded(hasPicture: boolean): void
  /** There was a picture since it was opened. */
  readonly hasPicture: boolean
  /** Packets come, and for too long there was no picture. */
  readonly isFailing: boolean
}

export function createPictureWatch(maxMs: number, now: () => number): PictureWatch {
  let hasPicture = false
  let missedSinceMs: number | undefined

  return {
    start() {
      hasPicture = false
      missedSinceMs = undefined
    },
    onDecoded(isThere) {
      if (isThere) hasPicture = true
      missedSinceMs = isThere ? undefined : (missedSinceMs ?? now())
    },
    get hasPicture() {
      return hasPicture
    },
    get isFailing() {
      return missedSinceMs !== undefined && now() - missedSinceMs >= maxMs
    },
  }
}
