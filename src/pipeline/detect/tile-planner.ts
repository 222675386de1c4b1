import { type Box, type Size } from '../../core/detection.ts'
import { type Telemetry } from '../../core/telemetry.ts'
import { type CameraFacts, objectPixels, planTiles, type Tiling } from './auto-tiles.ts'
import { type TrainedSize } from './model-card.ts'
import { isSky } from './sky.ts'
import { tileRegions } from './tiles.ts'

/** Chooses the tiles while the process runs. */
export interface TilePlanner {
  /** What the model looks at in a picture, and by how much it is drawn smaller than it could be. */
  lookAt(picture: Size, takenAtMs: number): { readonly regions: readonly Box[]; readonly shrink: number }
  /** How long the model took for one look. */
  noteLook(ms: number): void
  /** The plan in force; undefined before the first. */
  readonly tiling: Tiling | undefined
}

export interface TilePlannerOptions {
  readonly canvas: Size
  readonly trainedSize: TrainedSize | undefined
  /** See `ModelCard`. */
  readonly wantedDetail?: number | undefined
  /** Nothing that the model tells flies: it has no business in the sky. */
  readonly isOnGround: boolean
  readonly telemetryAt: (takenAtMs: number) => Telemetry | undefined
  /** Pictures a second that must still be possible; null when time doesn't matter. */
  readonly leastFps: number | null
}

/** A new plan only when things look larger or smaller by this factor… */
const clearChange = 1.3
/** …and not before this much time, or tiles would flicker around a border. */
const replanAfterMs = 2_000
/** What one look takes is learnt slowly, since single ones vary. */
const learning = 0.1
/** More than the finest grid needs. */
const anyNumber = 100

interface Plan {
  readonly tiling: Tiling
  readonly picture: Size
  readonly objectPx: number
  readonly mostLooks: number
  readonly madeAtMs: number
}

export function createTilePlanner(options: TilePlannerOptions): TilePlanner {
  const { canvas, trainedSize, wantedDetail, isOnGround, telemetryAt, leastFps } = options
  let lookMs: number | undefined
  let plan: Plan | undefined

  /** Before the first look nothing is known of the machine. */
  function mostLooks(): number {
    if (leastFps === null) return anyNumber
    return lookMs === undefined ? 1 : Math.max(1, Math.floor(1000 / (leastFps * lookMs)))
  }

  function isOutdated(before: Plan, picture: Size, objectPx: number, looks: number, nowMs: number): boolean {
    if (before.picture.width !== picture.width || before.picture.height !== picture.height) return true
    if (before.mostLooks === 1 && looks > 1 && before.tiling.looks === 1) return true
    if (Math.abs(nowMs - before.madeAtMs) < replanAfterMs) return false
    return isOtherBy(clearChange, objectPx, before.objectPx) || isOtherBy(2, looks, before.mostLooks)
  }

  return {
    get tiling() {
      return plan?.tiling
    },
    noteLook(ms) {
      lookMs = lookMs === undefined ? ms : lookMs + learning * (ms - lookMs)
    },
    lookAt(picture, takenAtMs) {
      const telemetry = telemetryAt(takenAtMs) ?? {}
      const camera = factsOf(telemetry)
      const objectPx = objectPixels(picture, trainedSize?.objectM ?? 1, camera)
      const looks = mostLooks()
      if (!plan || isOutdated(plan, picture, objectPx, looks, takenAtMs)) {
        const tiling = planTiles({ picture, canvas, trainedSize, wantedDetail, camera, mostLooks: looks })
        plan = { tiling, picture: { ...picture }, objectPx, mostLooks: looks, madeAtMs: takenAtMs }
      }
      const { grid, shrink } = plan.tiling
      const [whole, ...tiles] = tileRegions(picture, grid)
      const shown = isOnGround ? tiles.filter((tile) => !isSky(tile, picture, telemetry)) : tiles
      return { regions: [whole!, ...shown], shrink }
    },
  }
}

function factsOf({ relAltitudeM, cameraPitchDeg, hfovDeg }: Telemetry): CameraFacts {
  return { heightM: relAltitudeM, pitchDeg: cameraPitchDeg, hfovDeg }
}

function isOtherBy(factor: number, a: number, b: number): boolean {
  return a > factor * b || b > factor * a
}
