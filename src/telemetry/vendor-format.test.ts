import { describe, expect, test } from 'vitest'
import { cloudMessage, directMessage, dockMessage, syncMessage } from '../../test/builders/vendor-messages.ts'
import { type TelemetrySample } from '../core/telemetry.ts'
import { readVendor, type VendorSettings } from './vendor-format.ts'
import { payloadsOf } from './vendor-message.ts'

/** As in Paris. */
const settings: VendorSettings = { lens: 'wide', geoidHeightM: () => 44.57 }

function sampleOf(message: unknown, changes: Partial<VendorSettings> = {}): TelemetrySample {
  const reading = readVendor(message, { ...settings, ...changes })
  if (!('sample' in reading)) throw new Error(reading.refusal.sentence)
  return reading.sample
}
const host = syncMessage.data.host
const withHost = (changes: object) => ({ ...syncMessage, data: { sn: 'x', host: { ...host, ...changes } } })
const reasonOf = (message: unknown) => {
  const reading = readVendor(message, settings)
  return 'refusal' in reading ? reading.refusal.reason : 'understood'
}

describe('the four shapes', () => {
  test('an aircraft with its camera: place, heights above the sea, gimbal, wide lens, laser', () => {
    const sample = sampleOf(syncMessage)
    expect(sample).toMatchObject({
      timeMs: 1763168400123,
      latitudeDeg: 48.85301,
      longitudeDeg: 2.34912,
      relAltitudeM: 62.4,
      speedMps: 5.8,
      droneYawDeg: -37.5,
      dronePitchDeg: -4.1,
      droneRollDeg: 1.2,
      cameraYawDeg: -35.9,
      cameraPitchDeg: -38.2,
      cameraRollDeg: 0,
      fovRule: 'square-pixels',
    })
    expect(sample.altitudeM).toBeCloseTo(107.13, 6)
    expect(sample.hfovDeg).toBeCloseTo(69.6, 6)
    expect(sample.vfovDeg).toBeCloseTo(42.7, 1)
    expect(sample.laser).toMatchObject({ latitudeDeg: 48.85357, longitudeDeg: 2.34849, distanceM: 98.6 })
    expect(sample.laser!.altitudeM).toBeCloseTo(46.33, 6)
    expect(readVendor(syncMessage, settings)).toMatchObject({
      sender: { serialNumber: '1581F8TEST0001', isGateway: false },
    })
  })

  test('an aircraft without its camera: its own attitude is never taken for the camera’s', () => {
    const sample = sampleOf(cloudMessage)
    expect(sample).toMatchObject({ latitudeDeg: 48.85305, relAltitudeM: 62.6, droneYawDeg: -37 })
    for (const name of ['cameraYawDeg', 'cameraPitchDeg', 'hfovDeg', 'laser']) expect(sample).not.toHaveProperty(name)
    const { sender } = readVendor(cloudMessage, settings, { topic: 'thing/product/1581F8TEST0001/osd' })
    expect(sender!.serialNumber).toBe('1581F8TEST0001')
  })

  test('a dock is refused, although it has a place', () => {
    expect(reasonOf(dockMessage)).toBe('dock')
  })

  test('the direct channel: place and gimbal, nothing of zoom and height above ground', () => {
    const sample = sampleOf(directMessage)
    expect(sample).toMatchObject({ cameraYawDeg: -35.8, cameraPitchDeg: -38.1, cameraRollDeg: 0, droneYawDeg: -37.2 })
    expect(sample.altitudeM).toBeCloseTo(107.43, 6)
    expect(sample.speedMps).toBeCloseTo(Math.hypot(3.1, 4.9), 9)
    expect(sample).not.toHaveProperty('relAltitudeM')
    expect(sample).not.toHaveProperty('hfovDeg')
  })
})

