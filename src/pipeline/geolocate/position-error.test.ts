import { expect, test } from 'vitest'
import { DEFAULT_SIZES } from '../../core/object-size.ts'
import { type CarrierMotion, standingStill, type Telemetry } from '../../core/telemetry.ts'
import { distanceM, moveBy } from '../../core/wgs84.ts'
import { locateObject } from './locate-object.ts'
import { type Uncertainty, DEFAULT_UNCERTAINTY } from './position-error.ts'
import { viewOf } from './view.ts'

const frame = { width: 1920, height: 1080 }
const pose = {
  latitudeDeg: 51.4,
  longitudeDeg: -0.9,
  altitudeM: 150,
  relAltitudeM: 80,
  hfovDeg: 60,
  vfovDeg: 36,
  cameraYawDeg: 120,
  cameraPitchDeg: -30,
  cameraRollDeg: 2,
}

/** A fixed stream of normal deviations. */
function createNormal(seed: number): () => number {
  let state = seed
  const uniform = () => (state = (state * 16807) % 2147483647) / 2147483647
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform())
}

function locate(values: Telemetry, [u, v]: readonly [number, number], motion: CarrierMotion, uncertainty: Uncertainty) {
  const view = viewOf({ values, agesMs: {}, extrapolatedMs: 0, motion }, frame, false)!
  const sighting = { className: 'spot', aimU: u, aimV: v, footU: u, footV: v, box: undefined }
  return locateObject(sighting, view, { sizes: DEFAULT_SIZES, uncertainty, terrain: undefined }).location
}

const turning = { speedMps: 12, yawRateDegPerS: 25, pitchRateDegPerS: 5 }

interface Case {
  readonly name: string
  readonly pitch: number
  readonly pixel: readonly [number, number]
  readonly motion?: CarrierMotion
  readonly uncertainty?: Uncertainty
}

const cases: readonly Case[] = [
  { name: 'from above', pitch: -80, pixel: [900, 500] },
  { name: 'from the side', pitch: -30, pixel: [960, 540] },
  { name: 'in a corner', pitch: -30, pixel: [1850, 1000] },
  { name: 'flat', pitch: -12, pixel: [300, 600] },
  { name: 'while flying and turning', pitch: -25, pixel: [700, 400], motion: turning },
  {
    name: 'with a bad compass alone',
    pitch: -30,
    pixel: [960, 540],
    uncertainty: { ...DEFAULT_UNCERTAINTY, yawDeg: 5, pitchDeg: 0.01, rollDeg: 0.01, positionM: 0, heightShare: 0 },
  },
]

test.each(cases)('about two of three points lie within their error: $name', (scene) => {
  const { pitch, pixel, motion = standingStill, uncertainty = DEFAULT_UNCERTAINTY } = scene
  const truth = { ...pose, cameraPitchDeg: pitch }
  const real = locate(truth, pixel, motion, uncertainty).point!
  const normal = createNormal(42)
  const heightSd = Math.hypot(uncertainty.heightM, uncertainty.heightShare * pose.relAltitudeM)
  const rounds = 4000
  let inside = 0
  for (let round = 0; round < rounds; round++) {
    const lateS = (normal() * uncertainty.timeMs) / 1000
    const placed = moveBy(
      { ...pose },
      normal() * uncertainty.positionM + lateS * motion.speedMps,
      normal() * uncertainty.positionM,
    )
    const measured = {
      ...truth,
      latitudeDeg: placed.latitudeDeg,
      longitudeDeg: placed.longitudeDeg,
      relAltitudeM: truth.relAltitudeM + normal() * heightSd,
      cameraYawDeg: truth.cameraYawDeg + normal() * uncertainty.yawDeg + lateS * motion.yawRateDegPerS,
      cameraPitchDeg: truth.cameraPitchDeg + normal() * uncertainty.pitchDeg + lateS * motion.pitchRateDegPerS,
      cameraRollDeg: truth.cameraRollDeg + normal() * uncertainty.rollDeg,
    }
    const { point, errorM } = locate(measured, [pixel[0] + normal(), pixel[1] + normal()], motion, uncertainty)
    if (point && distanceM({ ...point, altitudeM: real.altitudeM }, real) <= errorM!) inside += 1
  }
  expect(inside / rounds).toBeGreaterThan(0.61)
  expect(inside / rounds).toBeLessThan(0.7)
})

test('farther away is less sure, and so is a value that was carried on', () => {
  const error = (values: Telemetry, extrapolatedMs = 0) => {
    const view = viewOf({ values, agesMs: {}, extrapolatedMs, motion: turning }, frame, false)!
    const sighting = { className: 'spot', aimU: 960, aimV: 540, footU: 960, footV: 540, box: undefined }
    return locateObject(sighting, view, { sizes: {}, uncertainty: DEFAULT_UNCERTAINTY, terrain: undefined }).location
      .errorM!
  }
  expect(error({ ...pose, cameraPitchDeg: -10 })).toBeGreaterThan(2 * error(pose))
  expect(error(pose, 1000)).toBeGreaterThan(2 * error(pose))
})
