import { expect, test } from 'vitest'
import { readNative, toNative } from './native-format.ts'

const message = {
  timestamp: 1763168400.5,
  latitude: 51.44162,
  longitude: -0.94562,
  speed: 3.5,
  sensor_hfov: 36.28,
  sensor_vfov: 27.61,
  camera_pitch: -16.977,
  camera_yaw: 57.126,
  camera_roll: 2.381,
  altitude: 67.1,
  rel_altitude: 7.104,
  drone_pitch: 0,
  drone_yaw: 350,
  drone_roll: -1,
}
const sample = {
  timeMs: 1763168400500,
  latitudeDeg: 51.44162,
  longitudeDeg: -0.94562,
  speedMps: 3.5,
  hfovDeg: 36.28,
  vfovDeg: 27.61,
  cameraPitchDeg: -16.977,
  cameraYawDeg: 57.126,
  cameraRollDeg: 2.381,
  altitudeM: 67.1,
  relAltitudeM: 7.104,
  dronePitchDeg: 0,
  droneYawDeg: 350,
  droneRollDeg: -1,
}

test('a whole message is understood, and can be written again', () => {
  expect(readNative(message)).toEqual({ sample })
  expect(toNative(sample, sample.timeMs)).toEqual(message)
})

test('unknown fields are ignored, missing ones and nulls are missing', () => {
  expect(readNative({ timestamp: 1763168400, battery: 'low', altitude: null, camera_yaw: -90 })).toEqual({
    sample: { timeMs: 1763168400000, cameraYawDeg: -90 },
  })
})

test('latitude and longitude 0 are no place', () => {
  const reading = readNative({ ...message, latitude: 0, longitude: 0 })
  expect(reading).toMatchObject({ sample: { hasNoFix: true, altitudeM: 67.1 } })
  expect(reading).not.toHaveProperty('sample.latitudeDeg')
  expect(readNative({ ...message, latitude: 0 })).toMatchObject({ sample: { latitudeDeg: 0, longitudeDeg: -0.94562 } })
})

test.each([
  { name: 'an array', bad: [message], reason: 'not-an-object' },
  { name: 'null', bad: null, reason: 'not-an-object' },
  { name: 'no time', bad: { ...message, timestamp: undefined }, reason: 'timestamp-missing' },
  { name: 'a time as a word', bad: { ...message, timestamp: 'now' }, reason: 'timestamp-missing' },
  { name: 'a number as text', bad: { ...message, latitude: '51.4' }, reason: 'wrong-type' },
  { name: 'not a number', bad: { ...message, altitude: NaN }, reason: 'wrong-type' },
  { name: 'endless', bad: { ...message, altitude: Infinity }, reason: 'wrong-type' },
  { name: 'latitude 91', bad: { ...message, latitude: 91 }, reason: 'out-of-range' },
  { name: 'longitude −181', bad: { ...message, longitude: -181 }, reason: 'out-of-range' },
  { name: 'a field of view of 0', bad: { ...message, sensor_hfov: 0 }, reason: 'out-of-range' },
  { name: 'a field of view of 180', bad: { ...message, sensor_vfov: 180 }, reason: 'out-of-range' },
  { name: 'a pitch of 200', bad: { ...message, camera_pitch: 200 }, reason: 'out-of-range' },
  { name: 'nothing but a time', bad: { timestamp: 1763168400 }, reason: 'nothing-of-use' },
])('$name is refused as a whole: $reason', ({ bad, reason }) => {
  expect(readNative(bad)).toMatchObject({ refusal: { reason } })
})

test('the refusal names the field', () => {
  expect(readNative({ ...message, latitude: 91 })).toMatchObject({
    refusal: { sentence: expect.stringMatching(/^latitude: .*90/) },
  })
})
