import { type DetectionMessage } from '@aerie/client'

/** One track of the last minute. Times are the browser's own, in milliseconds. */
export interface TrackLife {
  readonly trackId: number
  readonly className: string
  readonly confidence: number
  readonly firstMs: number
  readonly lastMs: number
  readonly distanceM: number | undefined
  readonly speedMps: number | undefined
}

export interface TrackHistory {
  add(scene: DetectionMessage, nowMs: number): void
  /** The longest there first; what left more than a minute ago is gone. */
  list(nowMs: number): TrackLife[]
}

export const SHOWN_MS = 60_000
const MAX_TRACKS = 30

export function createTrackHistory(): TrackHistory {
  const lives = new Map<number, TrackLife>()
  return {
    add({ active_tracks }, nowMs) {
      for (const track of active_tracks) {
        if (track.track_id === 0) continue
        lives.set(track.track_id, {
          trackId: track.track_id,
          className: track.class_name,
          confidence: track.confidence,
          firstMs: lives.get(track.track_id)?.firstMs ?? nowMs,
          lastMs: nowMs,
          distanceM: track.distance,
          speedMps: track.ground_speed,
        })
      }
    },
    list(nowMs) {
      for (const [id, { lastMs }] of lives) if (nowMs - lastMs > SHOWN_MS) lives.delete(id)
      return [...lives.values()].sort((a, b) => b.lastMs - a.lastMs || a.firstMs - b.firstMs).slice(0, MAX_TRACKS)
    },
  }
}
