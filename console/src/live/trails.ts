import { type DetectionMessage } from '@aerie/client'

/** A place in the picture, as fractions of its width and height. */
export type Spot = readonly [x: number, y: number]

/** The ways of the tracks that are in the picture: where their boxes stood, newest last. */
export interface Trails {
  add(scene: DetectionMessage): void
  of(trackId: number): readonly Spot[]
}

const MAX_POINTS = 40

export function createTrails(): Trails {
  let trails = new Map<number, readonly Spot[]>()
  let last = -1
  return {
    add({ sequence, active_tracks }) {
      if (sequence === last) return
      last = sequence
      // A track that has left takes its trail along, so there are never more trails than tracks.
      trails = new Map(
        active_tracks
          .filter(({ track_id }) => track_id > 0)
          .map(({ track_id, scaled_bbox }) => {
            const [x = 0, y = 0, width = 0, height = 0] = scaled_bbox
            return [track_id, [...(trails.get(track_id) ?? []).slice(-MAX_POINTS + 1), [x + width / 2, y + height]]]
          }),
      )
    },
    of: (trackId) => trails.get(trackId) ?? [],
  }
}
