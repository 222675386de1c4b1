import { type Box, type Size } from '../../core/detection.ts'
import { wholePicture } from './letterbox.ts'

/** Into how many tiles a picture is cut, so that small objects are large enough for the model. */
export interface TileGrid {
  readonly columns: number
  readonly rows: number
}

export const MAX_TILES = 4
/** How much of a tile its neighbour shows too: what is smaller than this is whole in one of them. */
export const TILE_OVERLAP = 0.2

/** `2x2`: columns, then rows, each from 1 to 4. */
export function parseTileGrid(text: string): TileGrid {
  const [, columns, rows] = /^([1-9])x([1-9])$/.exec(text) ?? []
  const grid = { columns: Number(columns), rows: Number(rows) }
  if (grid.columns <= MAX_TILES && grid.rows <= MAX_TILES) return grid
  throw new Error(`"${text}" is not a tile grid; write columns and rows from 1 to ${MAX_TILES}, as in 2x2.`)
}

/**
 * The regions of a picture that are looked at one by one: the whole picture first (for what is larger than a tile),
 * then the tiles row by row. A grid of 1×1 is the whole picture alone.
 */
export function tileRegions(picture: Size, { columns, rows }: TileGrid): readonly Box[] {
  const whole = wholePicture(picture)
  if (columns * rows === 1) return [whole]
  const spansX = spans(picture.width, columns)
  const spansY = spans(picture.height, rows)
  const tiles = spansY.flatMap((y) =>
    spansX.map((x) => ({ x: x.start, y: y.start, width: x.length, height: y.length })),
  )
  return [whole, ...tiles]
}

/** `count` overlapping pieces of equal length that together cover `length`. */
function spans(length: number, count: number): { start: number; length: number }[] {
  const piece = length / (count - (count - 1) * TILE_OVERLAP)
  return Array.from({ length: count }, (_, index) => {
    // Even borders, because the colour of YUV 4:2:0 video is stored for every other pixel only.
    const start = evenBelow(index * piece * (1 - TILE_OVERLAP))
    const end = index === count - 1 ? length : Math.min(length, evenBelow(start + piece + 1))
    return { start, length: end - start }
  })
}

function evenBelow(value: number): number {
  return Math.floor(value / 2) * 2
}
