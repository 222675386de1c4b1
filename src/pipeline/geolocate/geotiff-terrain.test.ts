import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeArrayBuffer } from 'geotiff'
import { afterEach, expect, test } from 'vitest'
import { createGeoTiffTerrain } from './geotiff-terrain.ts'

const folders: string[] = []
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })))

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'aerie-terrain-'))
  folders.push(folder)
  return folder
}

interface Grid {
  readonly side: number
  readonly heightOf: (column: number, row: number) => number
  readonly west?: number
  readonly keys?: Record<string, unknown>
}

/** A square of 0.1° from its north-west corner at 48°N. */
async function writeTiff(path: string, { side, heightOf, west = 9, keys = {} }: Grid): Promise<void> {
  const heights = new Float32Array(side * side).map((_, index) => heightOf(index % side, Math.floor(index / side)))
  const tiff = writeArrayBuffer(heights as never, {
    width: side,
    height: side,
    ModelPixelScale: [0.1 / side, 0.1 / side, 0],
    ModelTiepoint: [0, 0, 0, west, 48, 0],
    GTModelTypeGeoKey: 2,
    GTRasterTypeGeoKey: 1,
    GeographicTypeGeoKey: 4326,
    BitsPerSample: [32],
    SampleFormat: [3],
    ...keys,
  })
  writeFileSync(path, Buffer.from(tiff))
}

test('heights between pixels are between their heights, also where one block ends and the next begins', async () => {
  const folder = makeFolder()
  const side = 600
  await writeTiff(join(folder, 'ramp.tif'), { side, heightOf: (column, row) => 2 * column + 3 * row })
  const terrain = createGeoTiffTerrain(folder)
  const at = (x: number, y: number) => terrain.groundHeightM(48 - (y * 0.1) / side, 9 + (x * 0.1) / side)
  const places = [
    [100, 100],
    [255.9, 10],
    [256.4, 511.7],
    [599, 599],
  ] as const
  expect(at(100, 100)).toBeUndefined()
  await terrain.settled()
  for (const [x, y] of places) at(x, y)
  await terrain.settled()
  // The middle of a pixel is half a pixel from its corner.
  for (const [x, y] of places) expect(at(x, y)).toBeCloseTo(2 * (x - 0.5) + 3 * (y - 0.5), 3)
})

test('beside the files, and where a pixel is void, nothing is known', async () => {
  const folder = makeFolder()
  const heightOf = (column: number) => (column === 5 ? -9999 : 100)
  await writeTiff(join(folder, 'a.tiff'), { side: 10, heightOf, keys: { GDAL_NODATA: '-9999' } })
  await writeTiff(join(folder, 'b.TIF'), { side: 10, heightOf: () => 700, west: 9.5 })
  const terrain = createGeoTiffTerrain(folder)
  const ask = () => [9.005, 9.055, 9.3, 9.55].map((longitude) => terrain.groundHeightM(47.95, longitude))
  await terrain.settled()
  ask()
  await terrain.settled()
  expect(ask()).toEqual([100, undefined, undefined, 700])
})

test('a file that cannot be used is warnings of once, and the others serve', async () => {
  const folder = makeFolder()
  writeFileSync(join(folder, 'broken.tif'), 'not a picture')
  const keys = { GTModelTypeGeoKey: 1, ProjectedCSTypeGeoKey: 32632 }
  await writeTiff(join(folder, 'metres.tif'), { side: 4, heightOf: () => 5, keys })
  await writeTiff(join(folder, 'right.tif'), { side: 4, heightOf: () => 42 })
  const warnings: string[] = []
  const terrain = createGeoTiffTerrain(folder, (sentence) => warnings.push(sentence))
  await terrain.settled()
  terrain.groundHeightM(47.95, 9.05)
  await terrain.settled()
  expect(terrain.groundHeightM(47.95, 9.05)).toBe(42)
  expect(warnings).toHaveLength(2)
  expect(warnings.join()).toContain('gdalwarp')
})
