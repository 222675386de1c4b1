import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { heightBetween, type Terrain } from './terrain.ts'

/** A tile of one degree has 1201 or 3601 samples a side; the outer ones are shared with the neighbours. */
const sides: Readonly<Record<number, number>> = { [2 * 1201 ** 2]: 1201, [2 * 3601 ** 2]: 3601 }
const VOID_HEIGHT = -32768
/** At 26 MB each; four meet in a corner. */
const MAX_TILES = 4

interface Tile {
  readonly data: Buffer
  readonly side: number
}

/**
 * Terrain from a folder of SRTM `.hgt` tiles, named after their south-west corner (`N51W001.hgt`): rows from north to south,
 * 16-bit big-endian metres above mean sea level. A tile is read when it is first needed; at most four are kept. One that
 * can't be read is reported, and is like one that isn't there.
 */
export function createSrtmTerrain(folder: string, onBadTile: (sentence: string) => void = () => {}): Terrain {
  const tiles = new Map<string, Tile | null>()

  function tileAt(southDeg: number, westDeg: number): Tile | null {
    const name = tileName(southDeg, westDeg)
    let tile = tiles.get(name)
    if (tile === undefined) {
      tile = readTile(join(folder, name), onBadTile)
      for (const old of [...tiles.keys()].slice(0, Math.max(0, tiles.size - MAX_TILES + 1))) tiles.delete(old)
      tiles.set(name, tile)
    }
    return tile
  }

  return {
    groundHeightM(latitudeDeg, longitudeDeg) {
      if (!(Math.abs(latitudeDeg) <= 90 && Math.abs(longitudeDeg) <= 180)) return undefined
      const southDeg = Math.min(89, Math.floor(latitudeDeg))
      const westDeg = Math.floor(longitudeDeg)
      const tile = tileAt(southDeg, westDeg === 180 ? -180 : westDeg)
      return tile ? heightIn(tile, latitudeDeg - southDeg, longitudeDeg - westDeg) : undefined
    },
  }
}

/** Between four samples; undefined beside a void. */
function heightIn({ data, side }: Tile, north: number, east: number): number | undefined {
  const x = east * (side - 1)
  const y = (1 - north) * (side - 1)
  const column = Math.min(side - 2, Math.floor(x))
  const row = Math.min(side - 2, Math.floor(y))
  const sample = (i: number, j: number) => data.readInt16BE(2 * ((row + j) * side + column + i))
  const corners = [sample(0, 0), sample(1, 0), sample(0, 1), sample(1, 1)] as const
  return corners.includes(VOID_HEIGHT) ? undefined : heightBetween(corners, x - column, y - row)
}

function readTile(path: string, onBadTile: (sentence: string) => void): Tile | null {
  try {
    const data = readFileSync(path)
    const side = sides[data.length]
    if (side) return { data, side }
    onBadTile(`${path} is not an SRTM tile: it has ${data.length} bytes, not 2 × 1201² or 2 × 3601².`)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT') onBadTile(`${path} can not be read: ${message}`)
  }
  return null
}

function tileName(southDeg: number, westDeg: number): string {
  const degrees = (value: number, digits: number) => String(Math.abs(value)).padStart(digits, '0')
  return `${southDeg < 0 ? 'S' : 'N'}${degrees(southDeg, 2)}${westDeg < 0 ? 'W' : 'E'}${degrees(westDeg, 3)}.hgt`
}
