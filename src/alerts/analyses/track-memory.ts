/** What an analysis knows of each track. */
export interface TrackMemory<Known> {
  get(trackId: number): Known | undefined
  set(trackId: number, known: Known): void
  /** To be called now and then. */
  forget(nowMs: number): void
}

/** Tracks that are lost for longer never come back under the same id. */
export const FORGET_AFTER_MS = 10_000
/** More than are ever seen within that time; the oldest go. */
const MAX_TRACKS = 2_000

export function createTrackMemory<Known extends { readonly lastSeenMs: number }>(
  forgetAfterMs: (trackId: number) => number = () => FORGET_AFTER_MS,
): TrackMemory<Known> {
  const tracks = new Map<number, Known>()
  return {
    get: (trackId) => tracks.get(trackId),
    set(trackId, known) {
      tracks.set(trackId, known)
      if (tracks.size > MAX_TRACKS) tracks.delete(tracks.keys().next().value!)
    },
    forget(nowMs) {
      for (const [id, { lastSeenMs }] of tracks) if (nowMs - lastSeenMs > forgetAfterMs(id)) tracks.delete(id)
    },
  }
}
