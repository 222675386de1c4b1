import { type Box, type Detection, type Size } from '../../core/detection.ts'
import { type SceneTrack } from '../../core/scene.ts'
import { type Picture, type SeenPicture, type TrackedPicture } from '../picture.ts'
import { type Stage } from '../stage.ts'
import { type CameraMotion, type CameraMotionEstimator, createCameraMotionEstimator } from './camera-motion.ts'
import { type GreyPicture } from './grey-picture.ts'
import { type Track } from './track.ts'
import { createTracker, type Tracker } from './tracker.ts'

export interface TrackStageOptions {
  readonly tracker: Tracker
  /** 0…1: what is less certain is left out, and begins no track; null for the default. */
  readonly confidence: number | null
  /** How the picture moved since the one before. */
  readonly onCameraMotion: (motion: CameraMotion) => void
  /** Where the next picture is worth a look, whether or not it has changed. */
  readonly onUnsettled: (where: Unsettled) => void
  /** A small picture of the brightness, for the camera's motion. */
  readonly greyOf: (picture: Picture) => GreyPicture
}

export interface Unsettled {
  /** Where things move, or were expected and are not found now. */
  readonly restless: readonly Box[]
  /** Where something was found that is not yet believed. */
  readonly tentative: readonly Box[]
}

/** In sizes of the box a second: what is slower stands still. */
const MAX_STILL_SPEED = 0.25

/** What is known of the objects that a model detects. */
export interface TrackedModel {
  /** What it usually gives to true ones. */
  readonly typicalConfidence?: number | undefined
  /** See `TrackerOptions`. */
  readonly reidentifyDistance?: number | undefined
}

/** What is identified again at a distance flies several of its sizes in a second: it is looked for as far away when pictures are few. */
const fastMovers = { marginDeviations: 4, marginRate: 6 } as const

/** A tracker that goes on with the ids of an earlier one. */
export function createStageTracker(
  firstTrackId: number,
  confidence: number | null,
  { typicalConfidence, reidentifyDistance }: TrackedModel = {},
): Tracker {
  return createTracker({
    firstId: firstTrackId,
    ...(typicalConfidence !== undefined && { assumedConfidence: typicalConfidence }),
    ...(reidentifyDistance !== undefined && { reidentifyDistance, ...fastMovers }),
    ...(confidence !== null && { newTrackConfidence: confidence, minConfidence: Math.min(0.1, confidence) }),
  })
}

/** Gives detections an identity that survives from frame to frame, while the camera moves too. */
export function track({
  tracker,
  confidence,
  onCameraMotion,
  onUnsettled,
  greyOf,
}: TrackStageOptions): Stage<SeenPicture, TrackedPicture> {
  return async function* (pictures) {
    let camera: { readonly size: Size; readonly motion: CameraMotionEstimator } | undefined
    let before: readonly Track[] = []
    let tracks: readonly SceneTrack[] = []
    for await (const picture of pictures) {
      const { detections, timeMs } = picture
      const known = () => before.map(({ id }) => id)
      if (detections === 'unchanged') {
        tracker.hold(timeMs)
        yield { ...picture, tracks, known: known() }
        continue
      }
      const { width, height } = picture.decoded
      if (camera?.size.width !== width || camera.size.height !== height) {
        const motion = createCameraMotionEstimator({ frameWidth: width, frameHeight: height })
        camera = { size: { width, height }, motion }
      }
      const cameraMotion = camera.motion.update(
        greyOf(picture),
        before.map(({ box }) => box),
      )
      onCameraMotion(cameraMotion)
      before = tracker.update({ timeMs, detections, cameraMotion, size: { width, height } })
      const seen = before.filter((one) => one.matchedNow && one.isConfirmed && one.confidence >= (confidence ?? 0))
      tracks = seen.map((one) => toSceneTrack(one, one.id, picture.decoded))
      const restless = before.filter((one) => !one.matchedNow || isMoving(one)).map(({ box }) => box)
      onUnsettled({ restless, tentative: tracker.listTentative() })
      yield { ...picture, tracks, known: known() }
    }
  }
}

function isMoving({ box, velocity }: Track): boolean {
  const speed = Math.hypot(velocity.x + velocity.width / 2, velocity.y + velocity.height / 2)
  return speed > MAX_STILL_SPEED * Math.max(box.width, box.height)
}

/** Without tracking: every detection stands for itself. */
export function withoutTracking(confidence: number): Stage<SeenPicture, TrackedPicture> {
  return async function* (pictures) {
    let tracks: readonly SceneTrack[] = []
    for await (const picture of pictures) {
      const { detections, decoded } = picture
      if (detections !== 'unchanged') {
        const certain = detections.filter((one) => one.confidence >= confidence)
        tracks = certain.map((one) => toSceneTrack(one, 0, decoded))
      }
      yield { ...picture, tracks, known: [] }
    }
  }
}

function toSceneTrack({ box, classId, className, confidence }: Detection | Track, id: number, size: Size): SceneTrack {
  return { id, classId, className, box: inside(box, size), confidence }
}

/** Scenes have boxes inside the picture, also where the tracker's reach beyond it. */
function inside({ x, y, width, height }: Box, size: Size): Box {
  const [left, top] = [Math.max(0, x), Math.max(0, y)]
  return {
    x: left,
    y: top,
    width: Math.max(0, Math.min(size.width, x + width) - left),
    height: Math.max(0, Math.min(size.height, y + height) - top),
  }
}
