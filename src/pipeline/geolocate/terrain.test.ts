import { expect, test } from 'vitest'
import { DEFAULT_SIZES } from '../../core/object-size.ts'
import { standingStill } from '../../core/telemetry.ts'
import { distanceM } from '../../core/wgs84.ts'
import { locateObject } from './locate-object.ts'
import { DEFAULT_UNCERTAINTY } from './position-error.ts'
import { type Terrain } from './terrain.ts'
import { viewOf } from './view.ts'

const north = (metres: number) => 47 + metres / 111_170
const camera = {
  latitudeDeg: 47,
  longitudeDeg: 9,
  altitudeM: 600,
  relAltitudeM: 100,
  hfovDeg: 60,
  vfovDeg: 36,
  cameraYawDeg: 0,
  cameraRollDeg: 0,
}

function locate(pitchDeg: number, terrain: Terrain, values = camera) {
  const telemetry = {
    values: { ...values, cameraPitchDeg: pitchDeg },
    agesMs: {},
    extrapolatedMs: 0,
    motion: standingStill,
  }
  const view = viewOf(telemetry, { width: 1920, height: 1080 }, true)!
  const sighting = { className: 'spot', aimU: 960, aimV: 540, footU: 960, footV: 540, box: undefined }
  return locateObject(sighting, view, { sizes: DEFAULT_SIZES, uncertainty: DEFAULT_UNCERTAINTY, terrain }).location
}

/** Level at 500 m, and from 400 m north of the camera on a slope of 1 in 2. */
const hill: Terrain = {
  groundHeightM: (latitudeDeg) => 500 + Math.max(0, (latitudeDeg - north(400)) * 111_170) / 2,
}

test('on level terrain it is where the plane puts it, nearly', () => {
  const flat: Terrain = { groundHeightM: () => 500 }
  const onPlane = locate(-20, { groundHeightM: () => undefined })
  const onTerrain = locate(-20, flat)
  expect(onPlane.source).toBe('ground')
  expect(onTerrain.source).toBe('terrain')
  expect(distanceM(onPlane.point!, onTerrain.point!)).toBeLessThan(0.02)
  expect(onTerrain.errorM!).toBeCloseTo(onPlane.errorM!, 2)
})

test('the line of sight stops at the hill', () => {
  // 100 m − x·tan 10° = (x − 400)/2 at x = 300/(0.5 + tan 10°).
  const northM = 300 / (0.5 + Math.tan((10 * Math.PI) / 180))
  const { point, source } = locate(-10, hill)
  expect(source).toBe('terrain')
  expect((point!.latitudeDeg - 47) * 111_170).toBeCloseTo(northM, 0)
  expect(point!.altitudeM).toBeCloseTo(500 + (northM - 400) / 2, 0)
})

test('a hill above the camera is seen above the horizon', () => {
  const { point, errorM } = locate(5, hill)
  expect(point!.altitudeM).toBeGreaterThan(600)
  expect(errorM!).toBeGreaterThan(0)
  expect(errorM!).toBeLessThan(50)
})

test('a narrow ridge is not stepped over', () => {
  const ridge: Terrain = {
    groundHeightM: (latitudeDeg) => {
      const fromTop = Math.abs((latitudeDeg - north(1500)) * 111_170)
      return 500 + Math.max(0, 90 - fromTop)
    },
  }
  const { point } = locate(-2, ridge)
  expect((point!.latitudeDeg - 47) * 111_170).toBeGreaterThan(1405)
  expect((point!.latitudeDeg - 47) * 111_170).toBeLessThan(1500)
})

test('terrain takes the place of a missing height above ground', () => {
  const { relAltitudeM: _, ...without } = camera
  expect(locate(-45, hill, without as typeof camera).source).toBe('terrain')
  expect(locate(-45, { groundHeightM: () => undefined }, without as typeof camera).point).toBeUndefined()
})

test('a camera that terrain puts underground is on the plane', () => {
  expect(locate(-45, { groundHeightM: () => 700 }).source).toBe('ground')
})

test('looking at the sky finds nothing', () => {
  expect(locate(60, hill).unlocated).toBe('horizon')
})

test('a slope that is met too flatly is no place, as the plane says too', () => {
  const flat: Terrain = { groundHeightM: () => 593 }
  expect(locate(-0.12, flat).unlocated).toBe('horizon')
  const close = locate(-0.5, flat)
  expect(close.source).toBe('terrain')
  expect(close.errorM!).toBeLessThan(close.distanceM!)
})
