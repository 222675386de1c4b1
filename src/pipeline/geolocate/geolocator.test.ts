import { describe, expect, test } from 'vitest'
import { toLocationFields } from '../../core/location-fields.ts'
import { type SceneTrack } from '../../core/scene.ts'
import { standingStill, type Telemetry } from '../../core/telemetry.ts'
import { cameraOf, createGeolocator } from './geolocator.ts'
import { fixedTelemetry } from './telemetry-buffer.ts'
import { viewOf } from './view.ts'

const camera: Telemetry = {
  latitudeDeg: 51.44162,
  longitudeDeg: -0.94562,
  altitudeM: 67.1,
  relAltitudeM: 7.1,
  hfovDeg: 36.28,
  vfovDeg: 27.61,
  cameraYawDeg: 57,
  cameraPitchDeg: -17,
  cameraRollDeg: 2.4,
}
const size = { width: 768, height: 576 }
const still = (values: Telemetry) => ({
  values,
  agesMs: { cameraYawDeg: 120, latitudeDeg: 40 },
  extrapolatedMs: 0,
  motion: standingStill,
})
const person = (x: number, y: number, id = 1): SceneTrack => ({
  id,
  classId: 1,
  className: 'person',
  box: { x, y, width: 30, height: 80 },
  confidence: 0.9,
})

test('a track gets every field of the interface, and its speed after a while', () => {
  const geolocator = createGeolocator()
  let tracks: readonly SceneTrack[] = []
  for (let i = 0; i < 10; i++)
    tracks = geolocator.locate([person(300 + 4 * i, 200)], { ...size, takenAtMs: i * 143 }, still(camera)).tracks
  const fields = toLocationFields(tracks[0]!.location!)
  expect(Object.keys(fields)).toEqual([
    'latitude',
    'longitude',
    'altitude',
    'distance',
    'azimuth',
    'elevation',
    'position_error_m',
    'position_source',
    'ground_speed',
    'course',
    'telemetry_age_ms',
  ])
  expect(fields).toMatchObject({ altitude: 60, position_source: 'ground', telemetry_age_ms: 120 })
  expect(fields.ground_speed).toBeGreaterThan(0.3)
  expect(fields.ground_speed).toBeLessThan(2)
})

test('without telemetry, or without fields of view, tracks stay as they are', () => {
  const geolocator = createGeolocator()
  const tracks = [person(300, 200)]
  const frame = { ...size, takenAtMs: 0 }
  expect(geolocator.locate(tracks, frame, undefined)).toEqual({ tracks })
  expect(geolocator.locate(tracks, frame, still({ ...camera, hfovDeg: undefined }))).toEqual({ tracks })
})

test('without tracking nothing has a speed', () => {
  const geolocator = createGeolocator()
  for (let i = 0; i < 10; i++) {
    const frame = { ...size, takenAtMs: i * 143 }
    const { tracks } = geolocator.locate([person(300 + 4 * i, 200, 0)], frame, still(camera))
    expect(tracks[0]!.location!.groundSpeedMps).toBeUndefined()
  }
})

test('the lens is part of each location, also of what the laser measured in the middle, and stays out of messages', () => {
  const laser = { latitudeDeg: 51.44162, longitudeDeg: -0.94418, altitudeM: 67.1, distanceM: 100 }
  const drone = { ...person(374, 283), className: 'drone', box: { x: 374, y: 283, width: 20, height: 10 } }
  const geolocator = createGeolocator()
  let tracks: readonly SceneTrack[] = []
  for (const takenAtMs of [0, 500, 1_000])
    tracks = geolocator.locate([drone], { ...size, takenAtMs }, still({ ...camera, laser })).tracks
  const { location } = tracks[0]!
  expect(location).toMatchObject({ source: 'laser', distanceM: 100, groundSpeedMps: expect.any(Number) as number })
  expect(location!.focal!.focalX).toBeCloseTo(384 / Math.tan((18.14 * Math.PI) / 180), 3)
  expect(toLocationFields(location!)).not.toHaveProperty('focal')
})

test('sizes can be changed and added', () => {
  const kite = { size_m: 10, side: 'longer', spread: 0.1, is_flying: true } as const
  const track = { ...person(100, 100), className: 'zeppelin', box: { x: 100, y: 100, width: 50, height: 10 } }
  const frame = { ...size, takenAtMs: 0 }
  const known = createGeolocator({ sizes: { zeppelin: kite } }).locate([track], frame, still(camera))
  const unknown = createGeolocator().locate([track], frame, still(camera))
  expect(known.tracks[0]!.location).toMatchObject({ source: 'size' })
  expect(unknown.tracks[0]!.location).toMatchObject({ source: 'ground' })
})

test('the camera is known of a picture without tracks, too', () => {
  const { tracks, camera: seen } = createGeolocator().locate([], { ...size, takenAtMs: 0 }, still(camera))
  expect(tracks).toEqual([])
  expect(seen).toMatchObject({ headingDeg: 57, point: { latitudeDeg: 51.44162 } })
})

describe('the footprint of the camera', () => {
  const values = {
    latitudeDeg: 51.5,
    longitudeDeg: 0,
    altitudeM: 100,
    relAltitudeM: 100,
    cameraYawDeg: 0,
    cameraPitchDeg: -90,
    cameraRollDeg: 0,
    hfovDeg: 90,
    vfovDeg: 90,
  }
  const frame = { width: 100, height: 100 }
  const look = (change: Partial<typeof values>) =>
    cameraOf(viewOf(fixedTelemetry({ ...values, ...change })(0), frame, false)!)!

  /** Metres north and east of the camera. */
  const metres = ({ latitudeDeg, longitudeDeg }: { latitudeDeg: number; longitudeDeg: number }) => [
    Math.round((latitudeDeg - 51.5) * 111_250),
    Math.round(longitudeDeg * 111_320 * Math.cos((51.5 * Math.PI) / 180)),
  ]

  test('straight down, a camera sees a square as wide as it is high', () => {
    const { footprint, headingDeg } = look({})
    expect(headingDeg).toBe(0)
    expect(footprint.map(metres)).toEqual([
      [-100, -100],
      [-100, 100],
      [100, 100],
      [100, -100],
    ])
  })

  test('a view with the horizon ends a kilometre away', () => {
    const { footprint } = look({ cameraPitchDeg: -20 })
    expect(footprint).toHaveLength(4)
    expect(Math.max(...footprint.map((point) => Math.hypot(...(metres(point) as [number, number]))))).toBeLessThan(1001)
  })

  test('a view of the sky has no footprint', () => {
    expect(look({ cameraPitchDeg: 60 }).footprint).toEqual([])
  })
})
