import { expect, test } from 'vitest'
import { lensOf } from './lens.ts'

const hd = { width: 1280, height: 720 }

test('the focal lengths come from the fields of view, each for its side', () => {
  const lens = lensOf({ hfovDeg: 90, vfovDeg: 60 }, hd)!
  expect(lens.focalX).toBeCloseTo(640, 9)
  expect(lens.focalY).toBeCloseTo(360 * Math.sqrt(3), 9)
  expect([lens.centreX, lens.centreY]).toEqual([640, 360])
})

test('with square pixels the height follows the picture', () => {
  const lens = lensOf({ hfovDeg: 71.5, vfovDeg: 44.1, fovRule: 'square-pixels' }, { width: 1440, height: 1080 })!
  expect(lens.focalY).toBe(lens.focalX)
})

test('fields of view of a picture of 5:4 say nothing about one of 16:9', () => {
  const thermal = { hfovDeg: 45.8, vfovDeg: 37.34, fovRule: 'same-shape' } as const
  expect(lensOf(thermal, { width: 640, height: 512 })).toBeDefined()
  expect(lensOf(thermal, hd)).toBeUndefined()
})

test.each([
  { name: 'no horizontal field of view', telemetry: { vfovDeg: 40 } },
  { name: 'no vertical field of view', telemetry: { hfovDeg: 40 } },
  { name: 'a field of view of 0', telemetry: { hfovDeg: 0, vfovDeg: 40 } },
  { name: 'not a number', telemetry: { hfovDeg: NaN, vfovDeg: 40 } },
])('there is no lens with $name', ({ telemetry }) => expect(lensOf(telemetry, hd)).toBeUndefined())
