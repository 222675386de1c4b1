import { expect, test } from 'vitest'
import { createRateCap, maxBitsPerSecond } from './rate-cap.ts'

const size = { width: 1280, height: 720 }

function lastCap(nominalFps: number, realFps: number): number | undefined {
  const cap = createRateCap(size, nominalFps)
  let last: number | undefined
  for (let frame = 0; frame < 100; frame++) last = cap.note(1000 / realFps) ?? last
  return last
}

test.each([
  { width: 640, height: 360, millions: 1.1 },
  { width: 1280, height: 720, millions: 3.3 },
  { width: 1920, height: 1080, millions: 7 },
])('a picture of $height lines may take $millions million bits a second', ({ width, height, millions }) => {
  expect(maxBitsPerSecond({ width, height }) / 1e6).toBeCloseTo(millions, 1)
})

test('a rate as it was announced needs no change, nor does a small difference', () => {
  expect(lastCap(30, 30)).toBeUndefined()
  expect(lastCap(30, 28)).toBeUndefined()
})

test.each([
  { name: 'at a fourth of the frames each may be four times as large', realFps: 7.5, factor: 4 },
  { name: 'at twice the frames each may be half as large', realFps: 60, factor: 0.5 },
])('$name', ({ realFps, factor }) => {
  const off = lastCap(30, realFps)! / maxBitsPerSecond(size) / factor
  expect(off).toBeGreaterThan(0.8)
  expect(off).toBeLessThan(1.2)
})

test('one long gap hardly counts', () => {
  const cap = createRateCap(size, 2)
  expect(cap.note(60_000)).toBeUndefined()
})
