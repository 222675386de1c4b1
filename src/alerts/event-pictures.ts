import { type AlertEvent } from './analyses/analysis.ts'

/** Pictures of tracks, in base64, are the only large part of what alerts send. */
export interface TrackWithPictures {
  /** The track. */
  readonly image?: string | null
  /** The whole picture with the track's box. */
  readonly scene_image?: string | null
}

const tracksOf = ({ data }: AlertEvent) =>
  Array.isArray(data['tracks']) ? (data['tracks'] as TrackWithPictures[]) : []

export function pictureCharsOf(tracks: readonly TrackWithPictures[]): number {
  return tracks.reduce((sum, track) => sum + (track.image?.length ?? 0) + (track.scene_image?.length ?? 0), 0)
}

export function pictureCharsIn(event: AlertEvent): number {
  return pictureCharsOf(tracksOf(event))
}

/** The whole picture that it shows: of its newest track, in base64. */
export const sceneImageIn = (event: AlertEvent): string | null => tracksOf(event).at(-1)?.scene_image ?? null

export function withoutPictures(event: AlertEvent): AlertEvent {
  if (pictureCharsIn(event) === 0) return event
  const tracks = tracksOf(event).map((track) => ({ ...track, image: null, scene_image: null }))
  return { ...event, data: { ...event.data, tracks } }
}
