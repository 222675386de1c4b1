import { expect, test } from 'vitest'
import { distanceM } from '../core/wgs84.ts'
import { createGeolocator } from '../pipeline/geolocate/geolocator.ts'
import { fixedTelemetry } from '../pipeline/geolocate/telemetry-buffer.ts'
import { createTelemetryReader } from '../telemetry/telemetry-reader.ts'
import { flightFormats, toFlightMessage } from './flight-message.ts'
import { type Flight, flyFor } from './flight.ts'

const flight: Flight = {
  path: 'orbit',
  latitudeDeg: 51.44162,
  longitudeDeg: -0.94562,
  groundM: 60,
  heightM: 60,
  radiusM: 80,
  speedMps: 5,
  hfovDeg: 70,
  vfovDeg: 43,
}
const geoid = () => 45

/** What stands in the middle of the picture. */
function seenBy(flown: Flight, seconds: number) {
  const person = {
    id: 1,
    classId: 1,
    className: 'person',
    box: { x: 955, y: 500, width: 10, height: 40 },
    confidence: 1,
  }
  const frame = { width: 1920, height: 1080, takenAtMs: 0 }
  const { tracks } = createGeolocator().locate([person], frame, fixedTelemetry(flyFor(flown, seconds))(0))
  return tracks[0]!.location!.point!
}

test('an orbit always looks at its middle', () => {
  const middle = { latitudeDeg: flight.latitudeDeg, longitudeDeg: flight.longitudeDeg, altitudeM: flight.groundM }
  for (const seconds of [0, 7, 50, 1000]) expect(distanceM(seenBy(flight, seconds), middle)).toBeLessThan(0.1)
})

test('a line is flown to its end and back at its speed', () => {
  const line: Flight = { ...flight, path: 'line', radiusM: 50, speedMps: 10 }
  const at = (seconds: number) => flyFor(line, seconds).latitudeDeg!
  expect((at(1) - at(0)) * 111_250).toBeCloseTo(10, 1)
  expect(at(12)).toBeCloseTo(at(8), 9)
  expect(flyFor(line, 12).cameraYawDeg).toBe(180)
})

test('a hover stands still', () => {
  const hover: Flight = { ...flight, path: 'hover' }
  expect(flyFor(hover, 30)).toEqual(flyFor(hover, 0))
  expect(flyFor(hover, 30).latitudeDeg).toBeCloseTo(flight.latitudeDeg, 9)
})

test.each(flightFormats)('messages in the format %s are understood as they were meant', (format) => {
  const reader = createTelemetryReader({ format, parameters: {}, geoidHeightM: geoid })
  const sample = { ...flyFor(flight, 40), timeMs: 1_763_168_400_000 }
  const reading = reader.read(JSON.stringify(toFlightMessage(format, sample, geoid)), sample.timeMs + 20)
  if (!('sample' in reading)) throw new Error(reading.refusal.sentence)
  for (const field of ['latitudeDeg', 'longitudeDeg', 'altitudeM', 'relAltitudeM', 'cameraPitchDeg'] as const)
    expect(reading.sample[field], field).toBeCloseTo(sample[field]!, 6)
  expect(Math.cos(((reading.sample.cameraYawDeg! - sample.cameraYawDeg!) * Math.PI) / 180)).toBeCloseTo(1, 9)
  expect(reading.sample.hfovDeg).toBeGreaterThan(60)
})
