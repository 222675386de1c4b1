import { expect, test } from 'vitest'
import { sceneOf, seen, seenAt } from '../../test/builders/report.ts'
import { gatherSightings } from './track-sightings.ts'

test('frames are sorted into tracks, and keep their numbers', () => {
  const scenes = [
    sceneOf(1_000, [seen(1), seen(2, { confidence: 0.25 })]),
    sceneOf(1_100, []),
    sceneOf(1_200.4, [seen(1, { box: { x: 1.234, y: 2, width: 3, height: 4 } })]),
  ]
  const gathered = gatherSightings(scenes, 10)
  expect([...gathered.keys()]).toEqual([1, 2])
  expect(gathered.get(1)).toMatchObject({
    times: [1_000, 1_200],
    confidences: [50, 50],
    boxes: [
      [11, 20, 10, 50, 40],
      [13, 1.23, 2, 3, 4],
    ],
    box: [1.23, 2, 3, 4],
    places: [null, null],
    firstLocation: null,
    lastLocation: null,
  })
})

test('what has no identity is not gathered', () => {
  expect(gatherSightings([sceneOf(0, [seen(0), seen(0)])], 0).size).toBe(0)
})

test('the first and the last known place are kept', () => {
  const scenes = [
    sceneOf(1_000, [seen(1)]),
    sceneOf(2_000, [seenAt(1, 48, 11)]),
    sceneOf(3_000, [seenAt(1, 49, 12)]),
    sceneOf(4_000, [seen(1)]),
  ]
  expect(gatherSightings(scenes, 0).get(1)).toMatchObject({
    places: [null, [48, 11, 12], [49, 12, 12], null],
    firstLocation: { latitude: 48, longitude: 11, altitude: 12, timestamp: 2 },
    lastLocation: { latitude: 49, longitude: 12, altitude: 12, timestamp: 3 },
  })
})

test('the class is what the tracker called it last, since it has all the votes', () => {
  const scenes = [
    sceneOf(0, [seen(1)]),
    sceneOf(1, [seen(1)]),
    sceneOf(2, [seen(1, { classId: 8, className: 'truck' })]),
  ]
  expect(gatherSightings(scenes, 0).get(1)).toMatchObject({ classId: 8, className: 'truck' })
})

/** A lens of 90° on 200 pixels; what the laser measures is in the middle of the picture. */
const focal = { focalX: 100, focalY: 50 }
const location = (distance: object) => ({ azimuthDeg: 0, elevationDeg: 0, telemetryAgeMs: 0, focal, ...distance })
const inTheMiddle = { x: 90, y: 45, width: 20, height: 10 }
test.each([
  { name: 'with a measured distance', from: { distanceM: 30, source: 'laser' }, measured: 30, distance: 30 },
  {
    name: 'a distance guessed from the usual size is told apart',
    from: { distanceM: 30, source: 'size' },
    measured: null,
    distance: 30,
  },
  { name: 'without a distance', from: {}, measured: null, distance: null },
] as const)('how large it looks is told: $name', ({ from, measured, distance }) => {
  const track = seen(1, { box: inTheMiddle, location: location(from) })
  const [size] = gatherSightings([sceneOf(0, [track])], 0).get(1)!.sizes
  expect(size).toEqual([expect.closeTo(11.4212, 3), expect.closeTo(11.4212, 3), measured, distance])
})

test('without the lens nobody knows how large it looks', () => {
  const track = seen(1, { location: { azimuthDeg: 3, elevationDeg: 0, telemetryAgeMs: 0 } })
  expect(gatherSightings([sceneOf(0, [track])], 0).get(1)!.sizes).toEqual([null])
})
