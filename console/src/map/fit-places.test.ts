import { expect, test } from 'vitest'
import { fitPlaces, type Place } from './fit-places.ts'

const camera: Place = [0, 10]
/** A hundredth of a degree is 1,113 m at the equator. */
const north = (metres: number): Place => [metres / 111_320, 10]

test('what the camera sees nearby is in view, and so are all tracks', () => {
  expect(fitPlaces(camera, [north(200)], [north(20)])).toEqual([camera, north(20), north(200)])
})

test.each([
  { name: 'the horizon is not', track: 20, corner: 20_000, reachM: 300 },
  { name: 'further when there is something far away', track: 1_000, corner: 20_000, reachM: 4_000 },
])('$name', ({ track, corner, reachM }) => {
  const [, , reached] = fitPlaces(camera, [north(corner)], [north(track)])
  expect(reached![0] * 111_320).toBeCloseTo(reachM)
  expect(reached![1]).toBe(10)
})

test('a corner straight below the camera is where it is', () => {
  expect(fitPlaces(camera, [camera], [])).toEqual([camera, camera])
})

test('a view across 180° does not go around the world', () => {
  const [, track, corner] = fitPlaces([0, 179.999], [[0, -179.999]], [[0, -179.999]])
  expect(track![1]).toBeCloseTo(180.001)
  expect(corner![1]).toBeCloseTo(180.001)
})

test('without a camera only tracks are in view', () => {
  expect(fitPlaces(undefined, [north(100)], [north(20)])).toEqual([north(20)])
})
