import { expect, test } from 'vitest'
import { TelemetryCfg, telemetryFields } from '../core/telemetry-cfg.ts'
import { staticTelemetry } from './static-telemetry.ts'

function telemetryOf(parameters: object) {
  const cfg = TelemetryCfg.parse({ type: 'static', parameters: { sensor_hfov: 60, sensor_vfov: 40, ...parameters } })
  if (cfg.type !== 'static') throw new Error('expected static telemetry')
  return staticTelemetry(cfg.parameters)
}

test('the configured values are the telemetry, with the bias in the heading', () => {
  expect(telemetryOf({ latitude: 51, longitude: -1, camera_yaw: 178, camera_pitch: -17, yaw_bias_deg: 4 })).toEqual({
    hfovDeg: 60,
    vfovDeg: 40,
    latitudeDeg: 51,
    longitudeDeg: -1,
    cameraYawDeg: -178,
    cameraPitchDeg: -17,
  })
})

test('0, 0 is no place in static telemetry either', () => {
  expect(telemetryOf({ latitude: 0, longitude: 0 })).toEqual({ hfovDeg: 60, vfovDeg: 40 })
})

/** Everything at its least and at its most, as far as a source can be registered with it. */
test.each([-1, 1])('whatever can be registered can be used (%s)', (sign) => {
  for (const name of Object.keys(telemetryFields)) {
    for (const size of [1e-9, 1, 90, 180, 360, 1_000, 1_001, 1e5, 1e9]) {
      const parameters = { sensor_hfov: 60, sensor_vfov: 40, [name]: sign * size }
      const cfg = TelemetryCfg.safeParse({ type: 'static', parameters })
      if (cfg.success && cfg.data.type === 'static') staticTelemetry(cfg.data.parameters)
    }
  }
})
