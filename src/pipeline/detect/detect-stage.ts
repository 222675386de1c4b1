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

/** A scene that stands still is looked over this often: enough to find within a third of a second what begins to move. */
const COMPARE_STILL_EVERY_MS = 100
/** Pictures that show nothing new are reported this often: enough to know that nothing has changed. */
const REPORT_UNCHANGED_EVERY_MS = 200
/** Clocks of cameras are uneven: what comes a little early is as good. */
const EARLY = 0.9

/** Finds objects in every picture that it is given; of those that show nothing new, some are left out. */
export function detect({ detector, isAhead, scene, begin, end }: DetectStageOptions): Stage<Picture, SeenPicture> {
  let reportedMs = -Infinity
  let comparedMs = -Infinity
  /** Handed over again it shows nothing new. */
  let compared: Picture['decoded'] | undefined

  async function look(picture: Picture): Promise<SeenPicture> {
    const { decoded, takenAtMs } = picture
    const detections = await detector.detect(decoded.frame, takenAtMs, scene?.isWorthLook).finally(end)
    scene?.looked(detections)
    reportedMs = picture.timeMs
    return { ...picture, detections, detectedAtMs: Date.now() }
  }

  function reportUnchanged(picture: Picture): SeenPicture | undefined {
    if (Math.abs(picture.timeMs - reportedMs) < EARLY * REPORT_UNCHANGED_EVERY_MS) return leaveOut(picture)
    reportedMs = picture.timeMs
    return { ...picture, detections: 'unchanged', detectedAtMs: Date.now() }
  }

  function leaveOut({ decoded }: Picture): undefined {
    decoded.release()
  }

  async function see(picture: Picture): Promise<SeenPicture | undefined> {
    const isRepeated = picture.decoded === compared
    if (scene?.isStill && isRepeated) return reportUnchanged(picture)
    const sinceMs = Math.abs(picture.timeMs - comparedMs)
    if (scene?.isStill && sinceMs < EARLY * COMPARE_STILL_EVERY_MS) return leaveOut(picture)
    comparedMs = picture.timeMs
    compared = picture.decoded
    scene?.see(picture)
    if (scene?.isStill) return reportUnchanged(picture)
    const newer = await begin(picture)
    if (newer !== picture) scene?.see(newer)
    return look(newer)
  }

  return async function* (pictures) {
    /** Undefined unless the stage is ahead. */
    let underWay: Promise<SeenPicture | undefined> | undefined
    for await (const picture of pictures) {
      const next = see(picture)
      // A failure of the next one must wait until its turn.
      next.catch(() => {})
      const seen = await (isAhead ? underWay : next)
      if (isAhead) underWay = next
      if (seen) yield seen
    }
    const last = await underWay
    if (last) yield last
  }
}
