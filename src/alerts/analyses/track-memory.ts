import { dropOldest } from '../../core/drop-oldest.ts'

/** What an analysis knows of each track. */
export interface TrackMemory<Known> {
  get(trackId: number): Known | undefined
  set(trackId: number, known: Known): void
  /** Those that have not been seen for long. To be called at every scene: it looks once a second. */
  forget(nowMs: number): void
}

/** Tracks that are lost for longer never come back under the same id. */
export const FORGET_AFTER_MS = 10_000
const FORGET_EVERY_MS = 1_000
/** More than are ever seen within that time; the oldest go. */
const MAX_TRACKS = 2_000

export function createTrackMemory<Known extends { readonly lastSeenMs: number }>(
  forgetAfterMs: (trackId: number) => number = () => FORGET_AFTER_MS,
): TrackMemory<Known> {
  const tracks = new Map<number, Known>()
  let forgotMs = 0

  return {
    get: (trackId) => tracks.get(trackId),
    set(trackId, known) {
      tracks.set(trackId, known)
      dropOldest(tracks, MAX_TRACKS)
    },
    forget(nowMs) {
      if (nowMs - forgotMs < FORGET_EVERY_MS) return
      forgotMs = nowMs
      for (const [id, { lastSeenMs }] of tracks) if (nowMs - lastSeenMs > forgetAfterMs(id)) tracks.delete(id)
    },
  }
}
