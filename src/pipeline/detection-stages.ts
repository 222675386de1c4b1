import { type Frame } from 'node-av'
import { type DecodedFrame } from './decode/frame-pool.ts'
import { createGreyScaler, type SmallGreyPicture } from './decode/grey-scaler.ts'
import { type Scaler } from './decode/scaler.ts'
import { type Detector } from './detect/detector.ts'
import { detect } from './detect/detect-stage.ts'
import { createPictureDetector } from './detect/picture-detector.ts'
import { createStillScene } from './detect/still-scene.ts'
import { createTilePlanner, type TilePlanner } from './detect/tile-planner.ts'
import { parseTileGrid } from './detect/tiles.ts'
import { geolocate } from './geolocate/geolocate-stage.ts'
import { type Geolocation } from './geolocate/geolocation.ts'
import { DEFAULT_CONFIDENCE } from './load-detector.ts'
import { type PipelineOrder, type TilingReport } from './messages.ts'
import { type LocatedPicture, type Picture } from './picture.ts'
import { type Stage } from './stage.ts'
import { type CameraMotion } from './track/camera-motion.ts'
import { withoutTracking, track } from './track/track-stage.ts'
import { type Tracker } from './track/tracker.ts'

export interface DetectionStagesOptions {
  readonly order: Pick<PipelineOrder, 'input' | 'playback' | 'detection' | 'isTracking'>
  readonly detector: Detector
  readonly scaler: Scaler
  readonly tracker: Tracker
  /** Null when nothing is known of the camera. */
  readonly geolocation: Geolocation | null
  /** The machine is short of time; by default it never is. */
  readonly isCrowded?: () => boolean
  readonly onCameraMotion: (motion: CameraMotion) => void
  /** Waits until the model may be used; answers the picture to look at, which may be a newer one. */
  readonly beginLook: (picture: Picture) => Promise<Picture>
  /** The model has seen a picture. */
  readonly endLook: () => void
}

export interface DetectionStages {
  readonly run: Stage<Picture, LocatedPicture>
  /** For how long the model has worked since this was last asked; 0 when it has not. */
  takeInferenceMs(): number
  /** Nothing in the scene is worth a look. */
  readonly isStill: boolean
  /** How pictures are cut now, if that is chosen automatically. */
  tiling(): TilingReport | undefined
}

/** However small things are, tracking needs this many pictures a second. */
const MIN_FPS = 2

/** Detect ▶ track ▶ geolocate, as the order wants them. */
export function createDetectionStages(options: DetectionStagesOptions): DetectionStages {
  const { order, detector, scaler, tracker, geolocation, isCrowded, onCameraMotion, beginLook, endLook } = options
  const { input, playback, detection, isTracking } = order
  const isFast = input.kind === 'file' && playback.pace === 'fast'
  const planner = detection.tiles === 'auto' ? planTilesFor(detector, geolocation, isFast ? null : MIN_FPS) : undefined
  let inferenceMs = 0
  const timed = timedDetector(detector, (tookMs) => {
    inferenceMs += tookMs
    planner?.noteLook(tookMs)
  })
  const greyOf = oncePerPicture(createGreyScaler(scaler))
  // Of a file every picture is looked at: whoever analyses it wants to know, not to save time.
  const scene = input.kind === 'file' ? undefined : createStillScene(greyOf, isCrowded)
  const look = detect({
    detector: createPictureDetector({ detector: timed, scaler, tiles: planner ?? parseTileGrid(detection.tiles) }),
    isAhead: isFast,
    scene,
    begin: beginLook,
    end: endLook,
  })
  const follow = isTracking
    ? track({
        tracker,
        confidence: detection.confidence,
        onCameraMotion,
        onUnsettled: (where) => scene?.watch(where),
        greyOf: ({ decoded }) => greyOf(decoded),
      })
    : withoutTracking(detection.confidence ?? DEFAULT_CONFIDENCE)

  return {
    run(pictures) {
      const tracked = follow(look(pictures))
      return geolocation ? geolocate(geolocation)(tracked) : tracked
    },
    takeInferenceMs() {
      const tookMs = inferenceMs
      inferenceMs = 0
      return tookMs
    },
    get isStill() {
      return scene?.isStill ?? false
    },
    tiling: () => planner && toReport(planner),
  }
}

/** Two stages compare small pictures of the same one. */
function oncePerPicture(scale: (frame: Frame) => SmallGreyPicture): (decoded: DecodedFrame) => SmallGreyPicture {
  let last: { readonly decoded: DecodedFrame; readonly grey: SmallGreyPicture } | undefined
  return (decoded) => {
    if (last?.decoded !== decoded) last = { decoded, grey: scale(decoded.frame) }
    return last.grey
  }
}

function planTilesFor(detector: Detector, geolocation: Geolocation | null, minFps: number | null): TilePlanner {
  return createTilePlanner({
    canvas: detector.inputSize,
    trainedSize: detector.trainedSize,
    wantedDetail: detector.wantedDetail,
    isOnGround: detector.isOnGround,
    telemetryAt: (timeMs) => geolocation?.telemetryAt(timeMs),
    minFps,
  })
}

function timedDetector(detector: Detector, onTimed: (tookMs: number) => void): Detector {
  return {
    ...detector,
    async detect(...args) {
      const startMs = performance.now()
      const found = await detector.detect(...args)
      onTimed(performance.now() - startMs)
      return found
    },
  }
}

function toReport({ tiling }: TilePlanner): TilingReport | undefined {
  if (!tiling) return undefined
  const { grid, scale, looks, sentence } = tiling
  return { grid: `${grid.columns}x${grid.rows}`, scale: Math.round(scale * 1000) / 1000, looks, sentence }
}
