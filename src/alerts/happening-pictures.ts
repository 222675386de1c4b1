import { type Happening } from './analyses/analysis.ts'

/** Pictures, the `image` of tracks in base64, are the only large part of what alerts send. */
interface TrackWithPicture {
  readonly image?: string | null
}

const tracksOf = ({ data }: Happening) => (Array.isArray(data['tracks']) ? (data['tracks'] as TrackWithPicture[]) : [])

export function pictureCharsOf(happening: Happening): number {
  return tracksOf(happening).reduce((sum, { image }) => sum + (image?.length ?? 0), 0)
}

export function withoutPictures(happening: Happening): Happening {
  if (pictureCharsOf(happening) === 0) return happening
  const tracks = tracksOf(happening).map((track) => ({ ...track, image: null }))
  return { ...happening, data: { ...happening.data, tracks } }
}
