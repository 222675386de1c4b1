import { describe, expect, test } from 'vitest'
import { aTrack, aTrackAt, sceneAt } from '../../../test/builders/alerts.ts'
import { type SceneTrack } from '../../core/scene.ts'
import { createFilter, createRegion } from './filter.ts'
import { seenIn } from './seen-track.ts'

describe('regions', () => {
  const seen = (track: SceneTrack) => seenIn(sceneAt(0, [track]))[0]!

  const lowerLeft = createRegion({
    type: 'polygon',
    points: [
      [0, 0.5],
      [0.5, 0.5],
      [0.5, 1],
      [0, 1],
    ],
  })

  test.each([
    { at: [0.25, 0.75], isIn: true },
    { at: [0.25, 0.45], isIn: false },
    { at: [0.75, 0.75], isIn: false },
    // Its head is above, its feet count.
    { at: [0.25, 0.51], isIn: true },
    // A box that ends below the picture stands at its edge.
    { at: [0.25, 1.2], isIn: true },
  ] as const)('a foot point at $at in the lower left: $isIn', ({ at, isIn }) => {
    expect(lowerLeft(seen(aTrack(1, at)))).toBe(isIn)
  })

  const fiji = createRegion({
    type: 'geo_polygon',
    points: [
      [-17, 179],
      [-17, -179],
      [-18, -179],
      [-18, 179],
    ],
  })
  test.each([
    { place: [-17.5, 179.5], isIn: true },
    { place: [-17.5, -179.5], isIn: true },
    { place: [-17.5, 180], isIn: true },
    { place: [-17.5, -180], isIn: true },
    { place: [-17.5, 178.5], isIn: false },
    { place: [-17.5, -178.5], isIn: false },
    { place: [-17.5, 0], isIn: false },
    { place: [-18.5, 179.5], isIn: false },
  ] as const)('$place in a region across the antimeridian: $isIn', ({ place, isIn }) => {
    expect(fiji(seen(aTrackAt(1, place[0], place[1])))).toBe(isIn)
  })

  test('what has no place is in no geographic region', () => {
    expect(fiji(seen(aTrack(1, [0.5, 0.5])))).toBe(false)
  })

  test('without a region everything counts', () => {
    expect(createRegion(null)(seen(aTrack(1, [0.1, 0.1])))).toBe(true)
  })

  test.each([
    { name: 'nothing asked', filter: {}, isMatch: true },
    { name: 'its class', filter: { classes: ['car', 'person'] }, isMatch: true },
    { name: 'another class', filter: { classes: ['car'] }, isMatch: false },
    { name: 'its confidence', filter: { min_confidence: 80 }, isMatch: true },
    { name: 'more confidence', filter: { min_confidence: 80.5 }, isMatch: false },
    { name: 'its height', filter: { min_height_px: 50 }, isMatch: true },
    { name: 'more height', filter: { min_height_px: 51 }, isMatch: false },
    { name: 'its distance', filter: { max_distance_m: 100 }, isMatch: true },
    { name: 'less distance', filter: { max_distance_m: 99 }, isMatch: false },
    { name: 'one of two', filter: { max_distance_m: 99, classes: ['person'] }, isMatch: false },
  ])('filter: $name', ({ filter, isMatch }) => {
    expect(createFilter(filter)(seen(aTrackAt(1, 50, 10)))).toBe(isMatch)
  })

  test('what has no distance is not within one', () => {
    expect(createFilter({ max_distance_m: 1000 })(seen(aTrack(1, [0.5, 0.5])))).toBe(false)
  })
})
