import { expect, test } from 'vitest'
import { z } from 'zod'
import { readNative, toNative } from './native-format.ts'
import { DroneData, SentTelemetry } from './telemetry.schema.ts'

test('what is passed on is what the documents say, its time included', () => {
  const passedOn = toNative({ latitudeDeg: 51.4, droneYawDeg: 350 }, 1763168400500)
  expect(z.strictObject(DroneData.shape).parse(passedOn)).toEqual({
    timestamp: 1763168400.5,
    latitude: 51.4,
    drone_yaw: 350,
  })
})

test.each([
  { name: 'seconds', message: { timestamp: 1763168400.5, camera_yaw: 90 }, isTaken: true },
  { name: 'ISO 8601', message: { timestamp: '2025-11-15T01:00:00.500Z', camera_yaw: null, speed: 3 }, isTaken: true },
  { name: 'no time', message: { camera_yaw: 90 }, isTaken: false },
])('the documents take what is understood: $name', ({ message, isTaken }) => {
  expect(SentTelemetry.safeParse(message).success).toBe(isTaken)
  expect('sample' in readNative(message)).toBe(isTaken)
})
