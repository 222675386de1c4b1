import { tmpdir } from 'node:os'
import { expect, test, vi } from 'vitest'
import { carsFromAbove, droneInTheSky, peopleOnThermal, type Rgb } from '../../../test/builders/drawn-objects.ts'
import { type Detection } from '../../core/detection.ts'
import { createDetector } from './detector.ts'
import { letterboxOf, wholePicture } from './letterbox.ts'

// Real models: a small or busy machine needs its time.
vi.setConfig({ testTimeout: 60_000 })

const picture = { width: 640, height: 480 }

async function look(model: string, colourAt: (x: number, y: number) => Rgb) {
  const detector = await createDetector({ model, cacheDir: tmpdir(), confidence: 0.5 })
  const canvas = new Uint8Array(640 * 640 * 3).fill(detector.padding)
  for (let y = 0; y < picture.height; y++)
    for (let x = 0; x < picture.width; x++) canvas.set(colourAt(x + 0.5, y + 0.5), (y * 640 + x) * 3)
  const found = await detector.detect(canvas, letterboxOf(wholePicture(picture), detector.inputSize))
  await detector.close()
  return found
}

test('"airborne" finds a drawn drone where it is', async () => {
  const [found, ...others] = await look('airborne', droneInTheSky({ x: 300, y: 180, width: 36 }, picture.height))
  expect(others).toEqual([])
  expect(found).toMatchObject({ className: 'drone' })
  expect(Math.abs(found!.box.x + found!.box.width / 2 - 300)).toBeLessThan(8)
  expect(Math.abs(found!.box.y + found!.box.height / 2 - 180)).toBeLessThan(8)
})

test('"airborne" finds nothing in an empty sky', async () => {
  expect(await look('airborne', droneInTheSky({ x: -100, y: -100, width: 10 }, picture.height))).toEqual([])
})

const places = [
  { x: 150, y: 120 },
  { x: 330, y: 240 },
  { x: 520, y: 360 },
]

function expectOneAtEach(found: readonly Detection[]): void {
  expect(found).toHaveLength(places.length)
  for (const { x, y } of places) {
    const isNear = ({ box }: Detection) => Math.hypot(box.x + box.width / 2 - x, box.y + box.height / 2 - y) < 6
    expect(found.filter(isNear)).toHaveLength(1)
  }
}

test('"thermal" finds drawn people where they are', async () => {
  const found = await look('thermal', peopleOnThermal(places))
  expect(new Set(found.map(({ className }) => className))).toEqual(new Set(['person']))
  expectOneAtEach(found)
})

test('"overhead" finds drawn cars where they are, as large as they are', async () => {
  const found = await look('overhead', carsFromAbove(places))
  expect(new Set(found.map(({ className }) => className))).toEqual(new Set(['vehicle']))
  expectOneAtEach(found)
  for (const { box } of found) {
    expect(Math.abs(box.width - 42)).toBeLessThan(8)
    expect(Math.abs(box.height - 18)).toBeLessThan(8)
  }
})

test('"overhead", which has the same weights, reports nothing of them', async () => {
  expect(await look('overhead', peopleOnThermal(places))).toEqual([])
})
