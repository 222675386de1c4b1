/** The vendor's slow messages, from the wire to places on the ground. */
import { expect, test } from 'vitest'
import { syncMessage } from '../../test/builders/vendor-messages.ts'
import { wrapDegrees } from '../core/numbers.ts'
import { type GeoPoint } from '../core/geo-point.ts'
import { distanceM } from '../core/wgs84.ts'
import { createGeolocator } from '../pipeline/geolocate/geolocator.ts'
import { createTelemetryBuffer } from '../pipeline/geolocate/telemetry-buffer.ts'
import { createTelemetryReader } from './telemetry-reader.ts'

const start = 1_763_168_400_000
const yawRate = 15
const { host } = syncMessage.data
const { '99-0-0': camera, cameras: _cameras, ...aircraft } = host

function messageAt(ms: number): string {
  const gimbal = { gimbal_pitch: -40, gimbal_roll: 0, gimbal_yaw: wrapDegrees((yawRate * ms) / 1000) }
  const payload = { ...gimbal, payload_index: camera.payload_index, zoom_factor: 7 }
  return JSON.stringify({ timestamp: start + ms, data: { sn: 'A', host: { ...aircraft, '99-0-0': payload } } })
}

test('with a message in two seconds and a gimbal that turns, places move smoothly through ±180°', () => {
  const reader = createTelemetryReader({ format: 'vendor_a', parameters: {}, geoidHeightM: () => 44.57 })
  const buffer = createTelemetryBuffer({ maxAgeMs: 5000 })
  const geolocator = createGeolocator()
  const places: GeoPoint[] = []
  for (let ms = 0; ms < 30_000; ms += 100) {
    if (ms % 2000 === 0) {
      const reading = reader.read(messageAt(ms), start + ms + 150)
      if ('sample' in reading) buffer.add(reading.sample)
    }
    const box = { x: 950, y: 500, width: 20, height: 40 }
    const track = { id: 1, classId: 1, className: 'person', box, confidence: 1 }
    const frame = { width: 1920, height: 1080, takenAtMs: start + ms + 50 }
    const { tracks } = geolocator.locate([track], frame, buffer.at(frame.takenAtMs))
    if (ms > 2000) places.push(tracks[0]!.location!.point!)
  }
  // Every frame the middle of the picture turns by 1.5° on a circle around the aircraft.
  const steps = places.slice(1).map((place, i) => distanceM(place, places[i]!))
  const radius = 62.4 / Math.tan((40 * Math.PI) / 180)
  const step = 2 * radius * Math.sin(((yawRate / 10 / 2) * Math.PI) / 180)
  for (const length of steps) expect(Math.abs(length - step)).toBeLessThan(0.05)
})
