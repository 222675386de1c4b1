import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type CameraState,
  offsetTo,
  photograph,
  type Place,
  separation,
} from '../../../test/builders/forward-camera.ts'
import { DEFAULT_SIZES } from '../../core/object-size.ts'
import { standingStill, type Telemetry } from '../../core/telemetry.ts'
import { distanceM } from '../../core/wgs84.ts'
import { findLaserTarget, locateObject, type Sighting, sightingOf } from './locate-object.ts'
import { DEFAULT_UNCERTAINTY } from './position-error.ts'
import { viewOf } from './view.ts'

const knowledge = { sizes: DEFAULT_SIZES, uncertainty: DEFAULT_UNCERTAINTY, terrain: undefined }
const frame = { width: 1920, height: 1080 }
const full: Telemetry = {
  latitudeDeg: 48,
  longitudeDeg: 11,
  altitudeM: 600,
  relAltitudeM: 100,
  hfovDeg: 60,
  vfovDeg: 36,
  cameraYawDeg: 0,
  cameraPitchDeg: -45,
  cameraRollDeg: 0,
}
const home = { latitudeDeg: 48, longitudeDeg: 11, altitudeM: 500 }

const still = (values: Telemetry) => ({ values, agesMs: {}, extrapolatedMs: 0, motion: standingStill })
const at = (u: number, v: number, className = 'spot'): Sighting => ({
  className,
  aimU: u,
  aimV: v,
  footU: u,
  footV: v,
  box: undefined,
})

function locate(telemetry: Telemetry, sighting: Sighting, size = frame) {
  return locateObject(sighting, viewOf(still(telemetry), size, false)!, knowledge).location
}

describe('by hand', () => {
  test('straight down, the middle of the picture is below the camera', () => {
    const { point, distanceM: away, azimuthDeg, elevationDeg } = locate({ ...full, cameraPitchDeg: -90 }, at(960, 540))
    expect(distanceM(point!, home)).toBeLessThan(0.001)
    expect(away).toBeCloseTo(100, 4)
    expect([azimuthDeg, elevationDeg]).toEqual([0, 0])
  })

  test('straight down, the top of the picture is where the heading points', () => {
    const { point } = locate({ ...full, cameraPitchDeg: -90, cameraYawDeg: 90 }, at(960, 0))
    expect(point!.longitudeDeg).toBeGreaterThan(11)
    expect(distanceM(point!, home)).toBeCloseTo(100 * Math.tan((18 * Math.PI) / 180), 2)
  })

  test('at 45° down, it is as far away as the camera is high', () => {
    const { point, distanceM: away } = locate(full, at(960, 540))
    expect(point!.longitudeDeg).toBeCloseTo(11, 9)
    // 100 m north at 48°: a degree of latitude is 111,200 m there.
    expect(point!.latitudeDeg).toBeCloseTo(48 + 100 / 111_200, 6)
    expect(point!.altitudeM).toBeCloseTo(500, 3)
    expect(away).toBeCloseTo(141.42, 2)
  })

  test('a camera that leans to the right sees the ground on its right nearer', () => {
    const level = locate({ ...full, cameraPitchDeg: -20 }, at(1900, 540))
    const leaning = locate({ ...full, cameraPitchDeg: -20, cameraRollDeg: 10 }, at(1900, 540))
    expect(leaning.distanceM!).toBeLessThan(level.distanceM! - 50)
  })

  test.each([
    { name: 'level', pitch: 0 },
    { name: 'up', pitch: 30 },
    { name: 'hardly down', pitch: -0.15 },
    { name: 'down by less than the horizon dips', pitch: -0.3 },
  ])('looking $name, nothing has a place, but its direction holds', ({ pitch }) => {
    const is = locate({ ...full, cameraPitchDeg: pitch }, at(1200, 540))
    expect(is).toMatchObject({ elevationDeg: 0, unlocated: 'horizon' })
    expect(is.azimuthDeg).toBeGreaterThan(7)
    expect(is.point).toBeUndefined()
    expect(is.distanceM).toBeUndefined()
  })

  test('the corner of the picture is at half the fields of view', () => {
    const { azimuthDeg, elevationDeg } = locate(full, at(1920, 0))
    expect(azimuthDeg).toBeCloseTo(30, 9)
    expect(elevationDeg).toBeCloseTo(18, 9)
  })
})

