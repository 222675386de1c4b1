import { z } from 'zod'
import { inputSentence } from '../core/input-sentence.ts'
import { telemetryFields } from '../core/telemetry-cfg.ts'
import { type Telemetry, type TelemetrySample } from '../core/telemetry.ts'
import { type Heard, refuse } from './refusal.ts'
import { parseTimestamp } from './timestamp.ts'

/** The telemetry message of the interface; what it does not know is ignored. Fields may be missing; some senders write null for that. */
export const NativeMessage = z.object({
  latitude: telemetryFields.latitude.nullish(),
  longitude: telemetryFields.longitude.nullish(),
  altitude: telemetryFields.altitude.nullish(),
  rel_altitude: telemetryFields.rel_altitude.nullish(),
  speed: telemetryFields.speed.nullish(),
  sensor_hfov: telemetryFields.sensor_hfov.nullish(),
  sensor_vfov: telemetryFields.sensor_vfov.nullish(),
  camera_pitch: telemetryFields.camera_pitch.nullish(),
  camera_yaw: telemetryFields.camera_yaw.nullish(),
  camera_roll: telemetryFields.camera_roll.nullish(),
  drone_pitch: telemetryFields.drone_pitch.nullish(),
  drone_yaw: telemetryFields.drone_yaw.nullish(),
  drone_roll: telemetryFields.drone_roll.nullish(),
})

const names = {
  latitude: 'latitudeDeg',
  longitude: 'longitudeDeg',
  altitude: 'altitudeM',
  rel_altitude: 'relAltitudeM',
  speed: 'speedMps',
  sensor_hfov: 'hfovDeg',
  sensor_vfov: 'vfovDeg',
  camera_pitch: 'cameraPitchDeg',
  camera_yaw: 'cameraYawDeg',
  camera_roll: 'cameraRollDeg',
  drone_pitch: 'dronePitchDeg',
  drone_yaw: 'droneYawDeg',
  drone_roll: 'droneRollDeg',
} as const satisfies Record<keyof z.infer<typeof NativeMessage>, keyof Telemetry>
const fields = Object.keys(names) as (keyof typeof names)[]

/** About 10 cm around the point where the equator meets Greenwich, where nobody flies. */
const NO_FIX_DEG = 1e-6

/** Understands one native message. `timeMs` stands in for a missing timestamp where that may be missing. */
export function readNative(message: unknown, timeMs?: number): Heard<TelemetrySample> {
  if (typeof message !== 'object' || message === null || Array.isArray(message))
    return refuse('not-an-object', 'A telemetry message is a JSON object.')
  const stamp = (message as { timestamp?: unknown }).timestamp
  const at = stamp === undefined || stamp === null ? timeMs : parseTimestamp(stamp)
  if (at === undefined)
    return refuse('timestamp-missing', 'timestamp must be Unix seconds, milliseconds, or ISO 8601 with date and time.')
  const parsed = NativeMessage.safeParse(message, { error: inputSentence })
  if (!parsed.success) return refuseIssue(parsed.error)
  if (fields.every((name) => parsed.data[name] === undefined || parsed.data[name] === null)) {
    if (typeof (message as { data?: unknown }).data === 'object')
      return refuse('nothing-of-use', 'This looks like a message of the drone vendor: set the format to vendor_a.')
    return refuse('nothing-of-use', `The message has none of the fields ${fields.join(', ')}.`)
  }
  const sample = toSample(parsed.data, at)
  const { latitudeDeg, longitudeDeg, ...rest } = sample
  if (hasFix(latitudeDeg, longitudeDeg) !== false) return { sample }
  return { sample: { ...rest, hasNoFix: true }, received: sample }
}

function toSample(message: z.infer<typeof NativeMessage>, timeMs: number): TelemetrySample {
  const values = Object.fromEntries(
    Object.entries(message).flatMap(([name, value]) =>
      typeof value === 'number' ? [[names[name as keyof typeof names], value]] : [],
    ),
  )
  return { timeMs, ...values }
}

/** Undefined when nothing is said of the place. */
export function hasFix(latitude?: number | null, longitude?: number | null): boolean | undefined {
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return undefined
  return Math.abs(latitude) > NO_FIX_DEG || Math.abs(longitude) > NO_FIX_DEG
}

/** The first thing that is wrong, in a sentence. */
export function refuseIssue(error: z.ZodError): ReturnType<typeof refuse> {
  const { code, message, path } = error.issues[0]!
  const isRange = code === 'too_small' || code === 'too_big'
  return refuse(isRange ? 'out-of-range' : 'wrong-type', `${path.join('.') || 'message'}: ${message}`)
}

/** The interface's field set, for clients of the drone's data. */
export function toNative(telemetry: Telemetry, timeMs: number): Record<string, number> {
  const entries = fields.flatMap((name) => {
    const value = telemetry[names[name]]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { timestamp: timeMs / 1000, ...Object.fromEntries(entries) }
}
