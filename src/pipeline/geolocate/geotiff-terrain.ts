import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fromFile, type GeoTIFFImage } from 'geotiff'
import { type Corners, heightBetween, type Terrain } from './terrain.ts'

/** Pixels a side of what is read at once. */
const BLOCK_SIDE = 256
/** At a quarter of a megabyte each. */
const MAX_BLOCKS = 128
/** Coordinate systems in degrees whose difference from WGS-84 is below a metre. */
const geographicSystems = [4326, 4258, 4269, 4283, 7844]

export interface GeoTiffTerrain extends Terrain {
  /** Resolves when what was asked for so far has been read. */
  settled(): Promise<void>
}

/**
 * Terrain from a folder of GeoTIFF files in degrees (Copernicus DEM, SRTM, national models), heights in metres above mean
 * sea level. Reading takes time that no frame has, so what is not there yet is not known: it is read meanwhile, and known
 * to later frames. A file that can't be used is reported, and is like one that isn't there.
 */
export function createGeoTiffTerrain(folder: string, onBadTile: (sentence: string) => void = () => {}): GeoTiffTerrain {
  let tiles: readonly Tile[] = []
  const reading = new Set<Promise<void>>()

  function readMeanwhile(work: Promise<void>, file: string): void {
    const ended = work
      .catch((error: unknown) => onBadTile(`${file} can not be used as terrain: ${(error as Error).message}`))
      .finally(() => reading.delete(ended))
    reading.add(ended)
  }

  for (const file of tiffsIn(folder, onBadTile)) {
    const open = async () => {
      const tile = await openTile(file, readMeanwhile)
      tiles = [...tiles, tile]
    }
    readMeanwhile(open(), file)
  }

  return {
    groundHeightM(latitudeDeg, longitudeDeg) {
      for (const tile of tiles) {
        const heightM = tile.heightAt(latitudeDeg, longitudeDeg)
        if (heightM !== undefined) return heightM
      }
      return undefined
    },
    async settled() {
      while (reading.size > 0) await Promise.all(reading)
    },
  }
}

interface Tile {
  heightAt(latitudeDeg: number, longitudeDeg: number): number | undefined
}

type Heights = ArrayLike<number>

async function openTile(file: string, readMeanwhile: (work: Promise<void>, file: string) => void): Promise<Tile> {
  const image = await (await fromFile(file)).getImage()
  checkUsable(image)
  const [width, height] = [image.getWidth(), image.getHeight()]
  const [west, north] = image.getOrigin() as [number, number]
  const [stepX, stepY] = image.getResolution() as [number, number]
  const voidHeight = image.getGDALNoData()
  // Where the origin is: at the corner of the first pixel, or in its middle.
  const shift = image.pixelIsArea() ? 0.5 : 0
  const blocks = new Map<string, Heights | null>()

  /** With a row and a column of the next block, so that a place between four pixels is always within one. */
  function blockOf(column: number, row: number): Heights | undefined {
    const key = `${column} ${row}`
    const block = blocks.get(key)
    if (block === undefined) readMeanwhile(read(key, column * BLOCK_SIDE, row * BLOCK_SIDE), file)
    return block ?? undefined
  }

  async function read(key: string, left: number, top: number): Promise<void> {
    for (const old of [...blocks.keys()].slice(0, Math.max(0, blocks.size - MAX_BLOCKS + 1))) blocks.delete(old)
    blocks.set(key, null)
    const window = [left, top, Math.min(width, left + BLOCK_SIDE + 1), Math.min(height, top + BLOCK_SIDE + 1)]
    const rasters = await image.readRasters({ window, samples: [0], interleave: true })
    blocks.set(key, rasters)
  }

  return {
    heightAt(latitudeDeg, longitudeDeg) {
      const x = (longitudeDeg - west) / stepX - shift
      const y = (latitudeDeg - north) / stepY - shift
      // Half a pixel beyond the outer ones still belongs to them.
      if (!(x >= -0.5 && y >= -0.5 && x <= width - 0.5 && y <= height - 0.5)) return undefined
      const left = Math.min(Math.max(0, Math.floor(x)), width - 2)
      const top = Math.min(Math.max(0, Math.floor(y)), height - 2)
      const [blockColumn, blockRow] = [Math.floor(left / BLOCK_SIDE), Math.floor(top / BLOCK_SIDE)]
      const heights = blockOf(blockColumn, blockRow)
      if (!heights) return undefined
      const across = Math.min(width - blockColumn * BLOCK_SIDE, BLOCK_SIDE + 1)
      const at = (top - blockRow * BLOCK_SIDE) * across + (left - blockColumn * BLOCK_SIDE)
      const corners = [heights[at], heights[at + 1], heights[at + across], heights[at + across + 1]] as const
      if (corners.some((value) => value === undefined || value === voidHeight || !Number.isFinite(value)))
        return undefined
      return heightBetween(corners as Corners, clamp(x - left), clamp(y - top))
    },
  }
}

const clamp = (share: number) => Math.min(1, Math.max(0, share))

function checkUsable(image: GeoTIFFImage): void {
  const keys: Partial<Record<string, unknown>> = image.getGeoKeys() ?? {}
  const { GeographicTypeGeoKey: system, ProjectedCSTypeGeoKey: projection } = keys
  if (projection !== undefined || !geographicSystems.includes(system as number))
    throw new Error('its coordinates are not degrees of WGS-84; turn it with `gdalwarp -t_srs EPSG:4326`.')
  if (image.getWidth() < 2 || image.getHeight() < 2) throw new Error('it is too small.')
}

function tiffsIn(folder: string, onBadTile: (sentence: string) => void): string[] {
  try {
    const names = readdirSync(folder).filter((name) => /\.tiff?$/i.test(name))
    return names.sort().map((name) => join(folder, name))
  } catch (error) {
    onBadTile(`The folder ${folder} can not be read: ${(error as Error).message}`)
    return []
  }
}