describe('what locates nothing', () => {
  test.each([
    { name: 'a dock told by its code', message: { ...syncMessage, biz_code: 'dock_osd' }, reason: 'dock' },
    {
      name: 'a remote controller',
      message: { timestamp: 1763168400123, data: { latitude: 48.8, longitude: 2.3, height: 90, capacity_percent: 80 } },
      reason: 'remote-controller',
    },
    {
      name: 'a message of another method',
      message: { ...directMessage, method: 'hsi_info_push' },
      reason: 'nothing-of-use',
    },
    { name: 'an empty one', message: { timestamp: 1763168400123, data: {} }, reason: 'nothing-of-use' },
    {
      name: 'a first-person camera alone',
      message: { timestamp: 1763168400123, data: { '39-0-7': { gimbal_yaw: 3, gimbal_pitch: 0 } } },
      reason: 'camera-without-gimbal',
    },
    { name: 'one without data', message: { timestamp: 1763168400123 }, reason: 'not-an-object' },
    { name: 'one without a time', message: { data: host }, reason: 'timestamp-missing' },
    { name: 'a latitude of 91', message: withHost({ latitude: 91 }), reason: 'out-of-range' },
    { name: 'a heading as text', message: withHost({ attitude_head: 'north' }), reason: 'wrong-type' },
    {
      name: 'a gimbal as text',
      message: withHost({ '99-0-0': { gimbal_yaw: 1, gimbal_pitch: 'x' } }),
      reason: 'wrong-type',
    },
  ])('$name: $reason', ({ message, reason }) => expect(reasonOf(message)).toBe(reason))

  test.each([
    { name: '0, 0', changes: { latitude: 0, longitude: 0 } },
    { name: 'not fixed', changes: { position_state: { is_fixed: 0 } } },
    { name: 'failed to fix', changes: { position_state: { is_fixed: 3 } } },
  ])('an aircraft without a fix ($name) is nowhere and has no height', ({ changes }) => {
    const sample = sampleOf(withHost(changes))
    expect(sample).toMatchObject({ hasNoFix: true, cameraYawDeg: -35.9 })
    for (const name of ['latitudeDeg', 'longitudeDeg', 'altitudeM', 'relAltitudeM'])
      expect(sample).not.toHaveProperty(name)
  })

  test('the first-person camera beside the main one is passed over', () => {
    const { '99-0-0': main, ...rest } = host
    const sample = sampleOf(withHost({ ...rest, '99-0-0': undefined, '39-0-7': { gimbal_yaw: 1 }, '53-0-0': main }))
    expect(sample.cameraYawDeg).toBe(-35.9)
    expect(sample.hfovDeg).toBeCloseTo(71.5, 6)
  })

  test('a bad laser measurement is none', () => {
    const bad = { ...host['99-0-0'], measure_target_error_state: 3 }
    expect(sampleOf(withHost({ '99-0-0': bad }))).not.toHaveProperty('laser')
  })
})

test('the companion of the direct channel tells the field of view', () => {
  const message = {
    method: 'drc_camera_osd_info_push',
    timestamp: 1763168403105,
    data: { payload_index: '81-0-0', zoom_lense: { zoom_factor: 5 }, ir_lense: { ir_zoom_factor: 2 } },
  }
  expect(sampleOf(message, { lens: 'zoom' }).hfovDeg).toBeCloseTo(16.4, 1)
  expect(sampleOf(message, { lens: 'ir' }).hfovDeg).toBeCloseTo(45.8, 6)
})

test('a rangefinder without a target, or a height that stands for none, spoils nothing else', () => {
  expect(sampleOf(withHost({ height: 9999999.9 }))).not.toHaveProperty('altitudeM')
  const camera = { ...host['99-0-0'], measure_target_latitude: 1e9, measure_target_error_state: 3 }
  const sample = sampleOf(withHost({ '99-0-0': camera, elevation: 1e9 }))
  expect(sample).toMatchObject({ latitudeDeg: 48.85301, cameraPitchDeg: -38.2 })
  expect(sample).not.toHaveProperty('relAltitudeM')
  expect(sample).not.toHaveProperty('laser')
})

test('of endless lists no more is looked at than an aircraft has', () => {
  const cameras = Array.from({ length: 16 }, () => ({}))
  const wrong = Array.from({ length: 20_000 }, () => ({ payload_index: 1 }))
  expect(reasonOf(withHost({ cameras: [...cameras, ...wrong] }))).toBe('understood')
  expect(reasonOf(withHost({ cameras: [...cameras.slice(1), ...wrong] }))).toBe('wrong-type')
  const payloads = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`${i}-0-0`, {}]))
  expect(payloadsOf(payloads)).toHaveLength(16)
})
