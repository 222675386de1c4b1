import { describe, expect, test } from 'vitest'
import { cloudMessage, directMessage, dockMessage, syncMessage } from '../../test/builders/vendor-messages.ts'
import { createTelemetryReader, type TelemetryReaderOptions } from './telemetry-reader.ts'

const now = 1_763_168_403_200
const seconds = now / 1000

function reader(changes: Partial<TelemetryReaderOptions> = {}) {
  return createTelemetryReader({ format: 'native', parameters: {}, geoidHeightM: () => 44.57, ...changes })
}
const json = (message: unknown) => JSON.stringify(message)
const outcome = (reading: object) => ('refusal' in reading ? (reading.refusal as { reason: string }).reason : 'ok')

describe('native', () => {
  test('what is wrong is refused, counted and told apart; good messages go on', () => {
    const telemetry = reader()
    const messages: [string, string][] = [
      ['{"timestamp": 17', 'not-json'],
      ['{"timestamp": 1, "altitude": NaN}', 'not-json'],
      ['[]', 'not-an-object'],
      [' '.repeat(300_000), 'too-large'],
      [json({ timestamp: seconds, latitude: 91 }), 'out-of-range'],
      [json({ timestamp: seconds, latitude: 92 }), 'out-of-range'],
      [json({ altitude: 5 }), 'timestamp-missing'],
      [json({ timestamp: seconds - 100, altitude: 5 }), 'timestamp-in-the-past'],
      [json({ timestamp: seconds, altitude: 5 }), 'ok'],
      [json({ timestamp: seconds + 100, altitude: 5 }), 'timestamp-in-the-future'],
      [json({ timestamp: seconds - 10, altitude: 5 }), 'timestamp-went-back'],
    ]
    for (const [text, is] of messages) expect(outcome(telemetry.read(text, now))).toBe(is)
    expect(telemetry.refusals).toEqual({
      'not-json': 2,
      'not-an-object': 1,
      'too-large': 1,
      'out-of-range': 2,
      'timestamp-missing': 1,
      'timestamp-in-the-future': 1,
      'timestamp-in-the-past': 1,
      'timestamp-went-back': 1,
    })
  })

  test('what is understood is received with its own time, whether it locates something or not', () => {
    const telemetry = reader()
    const read = (timestamp: number) => telemetry.read(json({ timestamp, altitude: 5 }), now)
    expect(read(0)).toMatchObject({ sample: { timeMs: now, altitudeM: 5 }, received: { timeMs: 0, altitudeM: 5 } })
    expect(telemetry.clock).toBe('arrival')
    expect(read(seconds - 60)).toMatchObject({
      refusal: { reason: 'timestamp-in-the-past' },
      received: { timeMs: now - 60_000, altitudeM: 5 },
    })
    expect(telemetry.read('{}', now)).not.toHaveProperty('received')
  })

  test('bytes are read as text', () => {
    const reading = reader().read(Buffer.from(json({ timestamp: seconds, altitude: 5 })), now)
    expect(reading).toMatchObject({ sample: { altitudeM: 5 } })
  })

  test('a message without a fix is used for the rest, and counted', () => {
    const telemetry = reader()
    const reading = telemetry.read(json({ timestamp: seconds, latitude: 0, longitude: 0, camera_yaw: 3 }), now)
    expect(reading).toMatchObject({
      sample: { hasNoFix: true, cameraYawDeg: 3 },
      received: { latitudeDeg: 0, longitudeDeg: 0, cameraYawDeg: 3 },
    })
    expect(reading).not.toHaveProperty('sample.latitudeDeg')
    expect(telemetry.refusals).toEqual({ 'no-fix': 1 })
  })

  test('one field of view that the sender tells leaves the other as configured', () => {
    const telemetry = reader({ parameters: { sensor_hfov: 60, sensor_vfov: 40 } })
    const message = json({ timestamp: seconds, sensor_hfov: 30 })
    expect(telemetry.read(message, now)).toMatchObject({ sample: { hfovDeg: 30, vfovDeg: 40 } })
  })

  test('configured fields of view stand in until the sender tells its own', () => {
    const telemetry = reader({ parameters: { sensor_hfov: 60, sensor_vfov: 40 } })
    const read = (message: object) => telemetry.read(json({ timestamp: seconds, ...message }), now)
    expect(read({ camera_yaw: 1 })).toMatchObject({ sample: { hfovDeg: 60, vfovDeg: 40 } })
    expect(read({ sensor_hfov: 30, sensor_vfov: 20 })).toMatchObject({ sample: { hfovDeg: 30, vfovDeg: 20 } })
    expect(read({ camera_yaw: 2 })).not.toHaveProperty('sample.hfovDeg')
  })
})

describe('vendor_a', () => {
  const topicOf = (sn: string) => `thing/product/${sn}/osd`

  test('the messages of one flight, with the dock’s between them', () => {
    const telemetry = reader({ format: 'vendor_a' })
    expect(outcome(telemetry.read(json(syncMessage), now, topicOf('1581F8TEST0001')))).toBe('ok')
    expect(outcome(telemetry.read(json(cloudMessage), now, topicOf('1581F8TEST0001')))).toBe('ok')
    expect(outcome(telemetry.read(json(dockMessage), now, topicOf('7CTDM00TEST')))).toBe('dock')
    expect(outcome(telemetry.read(json(directMessage), now, 'thing/product/7CTDM00TEST/drc/up'))).toBe('ok')
    expect(telemetry.refusals).toEqual({ dock: 1 })
  })

  test('a second aircraft on the same topic is not mixed in, until the first is silent for long', () => {
    const telemetry = reader({ format: 'vendor_a' })
    const read = (sn: string, ms: number) =>
      outcome(telemetry.read(json({ ...cloudMessage, timestamp: now + ms }), now + ms, topicOf(sn)))
    expect([read('A', 0), read('B', 500), read('A', 2000), read('B', 20_000)]).toEqual([
      'ok',
      'other-aircraft',
      'ok',
      'other-aircraft',
    ])
    const later = json({ ...cloudMessage, timestamp: now + 40_000 })
    expect(telemetry.read(later, now + 40_000, topicOf('B'))).toMatchObject({ sample: { startsAnew: true } })
  })

  test('an aircraft whose clock was never set is placed by its messages’ arrival too', () => {
    const telemetry = reader({ format: 'vendor_a' })
    const reading = telemetry.read(json({ ...cloudMessage, timestamp: 5_000 }), now)
    expect(reading).toMatchObject({ sample: { timeMs: now }, received: { timeMs: 5_000_000 } })
  })

  test('the lens and its field of view can be configured', () => {
    const zoomed = reader({ format: 'vendor_a', parameters: { lens: 'zoom' } }).read(json(syncMessage), now)
    expect(zoomed).toHaveProperty('sample.hfovDeg')
    expect((zoomed as { sample: { hfovDeg: number } }).sample.hfovDeg).toBeCloseTo(10.1, 1)
    const own = reader({ format: 'vendor_a', parameters: { sensor_hfov: 50, sensor_vfov: 30 } })
    expect(own.read(json(directMessage), now)).toMatchObject({
      sample: { hfovDeg: expect.closeTo(50, 9), vfovDeg: expect.closeTo(30, 9) },
    })
  })
})
