import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSrtmTerrain } from './srtm-terrain.ts'

let folder: string

/** Heights by the sample's distance from the south-west corner, counted in samples. */
function writeTile(name: string, heightAt: (east: number, north: number) => number): void {
  const side = 1201
  const data = Buffer.alloc(2 * side * side)
  for (let row = 0; row < side; row++)
    for (let column = 0; column < side; column++)
      data.writeInt16BE(heightAt(column, side - 1 - row), 2 * (row * side + column))
  writeFileSync(join(folder, name), data)
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'aerie-terrain-'))
  writeTile('N51W001.hgt', (east, north) => east + 10 * (north % 100))
  writeTile('S01E179.hgt', (east, north) => (east === 600 && north === 600 ? -32768 : 50))
  writeTile('S01W180.hgt', () => 70)
  writeFileSync(join(folder, 'N10E010.hgt'), 'not a tile')
})
afterAll(() => rmSync(folder, { recursive: true }))

test('heights are where the tile’s name and rows say, and between samples in proportion', () => {
  const terrain = createSrtmTerrain(folder)
  expect(terrain.groundHeightM(51, -1)).toBe(0)
  expect(terrain.groundHeightM(51 + 30 / 1200, -1 + 400 / 1200)).toBeCloseTo(700, 6)
  expect(terrain.groundHeightM(51 + 30.5 / 1200, -1 + 400.25 / 1200)).toBeCloseTo(705.25, 6)
  expect(terrain.groundHeightM(51.999999, -0.000001)).toBeGreaterThan(1190)
})

test('the antimeridian has a tile on either side', () => {
  const terrain = createSrtmTerrain(folder)
  expect(terrain.groundHeightM(-0.3, 179.9)).toBe(50)
  expect(terrain.groundHeightM(-0.3, -179.9)).toBe(70)
  expect(terrain.groundHeightM(-0.3, 180)).toBe(70)
})

test.each([
  { name: 'beside a void', latitude: -0.5001, longitude: 179.5001 },
  { name: 'without a tile', latitude: 20, longitude: 20 },
  { name: 'beyond the pole', latitude: 91, longitude: 0 },
  { name: 'nowhere', latitude: NaN, longitude: 0 },
])('the height is not known $name', ({ latitude, longitude }) => {
  expect(createSrtmTerrain(folder).groundHeightM(latitude, longitude)).toBeUndefined()
})

test('a broken tile is warnings of once, and is as good as none', () => {
  const warnings: string[] = []
  const terrain = createSrtmTerrain(folder, (sentence) => warnings.push(sentence))
  expect(terrain.groundHeightM(10.5, 10.5)).toBeUndefined()
  expect(terrain.groundHeightM(10.6, 10.5)).toBeUndefined()
  expect(warnings).toHaveLength(1)
  expect(warnings[0]).toMatch(/N10E010\.hgt is not an SRTM tile/)
})
