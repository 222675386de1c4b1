import { type Size } from '../../core/detection.ts'
import { radiansPerDegree } from '../../core/numbers.ts'
import { type TrainedSize } from './model-card.ts'
import { MAX_TILES, TILE_OVERLAP, type TileGrid } from './tiles.ts'

/** What the scale depends on. Of the camera, what telemetry says. */
export interface TilingInput {
  readonly picture: Size
  /** Of the model. */
  readonly canvas: Size
  /** Undefined for what flies, and where nobody knows. */
  readonly trainedSize: TrainedSize | undefined
  /** See `ModelCard`. */
  readonly wantedDetail?: number | undefined
  readonly camera: CameraFacts
  /** How often the model may look at one picture: what the CPU allows. */
  readonly maxLooks: number
  /** How many of a grid's tiles are looked at; all when left out. */
  readonly tilesShown?: ((grid: TileGrid) => number) | undefined
}

export interface CameraFacts {
  /** Above the ground. */
  readonly heightM?: number | undefined
  /** Of the optical axis, positive up. */
  readonly pitchDeg?: number | undefined
  readonly hfovDeg?: number | undefined
}

export interface Tiling {
  readonly grid: TileGrid
  /** Canvas pixels for each pixel of the picture, in a tile. */
  readonly scale: number
  /** Below 1 where even the whole picture shows things too large: it is drawn smaller by this. */
  readonly shrink: number
  /** How often the model looks at a picture: the whole of it, then each tile. */
  readonly looks: number
  /** What was chosen and why, and what was assumed. */
  readonly sentence: string
}

/** What is assumed of a drone's camera that doesn't say it, where the model knows no better. */
const DEFAULT_CAMERA = { heightM: 60, pitchDeg: -90, hfovDeg: 70 } as const
/** Nearer to the horizon distances grow without end: no more than this is planned for. */
const MIN_DEPRESSION_DEG = 10
/** Where sizes are not known, a picture is to keep at least this much of its detail, if the model wants no more. */
const DEFAULT_DETAIL = 0.6
const MIN_SHRINK = 0.25
/** More tiles have to bring things nearer to their size by about this share. */
const WORTH_MORE = 0.1

/**
 * The fewest tiles with which things have the size that the model was trained on, or come as near to it as the CPU allows. The whole picture
 * is always looked at too, for what is larger.
 */
export function planTiles(input: TilingInput): Tiling {
  const { picture, trainedSize, camera, maxLooks } = input
  const all = grids(input)
  const options = all.filter(({ looks }) => looks <= Math.max(1, maxLooks))
  if (!trainedSize) return byDetail(options, all, input.wantedDetail ?? DEFAULT_DETAIL)
  const { objectM, minPx, maxPx } = trainedSize
  const seenPx = objectPixels(picture, trainedSize, camera)
  /** How far from the wanted size, as a factor; 0 for just right. */
  const missOf = ({ scale }: Option) =>
    Math.max(0, Math.log(minPx / (seenPx * scale)), Math.log((seenPx * scale) / maxPx))
  const best = options.reduce((one, other) => (missOf(other) < missOf(one) - WORTH_MORE ? other : one))
  const isTooLarge = best.looks === 1 && seenPx * best.scale > maxPx
  const shrink = isTooLarge ? Math.max(MIN_SHRINK, maxPx / (seenPx * best.scale)) : 1
  const shown = Math.round(seenPx * best.scale * shrink)
  const limit = shown < minPx ? ` The CPU allows no more, ${minPx} would be better.` : ''
  const sentence = `${nameOf(best.grid)}: things of ${objectM} m are ${Math.round(seenPx)} pixels large in the picture and ${shown} for the model.${limit}${assumed(camera, trainedSize)}`
  return { grid: best.grid, scale: best.scale * shrink, shrink, looks: best.looks, sentence }
}

/** How large (the root of a box's area) something in the middle of the picture is, in its pixels. */
export function objectPixels(
  { width }: Size,
  { objectM, assumed: by = DEFAULT_CAMERA }: Pick<TrainedSize, 'objectM' | 'assumed'>,
  camera: CameraFacts,
): number {
  const { heightM = by.heightM, pitchDeg = by.pitchDeg, hfovDeg = by.hfovDeg } = camera
  const focalPx = width / (2 * Math.tan((hfovDeg / 2) * radiansPerDegree))
  const depressionDeg = Math.max(MIN_DEPRESSION_DEG, Math.min(90, -pitchDeg))
  const distanceM = Math.max(1, heightM) / Math.sin(depressionDeg * radiansPerDegree)
  return (focalPx * objectM) / distanceM
}

interface Option {
  readonly grid: TileGrid
  readonly scale: number
  readonly looks: number
}

/** All grids of which something is looked at, the cheapest first. */
function grids({ picture, canvas, tilesShown }: TilingInput): Option[] {
  const counts = Array.from({ length: MAX_TILES }, (_, index) => index + 1)
  const all = counts.flatMap((columns) =>
    counts.flatMap((rows): Option[] => {
      const grid = { columns, rows }
      const isWhole = columns * rows === 1
      const shown = isWhole ? 0 : (tilesShown?.(grid) ?? columns * rows)
      if (!isWhole && shown === 0) return []
      const scale = Math.min(
        (canvas.width * (columns - (columns - 1) * TILE_OVERLAP)) / picture.width,
        (canvas.height * (rows - (rows - 1) * TILE_OVERLAP)) / picture.height,
      )
      return [{ grid, scale, looks: 1 + shown }]
    }),
  )
  return all.sort((a, b) => a.looks - b.looks || b.scale - a.scale)
}

function byDetail(options: readonly Option[], all: readonly Option[], enough: number): Tiling {
  const isEnough = ({ scale }: Option) => scale >= enough
  const best = options.find(isEnough) ?? options.reduce((one, other) => (other.scale > one.scale ? other : one))
  const limit = !isEnough(best) && all.some(isEnough) ? ' The CPU allows no more.' : ''
  const detail = Math.round(100 * Math.min(1, best.scale))
  const sentence = `${nameOf(best.grid)}: how large things are is not known, so the picture keeps ${detail} % of its detail.${limit}`
  return { ...best, shrink: 1, sentence }
}

function assumed({ heightM, pitchDeg, hfovDeg }: CameraFacts, { assumed: by = DEFAULT_CAMERA }: TrainedSize): string {
  const missing = [
    ...(heightM === undefined ? [`a height of ${by.heightM} m`] : []),
    ...(pitchDeg === undefined
      ? [by.pitchDeg === -90 ? 'a camera that looks straight down' : `a camera pitch of ${by.pitchDeg}°`]
      : []),
    ...(hfovDeg === undefined ? [`a horizontal field of view of ${by.hfovDeg}°`] : []),
  ]
  return missing.length > 0 ? ` Telemetry does not say it, so this assumes ${missing.join(', ')}.` : ''
}

function nameOf({ columns, rows }: TileGrid): string {
  return `${columns}x${rows}`
}
