import { describe, expect, test } from 'vitest'
import { type TelemetrySample } from '../../core/telemetry.ts'
import { distanceM, moveBy } from '../../core/wgs84.ts'
import { createTelemetryBuffer, type TelemetryBufferOptions } from './telemetry-buffer.ts'

const t0 = 1_763_168_400_000

function bufferOf(samples: readonly TelemetrySample[], options: Partial<TelemetryBufferOptions> = {}) {
  const buffer = createTelemetryBuffer({ maxAgeMs: 2000, ...options })
  for (const sample of samples) buffer.add(sample)
  return buffer
}
const yaws = (...pairs: readonly (readonly [number, number])[]) =>
  pairs.map(([afterMs, cameraYawDeg]) => ({ timeMs: t0 + afterMs, cameraYawDeg }))

describe('between messages', () => {
  test.each([
    { name: 'to the right through 180°', from: 170, to: -170, at: 500, is: -180 },
    { name: 'to the left through −180°', from: -175, to: 175, at: 250, is: -177.5 },
    { name: 'through north', from: 350, to: 10, at: 750, is: 5 },
    { name: 'plainly', from: 20, to: 40, at: 500, is: 30 },
  ])('a heading turns by the shorter way: $name', ({ from, to, at, is }) => {
    const values = bufferOf(yaws([0, from], [1000, to])).at(t0 + at)!.values
    expect(values.cameraYawDeg).toBeCloseTo(is, 9)
  })

  test('the place moves straight over the antimeridian', () => {
    const from = { latitudeDeg: -16, longitudeDeg: 179.9999, altitudeM: 0 }
    const to = moveBy(from, 40, 0)
    const buffer = bufferOf([
      { timeMs: t0, ...from },
      { timeMs: t0 + 1000, ...to, altitudeM: 10 },
    ])
    const { values, motion } = buffer.at(t0 + 250)!
    expect(distanceM({ ...from, ...values }, { ...moveBy(from, 10, 0), altitudeM: 2.5 })).toBeLessThan(0.01)
    expect(motion.speedMps).toBeCloseTo(40, 1)
  })

  test('the place moves straight over the pole', () => {
    const here = { latitudeDeg: 89.9999, longitudeDeg: 0 }
    const beyond = { latitudeDeg: 89.9999, longitudeDeg: 180 }
    const { values } = bufferOf([
      { timeMs: t0, ...here },
      { timeMs: t0 + 1000, ...beyond },
    ]).at(t0 + 500)!
    expect(values.latitudeDeg).toBeCloseTo(90, 6)
  })

  test('the lens zooms in proportion', () => {
    const tan = (deg: number) => Math.tan((deg * Math.PI) / 360)
    const buffer = bufferOf([
      { timeMs: t0, hfovDeg: 60, vfovDeg: 40 },
      { timeMs: t0 + 1000, hfovDeg: 15, vfovDeg: 10 },
    ])
    expect(tan(buffer.at(t0 + 500)!.values.hfovDeg!)).toBeCloseTo(Math.sqrt(tan(60) * tan(15)), 9)
  })

  test('messages in the wrong order are put in order', () => {
    const buffer = bufferOf(yaws([0, 0], [1000, 10], [500, 20]))
    expect(buffer.at(t0 + 250)!.values.cameraYawDeg).toBeCloseTo(10, 9)
    expect(buffer.at(t0 + 750)!.values.cameraYawDeg).toBeCloseTo(15, 9)
  })

  test('what lies farther apart than the greatest age is not joined', () => {
    const buffer = bufferOf(yaws([0, 0], [3000, 90]))
    expect(buffer.at(t0 + 1000)!.values.cameraYawDeg).toBe(0)
    expect(buffer.at(t0 + 2500)).toBeUndefined()
  })
})

describe('beyond the newest message', () => {
  test('a turn goes on for as long as the last step took, then holds, then is forgotten', () => {
    const buffer = bufferOf(yaws([0, 170], [500, 175]))
    expect(buffer.at(t0 + 750)!.values.cameraYawDeg).toBeCloseTo(177.5, 9)
    expect(buffer.at(t0 + 1000)!.values.cameraYawDeg).toBeCloseTo(-180, 9)
    expect(buffer.at(t0 + 2000)).toMatchObject({ extrapolatedMs: 1500, agesMs: { cameraYawDeg: 1500 } })
    expect(buffer.at(t0 + 2400)!.values.cameraYawDeg).toBeCloseTo(-180, 9)
    expect(buffer.at(t0 + 2501)).toBeUndefined()
  })

  test('a moment before the first message knows nothing', () => {
    expect(bufferOf(yaws([0, 1], [500, 2])).at(t0 - 1)).toBeUndefined()
  })

  test('a gimbal that turns steadily at one message in two seconds turns steadily in every frame', () => {
    const rate = 20
    const buffer = createTelemetryBuffer({ maxAgeMs: 5000 })
    let before: number | undefined
    for (let ms = 0; ms < 40_000; ms += 100) {
      if (ms % 2000 === 0) buffer.add({ timeMs: t0 + ms, cameraYawDeg: (((rate * ms) / 1000 + 540) % 360) - 180 })
      const yaw = buffer.at(t0 + ms + 50)!.values.cameraYawDeg!
      if (ms > 2000) expect(((yaw - before! + 540) % 360) - 180).toBeCloseTo(rate * 0.1, 6)
      before = yaw
    }
  })
})

