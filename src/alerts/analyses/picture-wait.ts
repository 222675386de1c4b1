import { type DetectionTrack } from '../../core/detection-track.ts'
import { type TrackWithPictures } from '../event-pictures.ts'
import { type AnalysisDeps, type SeenAt } from './analysis.ts'

/** A track that was found, and when. */
export interface FoundTrack {
  readonly track: DetectionTrack & TrackWithPictures
  readonly seenAt: SeenAt
}

/** Tracks that were found, until their pictures are there: whether or not they are seen again meanwhile. */
export interface PictureWait {
  readonly length: number
  add(found: FoundTrack, nowMs: number): void
  /** Those whose pictures are there, or have been waited for long enough. */
  takeReady(nowMs: number): readonly FoundTrack[]
  /** All, with what there is. Changes nothing. */
  list(): readonly FoundTrack[]
  clear(): void
}

/** A picture of a new track is made within its first second or two; longer nobody waits for it. */
const TIMEOUT_MS = 2_000
/** As many as are seen at once; of more the first wait no longer. */
const MAX_WAITING = 200

type PictureWaitDeps = Pick<AnalysisDeps, 'keepsPictures' | 'pictureOf' | 'sceneOf'>

export function createPictureWait({ keepsPictures, pictureOf, sceneOf }: PictureWaitDeps): PictureWait {
  let waiting: (FoundTrack & { readonly sinceMs: number })[] = []

  function withPictures({ track, seenAt }: FoundTrack): FoundTrack {
    const [image, scene_image] = [pictureOf(track.track_id), sceneOf(track.track_id, seenAt.takenAtMs)]
    return { track: { ...track, image, scene_image }, seenAt }
  }

  return {
    get length() {
      return waiting.length
    },
    add: ({ track, seenAt }, sinceMs) => void waiting.push({ track, seenAt, sinceMs }),
    takeReady(nowMs) {
      const ready: FoundTrack[] = []
      waiting = waiting.filter((one, index) => {
        const pictured = withPictures(one)
        const { image, scene_image } = pictured.track
        const isOver = nowMs - one.sinceMs >= TIMEOUT_MS
        const isReady = image !== null && scene_image !== null
        // Where the process keeps none, no track is reported late for that.
        if (!isReady && !isOver && keepsPictures() && waiting.length - index <= MAX_WAITING) return true
        ready.push(pictured)
        return false
      })
      return ready
    },
    list: () => waiting.map(withPictures),
    clear: () => void (waiting = []),
  }
}
