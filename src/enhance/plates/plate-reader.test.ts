import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { lightings } from '../../../test/builders/rendered-scene.ts'
import { aPlate, type PlateLook } from '../../../test/builders/rendered-plate.ts'
import { renderVehicle, type VehicleLook } from '../../../test/builders/rendered-vehicle.ts'
import { type Quad } from '../picture/quad.ts'
import { loadOcrWeights, WeightsError } from './ocr-weights.ts'
import { openPlateReader, type PlateReader } from './plate-reader.ts'
import { readTrackPlate } from './track-plate.ts'

// Real models: a small or busy machine needs its time.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

let reader: PlateReader
beforeAll(async () => {
  reader = await openPlateReader()
})
afterAll(() => reader.close())

const vehicle = (plate: PlateLook, look: Partial<VehicleLook> = {}) =>
  renderVehicle({ paint: '#305080', width: 560, height: 448, plate: aPlate(plate), ...look })
const plateOf = (...pictures: ReturnType<typeof vehicle>[]) => readTrackPlate(pictures, async () => reader)

const leaning: Quad = [
  { x: 0.33, y: 0.56 },
  { x: 0.64, y: 0.63 },
  { x: 0.63, y: 0.73 },
  { x: 0.32, y: 0.65 },
]
const squarish: Quad = [
  { x: 0.42, y: 0.57 },
  { x: 0.58, y: 0.57 },
  { x: 0.58, y: 0.75 },
  { x: 0.42, y: 0.75 },
]

describe('reading rendered plates', () => {
  test.each<{ name: string; text: string; plate: PlateLook; look?: Partial<VehicleLook> }>([
    { name: 'a plain one', text: 'KX62WTR', plate: { lines: ['KX62 WTR'] } },
    {
      name: 'a yellow one, in noise',
      text: 'LD58HNY',
      plate: { lines: ['LD58 HNY'], paper: '#f0c820' },
      look: { lighting: lightings['noisy']! },
    },
    {
      name: 'one with a country’s band, which is not read',
      text: 'AB123CD',
      plate: { lines: ['AB 123 CD'], country: 'F' },
    },
    { name: 'one that leans', text: 'HNK4729', plate: { lines: ['HNK 4729'], corners: leaning } },
    { name: 'one of two lines', text: 'KX62WTR', plate: { lines: ['KX62', 'WTR'], corners: squarish } },
    { name: 'white on black', text: 'BDF4683', plate: { lines: ['BDF 4683'], paper: '#181818', ink: '#e8e8e8' } },
    {
      name: 'one in dim, cold light',
      text: 'RW3947K',
      plate: { lines: ['RW 3947 K'] },
      look: { lighting: { tint: [0.8, 1, 1.2], exposure: 0.2, noise: 3 } },
    },
    {
      name: 'one in a small picture',
      text: 'MKT5824',
      plate: { lines: ['MKT 5824'] },
      look: { width: 260, height: 208 },
    },
    {
      name: 'one in a large picture',
      text: 'MKT5824',
      plate: { lines: ['MKT 5824'] },
      look: { width: 1500, height: 1200 },
    },
  ])('$name', async ({ text, plate, look }) => {
    const read = await plateOf(vehicle(plate, look))
    expect(read?.text).toBe(text)
    expect(read!.confidence).toBeGreaterThan(0.6)
  })

  test('a brand and a model are not taken for a plate', async () => {
    expect(await plateOf(vehicle({ lines: ['TOYOTA'], paper: '#305080', ink: '#e0e0e0' }))).toBeNull()
  })

  test('a vehicle without a plate has none', async () => {
    expect(await plateOf(renderVehicle({ paint: '#305080', width: 400, height: 320 }))).toBeNull()
  })

  test('several crops of one vehicle are read as one', async () => {
    const plate = { lines: ['GZ 7294 H'] }
    const crops = [3, 4, 5].map((seed) => vehicle(plate, { width: 220, height: 176, lighting: { noise: 22, seed } }))
    expect((await plateOf(...crops))?.text).toBe('GZ7294H')
  })
})

test('weights that are missing are reported, with what to do', async () => {
  const loading = loadOcrWeights('/nowhere')
  await expect(loading).rejects.toThrow(WeightsError)
  await expect(loading).rejects.toThrow(
    /^The weights for plates are missing \(@gutenye\/ocr-models\/.*\); run `npm ci`/,
  )
})
