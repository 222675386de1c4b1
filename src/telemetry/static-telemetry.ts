import { wrapDegrees } from '../core/numbers.ts'
import { type TelemetryCfg } from '../core/telemetry-cfg.ts'
import { type Telemetry } from '../core/telemetry.ts'
import { readNative } from './native-format.ts'

type StaticParameters = Extract<TelemetryCfg, { type: 'static' }>['parameters']

/** The telemetry of a camera that never moves, as its source was registered with. */
export function staticTelemetry(parameters: StaticParameters): Telemetry {
  const reading = readNative({ ...parameters, timestamp: undefined }, 0)
  if (!('sample' in reading)) throw new Error(`The static telemetry can not be used: ${reading.refusal.sentence}`)
  const { timeMs: _time, hasNoFix: _fix, ...values } = reading.sample
  const { cameraYawDeg, droneYawDeg } = values
  const bias = parameters.yaw_bias_deg ?? 0
  return {
    ...values,
    ...(cameraYawDeg !== undefined && { cameraYawDeg: wrapDegrees(cameraYawDeg + bias) }),
    ...(droneYawDeg !== undefined && { droneYawDeg: wrapDegrees(droneYawDeg + bias) }),
  }
}