describe('against a forward model of the camera', () => {
  const between = (min: number, max: number) => fc.double({ min, max, noNaN: true })
  const longitudes = fc.oneof(between(-180, 180), between(179.97, 180), between(-180, -179.97))
  const latitudes = fc.oneof(between(-89.9, 89.9), between(89, 89.9), between(-89.9, -89))

  test('what it photographs is found again within a centimetre, at any place and attitude', () => {
    let maxError = 0
    const scenes = fc.record({
      lat: latitudes,
      lon: longitudes,
      ground: between(-400, 4000),
      above: between(10, 600),
      away: between(0, 1900),
      bearing: between(0, 360),
      hfov: between(3, 110),
      aspect: between(0.5, 2),
      turn: fc.tuple(between(-1, 1), between(-1, 1)),
      roll: between(-180, 180),
    })
    fc.assert(
      fc.property(scenes, ({ lat, lon, ground, above, away, bearing, hfov, aspect, turn, roll }) => {
        const from: Place = { lat, lon, height: ground + above }
        const metresPerDegree = 111_320
        const bearingRad = (bearing * Math.PI) / 180
        const toLat = Math.max(-90, Math.min(90, lat + (away * Math.cos(bearingRad)) / metresPerDegree))
        const east = (away * Math.sin(bearingRad)) / (metresPerDegree * Math.cos((lat * Math.PI) / 180))
        const to: Place = { lat: toLat, lon: ((lon + east + 540) % 360) - 180, height: ground }
        const real = separation(from, to)
        fc.pre(real >= 10 && real <= 2000)

        const [north, eastward, down] = offsetTo(from, to)
        const vfov = (2 * Math.atan(Math.tan((hfov * Math.PI) / 360) / aspect) * 180) / Math.PI
        const camera: CameraState = {
          ...from,
          yaw: (Math.atan2(eastward, north) * 180) / Math.PI + (turn[0] * hfov) / 2,
          pitch: (-Math.atan2(down, Math.hypot(north, eastward)) * 180) / Math.PI + (turn[1] * vfov) / 2,
          roll,
          hfov,
          vfov,
          width: 1920,
          height_px: 1080,
        }
        const pixel = photograph(camera, to)
        fc.pre(pixel !== undefined && pixel[0] >= 0 && pixel[0] <= 1920 && pixel[1] >= 0 && pixel[1] <= 1080)

        const telemetry: Telemetry = {
          latitudeDeg: lat,
          longitudeDeg: lon,
          altitudeM: ground + above,
          relAltitudeM: above,
          hfovDeg: hfov,
          vfovDeg: vfov,
          cameraYawDeg: camera.yaw,
          cameraPitchDeg: camera.pitch,
          cameraRollDeg: roll,
        }
        const { point, distanceM } = locate(telemetry, at(pixel[0], pixel[1]))
        const found = { lat: point!.latitudeDeg, lon: point!.longitudeDeg, height: point!.altitudeM }
        const error = separation(found, to)
        maxError = Math.max(maxError, error)
        expect(error).toBeLessThan(0.01)
        expect(Math.abs(distanceM! - real)).toBeLessThan(0.01)
      }),
      { numRuns: 3000 },
    )
    expect(maxError).toBeLessThan(0.002)
  })
})

