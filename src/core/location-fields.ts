import { type PointFields, toPointFields } from './geo-point.ts'
import { rounded } from './numbers.ts'
import { type PositionSource, type TrackLocation } from './scene.ts'

/** The fields of a location as the API writes them; those that are not known are left out. */
export interface LocationFields extends Partial<PointFields> {
  distance?: number
  azimuth: number
  elevation: number
  position_error_m?: number
  position_source?: PositionSource
  ground_speed?: number
  course?: number
  telemetry_age_ms: number
}

export function toLocationFields(location: TrackLocation): LocationFields {
  const { point, distanceM, errorM, source, groundSpeedMps, courseDeg } = location
  return {
    ...(point && toPointFields(point)),
    ...(distanceM !== undefined && { distance: rounded(distanceM, 3) }),
    azimuth: rounded(location.azimuthDeg, 4),
    elevation: rounded(location.elevationDeg, 4),
    ...(errorM !== undefined && { position_error_m: rounded(errorM, 2) }),
    ...(source && { position_source: source }),
    ...(groundSpeedMps !== undefined && { ground_speed: rounded(groundSpeedMps, 2) }),
    ...(courseDeg !== undefined && { course: rounded(courseDeg, 1) % 360 }),
    telemetry_age_ms: Math.round(location.telemetryAgeMs),
  }
}
