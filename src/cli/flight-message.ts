import { wrapDegrees } from '../core/numbers.ts'
import { type TelemetrySample } from '../core/telemetry.ts'
import { toNative } from '../telemetry/native-format.ts'

/** A wide camera of the vendor (M30), whose field of view the built-in table knows. */
const payloadIndex = '52-0-0'

export const flightFormats = ['native', 'vendor_a'] as const
export type FlightFormat = (typeof flightFormats)[number]

/** The sample as a drone would send it. `geoidHeightM` is the ellipsoidal height of mean sea level there. */
export function toFlightMessage(
  format: FlightFormat,
  sample: TelemetrySample,
  geoidHeightM: (latitudeDeg: number, longitudeDeg: number) => number,
): object {
  if (format === 'native') return toNative(sample, sample.timeMs)
  const { latitudeDeg = 0, longitudeDeg = 0, altitudeM = 0, relAltitudeM = 0 } = sample
  return {
    tid: 'simulated',
    bid: 'simulated',
    timestamp: Math.round(sample.timeMs),
    gateway: 'simulated',
    data: {
      latitude: latitudeDeg,
      longitude: longitudeDeg,
      height: altitudeM + geoidHeightM(latitudeDeg, longitudeDeg),
      elevation: relAltitudeM,
      attitude_head: wrapDegrees(sample.droneYawDeg ?? 0),
      attitude_pitch: sample.dronePitchDeg ?? 0,
      attitude_roll: sample.droneRollDeg ?? 0,
      horizontal_speed: sample.speedMps ?? 0,
      vertical_speed: 0,
      position_state: { is_fixed: 2, quality: 5, gps_number: 20, rtk_number: 0 },
      [payloadIndex]: {
        payload_index: payloadIndex,
        gimbal_pitch: sample.cameraPitchDeg ?? 0,
        gimbal_yaw: wrapDegrees(sample.cameraYawDeg ?? 0),
        gimbal_roll: sample.cameraRollDeg ?? 0,
        zoom_factor: 1,
      },
    },
  }
}
