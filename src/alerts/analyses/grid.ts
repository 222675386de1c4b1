import { radiansPerDegree, rounded } from '../../core/numbers.ts'
import { type Region } from '../region.schema.ts'
import { longitudeNear, toPlane } from './longitude.ts'
import { boundsOf } from './polygon.ts'
import { type SeenTrack } from './seen-track.ts'

/** Cells in which tracks are counted, frame by frame. */
export interface Grid {
  clear(): void
  /** Answers how many are in its cell now; 0 for what has no place. */
  add(seen: SeenTrack): number
  /** The whole grid, as notifications have it. */
  toFields(): Readonly<Record<string, unknown>>
}

/** Rows and columns over the region's bounding box, or over the whole picture: row 0 is its upper edge. Over a geographic region they lie on the ground: row 0 is the north. */
export function createRasterGrid(rows: number, columns: number, region: Region): Grid {
  const counts = new Uint32Array(rows * columns)
  const isOnGround = region?.type === 'geo_polygon'
  const { minX, minY, maxX, maxY } =
    region === null
      ? { minX: 0, minY: 0, maxX: 1, maxY: 1 }
      : boundsOf(isOnGround ? toPlane(region.points) : region.points)
  const middleX = (minX + maxX) / 2

  return {
    clear: () => void counts.fill(0),
    add({ x, y, point }) {
      if (isOnGround && !point) return 0
      const atX = isOnGround ? longitudeNear(point!.longitudeDeg, middleX) : x
      const column = cellOf((atX - minX) / (maxX - minX), columns)
      const down = isOnGround ? maxY - point!.latitudeDeg : y - minY
      const row = cellOf(down / (maxY - minY), rows)
      return ++counts[row * columns + column]!
    },
    toFields: () => ({
      rows,
      columns,
      grid: Array.from({ length: rows }, (_, row) => [...counts.subarray(row * columns, (row + 1) * columns)]),
    }),
  }
}

/** Which of `count` equal parts of 0…1 it is in; the far edge belongs to the last. */
function cellOf(share: number, count: number): number {
  return Math.min(count - 1, Math.max(0, Math.floor(share * count)))
}

/** A degree along a meridian, about: it differs by half a percent from the equator to the poles. */
const METRES_PER_DEGREE = 111_195
/** More cells than anything is seen in at once. */
const MAX_REPORTED_CELLS = 1_000

/**
 * Cells of so many metres that are the same wherever the camera flies, today and tomorrow: bands of latitude from the
 * equator, each cut into a whole number of cells around the Earth.
 */
export function createGroundGrid(cellMetres: number): Grid {
  const cells = new Map<number, { row: number; column: number; columns: number; count: number }>()
  const cellDeg = cellMetres / METRES_PER_DEGREE
  /** Those who are seen at once are mostly in few bands: the last one's cells are remembered. */
  let band = { row: NaN, columns: 1 }

  function columnsOf(row: number): number {
    if (band.row !== row) {
      const lengthM = 360 * METRES_PER_DEGREE * Math.cos((row + 0.5) * cellDeg * radiansPerDegree)
      band = { row, columns: Math.max(1, Math.round(lengthM / cellMetres)) }
    }
    return band.columns
  }

  return {
    clear: () => cells.clear(),
    add({ point }) {
      if (!point) return 0
      const row = Math.floor(point.latitudeDeg / cellDeg)
      const columns = columnsOf(row)
      const column = Math.floor((longitudeNear(point.longitudeDeg, 0) / 360 + 0.5) * columns) % columns
      // There are fewer than 2^26 columns, even of one metre.
      const key = row * 2 ** 26 + column
      const cell = cells.get(key)
      if (cell) return ++cell.count
      cells.set(key, { row, column, columns, count: 1 })
      return 1
    },
    toFields: () => ({
      cell_meters: cellMetres,
      cells: [...cells.values()]
        .sort((a, b) => b.count - a.count || b.row - a.row || a.column - b.column)
        .slice(0, MAX_REPORTED_CELLS)
        .map(({ row, column, columns, count }) => ({
          latitude: rounded((row + 0.5) * cellDeg, 7),
          longitude: rounded(((column + 0.5) / columns) * 360 - 180, 7),
          count,
        })),
    }),
  }
}
