import { type Picture, type SeenPicture } from '../picture.ts'
import { type Stage } from '../stage.ts'
import { type PictureDetector } from './picture-detector.ts'

export interface DetectStageOptions {
  readonly detector: PictureDetector
  /** Draw the next picture while the model looks at this one: more pictures, but each is reported a picture later. */
  readonly isAhead: boolean
  /** The model has done its work on a picture, or failed. */
  readonly onSeen: () => void
}

/** Finds objects in every picture that it is given. */
export function detect({ detector, isAhead, onSeen }: DetectStageOptions): Stage<Picture, SeenPicture> {
  const look = async (picture: Picture): Promise<SeenPicture> => {
    const detections = await detector.detect(picture.decoded.frame, picture.takenAtMs).finally(onSeen)
    return { ...picture, detections, detectedAtMs: Date.now() }
  }

  return async function* (pictures) {
    let underWay: Promise<SeenPicture> | undefined
    for await (const picture of pictures) {
      const next = look(picture)
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
