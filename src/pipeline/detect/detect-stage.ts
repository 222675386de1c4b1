import { type Picture, type SeenPicture } from '../picture.ts'
import { type Stage } from '../stage.ts'
import { type PictureDetector } from './picture-detector.ts'
import { type StillScene } from './still-scene.ts'

export interface DetectStageOptions {
  readonly detector: PictureDetector
  /** Draw the next picture while the model looks at this one: more pictures, but each is reported a picture later. */
  readonly isAhead: boolean
  /** Spares the model what has not changed; undefined where it is to look at every picture. */
  readonly scene: StillScene | undefined
  /** Waits until the model may be used; answers the picture to look at, which may be a newer one. */
  readonly begin: (picture: Picture) => Promise<Picture>
  /** The model has done its work on a picture, or failed. */
  readonly end: () => void
}

/** Finds objects in every picture that it is given. */
export function detect({ detector, isAhead, scene, begin, end }: DetectStageOptions): Stage<Picture, SeenPicture> {
  async function look(picture: Picture): Promise<SeenPicture> {
    const { decoded, takenAtMs } = picture
    const detections = await detector.detect(decoded.frame, takenAtMs, scene?.isWorthLook).finally(end)
    scene?.looked(detections)
    return { ...picture, detections, detectedAtMs: Date.now() }
  }

  async function see(picture: Picture): Promise<SeenPicture> {
    scene?.see(picture)
    if (scene?.isStill) return { ...picture, detections: 'unchanged', detectedAtMs: Date.now() }
    const newer = await begin(picture)
    if (newer !== picture) scene?.see(newer)
    return look(newer)
  }

  return async function* (pictures) {
    let underWay: Promise<SeenPicture> | undefined
    for await (const picture of pictures) {
      const next = see(picture)
      // A failure of the next one must wait until its turn.
      next.catch(() => {})
      if (!isAhead) yield await next
      else {
        if (underWay) yield await underWay
        underWay = next
      }
    }
    if (underWay) yield await underWay
  }
}