describe('messages that hold a part', () => {
  test('each field has its newest value and its own age', () => {
    const buffer = bufferOf([
      { timeMs: t0, hfovDeg: 60, vfovDeg: 40, cameraPitchDeg: -30 },
      { timeMs: t0 + 600, latitudeDeg: 48, longitudeDeg: 11 },
      { timeMs: t0 + 900, altitudeM: 600 },
    ])
    const { values, agesMs } = buffer.at(t0 + 1000)!
    expect(values).toMatchObject({ hfovDeg: 60, cameraPitchDeg: -30, altitudeM: 600 })
    expect(values.latitudeDeg).toBeCloseTo(48, 9)
    expect(agesMs).toMatchObject({ hfovDeg: 1000, cameraPitchDeg: 1000, latitudeDeg: 400, altitudeM: 100 })
  })

  test('one old field is left out, the others stay', () => {
    const buffer = bufferOf([
      { timeMs: t0, cameraPitchDeg: -30 },
      { timeMs: t0 + 3000, altitudeM: 600 },
    ])
    expect(buffer.at(t0 + 3000)!.values).toEqual({ altitudeM: 600 })
  })

  test('fields of view hold until they are sent anew, but not when nothing is sent', () => {
    const buffer = bufferOf([{ timeMs: t0, hfovDeg: 60, vfovDeg: 40 }])
    for (let ms = 0; ms <= 120_000; ms += 500) buffer.add({ timeMs: t0 + ms, altitudeM: 600 })
    buffer.add({ timeMs: t0 + 120_000, hfovDeg: 20, vfovDeg: 10 })
    expect(buffer.at(t0 + 119_000)!.values.hfovDeg).toBe(60)
    expect(buffer.at(t0 + 120_000)!.values.hfovDeg).toBeCloseTo(20, 9)
    expect(buffer.at(t0 + 122_001)).toBeUndefined()
  })

  test('a sender that lost its fix is nowhere, until it has one again', () => {
    const place = { latitudeDeg: 48, longitudeDeg: 11 }
    const buffer = bufferOf([
      { timeMs: t0, ...place, altitudeM: 600 },
      { timeMs: t0 + 1000, hasNoFix: true, altitudeM: 600 },
      { timeMs: t0 + 2000, ...place },
    ])
    expect(buffer.at(t0 + 900)!.values.latitudeDeg).toBeDefined()
    expect(buffer.at(t0 + 1500)!.values).toEqual({ altitudeM: 600 })
    expect(buffer.at(t0 + 2100)!.values.latitudeDeg).toBeDefined()
  })

  test('what the laser hit is soon something else', () => {
    const laser = { latitudeDeg: 48, longitudeDeg: 11, altitudeM: 500, distanceM: 120 }
    const buffer = bufferOf([{ timeMs: t0, laser, altitudeM: 600 }])
    expect(buffer.at(t0 + 400)!.values.laser).toEqual(laser)
    expect(buffer.at(t0 + 600)!.values.laser).toBeUndefined()
  })
})

test('video that comes later is matched with what was', () => {
  const buffer = bufferOf(yaws([0, 0], [1000, 10], [2000, 20]), { timeOffsetMs: 1500 })
  expect(buffer.at(t0 + 2000)!.values.cameraYawDeg).toBeCloseTo(5, 9)
})

test('a sender whose clock was set back is not mixed with what it said before', () => {
  const buffer = bufferOf([...yaws([3000, 90], [4000, 90]), { timeMs: t0, cameraYawDeg: 10, startsAnew: true }])
  expect(buffer.at(t0 + 1500)!.values.cameraYawDeg).toBe(10)
  expect(buffer.at(t0 + 4000)).toBeUndefined()
})

test('a bias is added to headings', () => {
  const buffer = bufferOf([{ timeMs: t0, cameraYawDeg: 178, droneYawDeg: 0, cameraRollDeg: 1 }], { yawBiasDeg: 5 })
  expect(buffer.at(t0)!.values).toEqual({ cameraYawDeg: -177, droneYawDeg: 5, cameraRollDeg: 1 })
})

test('a thousand messages a second for ten minutes stay few, and the last seconds stay known', () => {
  const buffer = createTelemetryBuffer({ maxAgeMs: 2000 })
  for (let ms = 0; ms < 600_000; ms += 1) buffer.add({ timeMs: t0 + ms, altitudeM: ms / 100 })
  const at = (ms: number) => buffer.at(t0 + ms)!.values.altitudeM!
  expect(at(599_999) - at(599_499)).toBeCloseTo(5, 1)
  expect(at(599_499) - at(580_499)).toBeCloseTo(190, 1)
  expect(buffer.at(t0 + 100_000)).toBeUndefined()
})