describe('what it is decides where it is', () => {
  const box = { x: 940, y: 400, width: 40, height: 100 }

  test('a person is where its feet are, and is aimed at in the middle', () => {
    const person = locate(full, sightingOf('person', box))
    const foot = locate(full, at(960, 500))
    expect(distanceM(person.point!, foot.point!)).toBe(0)
    expect(person.elevationDeg).toBeCloseTo(locate(full, at(960, 450)).elevationDeg, 12)
    expect(person.source).toBe('ground')
  })

  test('something that flies is in the air, as far away as its size says', () => {
    const drone = locate({ ...full, cameraPitchDeg: 0 }, sightingOf('drone', { x: 950, y: 300, width: 20, height: 10 }))
    // 0.35 m over 20 pixels of a focal length of 1662.8 pixels, off the axis by 235 of 1662 pixels.
    expect(drone.distanceM!).toBeCloseTo(29.1 * Math.hypot(1, 235 / 1661.9), 1)
    expect(drone.source).toBe('size')
    expect(drone.point!.altitudeM).toBeGreaterThan(600)
  })

  test('something that flies is never below the ground', () => {
    const plane = locate(full, sightingOf('airplane', { x: 950, y: 500, width: 20, height: 10 }))
    expect(plane.unlocated).toBe('underground')
    expect(plane.point).toBeUndefined()
  })

  test('something that flies and is cut by the picture’s edge has no distance', () => {
    const drone = locate(full, sightingOf('drone', { x: 0, y: 500, width: 20, height: 10 }))
    expect(drone).toMatchObject({ unlocated: 'size-unknown' })
    expect(drone.distanceM).toBeUndefined()
  })

  test('with fields of view alone there is direction and distance, and no place', () => {
    const is = locate({ hfovDeg: 60, vfovDeg: 36 }, sightingOf('person', box))
    const focal = 540 / Math.tan((18 * Math.PI) / 180)
    expect(is.distanceM!).toBeCloseTo(((1.7 * focal) / 100) * Math.hypot(1, 90 / focal), 6)
    expect(is).toMatchObject({ source: 'size', unlocated: 'reduced' })
    expect(is.errorM! / is.distanceM!).toBeGreaterThan(0.1)
    expect(is.point).toBeUndefined()
  })

  test.each(['latitudeDeg', 'altitudeM', 'relAltitudeM', 'cameraRollDeg', 'cameraYawDeg'] as const)(
    'without %s there is no place',
    (field) => {
      const is = locate({ ...full, [field]: undefined }, sightingOf('person', box))
      expect(is.point).toBeUndefined()
      expect(is.unlocated).toBe('reduced')
    },
  )

  test('feet below the picture’s edge make the place less sure', () => {
    const seen = locate(full, sightingOf('person', { ...box, y: 970 }))
    const cut = locate(full, sightingOf('person', { ...box, y: 980 }))
    expect(cut.errorM!).toBeGreaterThan(seen.errorM!)
  })
})

describe('laser', () => {
  const target = { latitudeDeg: 48 + 100 / 111_200, longitudeDeg: 11, altitudeM: 500, distanceM: 141.4 }
  const middle = { x: 940, y: 520, width: 40, height: 40 }

  const viewed = { ...full, laser: target }

  test('what the rangefinder measured is where it says', () => {
    const is = locate(viewed, sightingOf('car', middle, true))
    expect(is).toMatchObject({ source: 'laser', distanceM: 141.4 })
    expect(is.point!.latitudeDeg).toBe(target.latitudeDeg)
  })

  test('it measured the smallest box around the middle of the picture, and nothing beside it', () => {
    const view = viewOf(still(viewed), frame, false)!
    const bus = { box: { x: 700, y: 300, width: 500, height: 400 } }
    const beside = { box: { ...middle, x: 1000 } }
    expect(findLaserTarget([bus, { box: middle }, beside], view)).toEqual({ box: middle })
    expect(findLaserTarget([beside], view)).toBeUndefined()
    expect(findLaserTarget([bus], viewOf(still(full), frame, false)!)).toBeUndefined()
  })

  test('a target that is not where the laser’s distance says is not believed', () => {
    const is = locate({ ...full, laser: { ...target, latitudeDeg: 49 } }, sightingOf('car', middle, true))
    expect(is.source).toBe('ground')
  })
})
