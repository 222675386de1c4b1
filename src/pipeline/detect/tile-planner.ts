import { type Box, type Size } from '../../core/detection.ts'
import { radiansPerDegree } from '../../core/numbers.ts'
import { type Telemetry } from '../../core/telemetry.ts'
import { type CameraFacts, objectPixels, planTiles, type Tiling } from './auto-tiles.ts'
import { type TrainedSize } from './model-card.ts'
import { type TileGrid, tileRegions } from './tiles.ts'

/** Chooses the tiles while the process runs. */
export interface TilePlanner {
  /** What the model looks at in a picture, and by how much it is drawn smaller than it could be. */
  lookAt(picture: Size, takenAtMs: number): { readonly regions: readonly Box[]; readonly shrink: number }
  /** How long the model took for one look. The first doesn't count: the model had to warm up. */
  noteLook(ms: number): void
  /** The plan in force, with what was looked at in the last picture; undefined before the first. */
  readonly tiling: Tiling | undefined
}

export interface TilePlannerOptions {
  readonly canvas: Size
  readonly trainedSize: TrainedSize | undefined
  /** See `ModelCard`. */
  readonly wantedDetail?: number | undefined
  /** Nothing that the model detects flies: it has no business in the sky. */
  readonly isOnGround: boolean
  readonly telemetryAt: (takenAtMs: number) => Telemetry | undefined
  /** Pictures a second that must still be possible; null when time doesn't matter. */
  readonly minFps: number | null
}

/** A new plan only when things look larger or smaller by this factor, something else is known, or the time doesn't fit any more… */
const CLEAR_CHANGE = 1.3
/** …and not before this much time, or tiles would flicker around a border. */
const REPLAN_AFTER_MS = 2_000
/** Finer tiles only when they leave some of the time, for the same reason. */
const USABLE_SHARE = 0.85
/** What one look takes is learnt slowly, since single ones vary. */
const LEARNING_RATE = 0.1
/** More than the finest grid needs. */
const ANY_NUMBER = 100

interface Plan {
  readonly tiling: Tiling
  readonly picture: Size
  readonly camera: CameraFacts
  readonly isTimeKnown: boolean
  readonly madeAtMs: number
}

export function createTilePlanner(options: TilePlannerOptions): TilePlanner {
  const { canvas, trainedSize, wantedDetail, isOnGround, telemetryAt, minFps } = options
  let looksNoted = 0
  let lookMs: number | undefined
  let plan: Plan | undefined
  let tiling: Tiling | undefined

  /** Before the model is warm nothing is known of the machine. */
  function maxLooks(share = 1): number {
    if (minFps === null) return ANY_NUMBER
    return lookMs === undefined ? 1 : Math.max(1, Math.floor((share * 1000) / (minFps * lookMs)))
  }

  const objectPx = (picture: Size, camera: CameraFacts) => objectPixels(picture, trainedSize ?? { objectM: 1 }, camera)

  /** The whole picture, and the tiles in which there may be something. */
  function regionsOf(picture: Size, grid: TileGrid, telemetry: Telemetry): Box[] {
    const [whole, ...tiles] = tileRegions(picture, grid)
    return [whole!, ...(isOnGround ? tiles.filter((tile) => !isSky(tile, picture, telemetry)) : tiles)]
  }

  /** The plan for a picture, made anew where the one before doesn't fit. */
  function planFor(picture: Size, telemetry: Telemetry, nowMs: number): Plan {
    const camera = factsOf(telemetry)
    const tilesShown = (grid: TileGrid) => regionsOf(picture, grid, telemetry).length - 1
    const tilingWith = (looks: number, by: CameraFacts) =>
      planTiles({ picture, canvas, trainedSize, wantedDetail, camera: by, maxLooks: looks, tilesShown })
    const planWith = (looks: number): Plan => {
      const { width, height } = picture
      const isTimeKnown = lookMs !== undefined
      return { tiling: tilingWith(looks, camera), picture: { width, height }, camera, isTimeKnown, madeAtMs: nowMs }
    }
    if (!plan || plan.picture.width !== picture.width || plan.picture.height !== picture.height)
      return planWith(maxLooks())
    if (!plan.isTimeKnown && lookMs !== undefined) return planWith(maxLooks())
    if (Math.abs(nowMs - plan.madeAtMs) < REPLAN_AFTER_MS) return plan
    const isTooSlow = 1 + tilesShown(plan.tiling.grid) > maxLooks()
    const isOtherSize = isOtherBy(CLEAR_CHANGE, objectPx(picture, camera), objectPx(picture, plan.camera))
    if (isTooSlow || isOtherSize || !areSameKnown(camera, plan.camera)) return planWith(maxLooks())
    const couldBeFiner = tilingWith(maxLooks(USABLE_SHARE), plan.camera).scale > plan.tiling.scale
    return couldBeFiner ? planWith(maxLooks(USABLE_SHARE)) : plan
  }

  return {
    get tiling() {
      return tiling
    },
    noteLook(ms) {
      looksNoted++
      if (looksNoted === 1) return
      lookMs = lookMs === undefined ? ms : lookMs + Math.max(LEARNING_RATE, 1 / (looksNoted - 1)) * (ms - lookMs)
    },
    lookAt(picture, takenAtMs) {
      const telemetry = telemetryAt(takenAtMs) ?? {}
      plan = planFor(picture, telemetry, takenAtMs)
      const { grid, shrink, sentence } = plan.tiling
      const regions = regionsOf(picture, grid, telemetry)
      const leftOut = tileRegions(picture, grid).length - regions.length
      const sky = leftOut > 0 ? ` Tiles with nothing but sky are left out: ${leftOut}.` : ''
      tiling = { ...plan.tiling, looks: regions.length, sentence: sentence + sky }
      return { regions, shrink }
    },
  }
}

