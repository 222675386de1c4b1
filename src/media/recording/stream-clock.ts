import { MAX_AHEAD_MS, maxLeadMs } from '../stream-lead.ts'

/**
 * Keeps a stream's time from running ahead of ours. A stream counts by its own clock, which may say anything: where it is
 * further than what has passed, or falls back, its packets stand where they arrived from there on. One that stands still
 * or merely lags, as after a stall of the network, is left alone: it may catch up.
 */
export interface StreamClock {
  /** Milliseconds to add to this packet's time. */
  shiftOf(track: number, ptsMs: number): number
  /** What the stream lags behind is forgotten: it can't be made up for in another segment. */
  beginSegment(): void
}

interface Track {
  shiftMs: number
  /** Where its newest packet stands, and when that arrived. */
  lastMs: number
  arrivedAtMs: number
}

/** `openingMs`: how much may come at once at the beginning, since a reader is first sent what the last keyframe began. */
export function createStreamClock(openingMs: number, now: () => number): StreamClock {
  const tracks = new Map<number, Track>()
  /** The stream's first time, and what that is by our clock at the earliest. */
  let originMs: number | undefined
  let anchorMs = now() - openingMs
  let newestMs = 0
  let segments = 0

  return {
    shiftOf(index, ptsMs) {
      const nowMs = now()
      originMs ??= ptsMs
      const track = tracks.get(index) ?? { shiftMs: 0, lastMs: 0, arrivedAtMs: nowMs }
      tracks.set(index, track)
      const passedMs = nowMs - anchorMs
      const latestMs = passedMs + maxLeadMs(passedMs)
      const atMs = ptsMs - originMs + track.shiftMs
      const isBreak = atMs > latestMs || atMs < track.lastMs - MAX_AHEAD_MS
      const placedMs = isBreak ? Math.min(track.lastMs + nowMs - track.arrivedAtMs, latestMs) : atMs
      track.shiftMs += placedMs - atMs
      track.lastMs = Math.max(track.lastMs, placedMs)
      track.arrivedAtMs = nowMs
      newestMs = Math.max(newestMs, placedMs)
      return track.shiftMs
    },
    beginSegment() {
      // What a reader begins with comes during the first.
      if (segments++ > 0) anchorMs = Math.max(anchorMs, now() - newestMs)
    },
  }
}