function factsOf({ relAltitudeM, cameraPitchDeg, hfovDeg }: Telemetry): CameraFacts {
  return { heightM: relAltitudeM, pitchDeg: cameraPitchDeg, hfovDeg }
}

/** What is not known is assumed, and the plan says so. */
function areSameKnown(a: CameraFacts, b: CameraFacts): boolean {
  return (['heightM', 'pitchDeg', 'hfovDeg'] as const).every(
    (fact) => (a[fact] === undefined) === (b[fact] === undefined),
  )
}

function isOtherBy(factor: number, a: number, b: number): boolean {
  return a > factor * b || b > factor * a
}

/** So far above the horizon a tile has to begin: hills, masts and errors of the gimbal stay below. */
const SKY_MARGIN_DEG = 5
/** From lower than this, things that stand on the ground reach above the horizon. */
const MIN_SKY_HEIGHT_M = 30

/** Whether telemetry says that a region shows nothing but sky, so that nothing in it stands on the ground. */
export function isSky({ x, y, width, height }: Box, picture: Size, telemetry: Telemetry): boolean {
  const { hfovDeg, vfovDeg, cameraPitchDeg, cameraRollDeg, relAltitudeM } = telemetry
  if (hfovDeg === undefined || vfovDeg === undefined || cameraPitchDeg === undefined) return false
  if (cameraRollDeg === undefined || relAltitudeM === undefined || relAltitudeM < MIN_SKY_HEIGHT_M) return false
  const [pitch, roll] = [cameraPitchDeg * radiansPerDegree, cameraRollDeg * radiansPerDegree]
  const tanX = Math.tan((hfovDeg / 2) * radiansPerDegree)
  const tanY = Math.tan((vfovDeg / 2) * radiansPerDegree)
  const minSin = Math.sin(SKY_MARGIN_DEG * radiansPerDegree)
  /** The upward part of the unit vector through a pixel. */
  const upAt = (u: number, v: number) => {
    const across = ((2 * u) / picture.width - 1) * tanX
    const down = ((2 * v) / picture.height - 1) * tanY
    const up = Math.sin(pitch) - Math.cos(pitch) * (across * Math.sin(roll) + down * Math.cos(roll))
    return up / Math.hypot(1, across, down)
  }
  // The horizon is a straight line in the picture: what holds for the corners holds in between, but for the margin's slight bend.
  return [upAt(x, y), upAt(x + width, y), upAt(x, y + height), upAt(x + width, y + height)].every((up) => up > minSin)
}
