import { turnDegrees, wrapDegrees } from '../../core/numbers.ts'
import {
  type CarrierMotion,
  standingStill,
  type Telemetry,
  type TelemetryAt,
  type TelemetrySample,
} from '../../core/telemetry.ts'
import { toGeoPoint, type Vector } from '../../core/wgs84.ts'
import { createTelemetryLines, type NumberField, numberFields, type TelemetryLines } from './telemetry-lines.ts'
import { type SeriesValue } from './time-series.ts'

export interface TelemetryBufferOptions {
  /** Older values locate nothing. */
  readonly maxAgeMs: number
  /** How much later the video is than the telemetry. */
  readonly timeOffsetMs?: number
  /** Added to every heading. */
  readonly yawBiasDeg?: number
}

export interface TelemetryBuffer {
  add(sample: TelemetrySample): void
  /** Telemetry for a frame's own time; undefined when nothing fresh is known. */
  at(frameTimeMs: number): TelemetryAt | undefined
}

/** Frames may come this much later than their telemetry without anybody having said so. */
const DEFAULT_LAG_MS = 20_000
/** What the rangefinder hit longer ago may be something else. */
const MAX_LASER_AGE_MS = 500
/** Those on which a place depends. */
const poseFields: ReadonlySet<string> = new Set<NumberField>([
  'altitudeM',
  'relAltitudeM',
  'cameraPitchDeg',
  'cameraYawDeg',
  'cameraRollDeg',
])
const headings: ReadonlySet<string> = new Set<NumberField>(['cameraYawDeg', 'droneYawDeg'])

/**
 * Puts messages together that each hold a part, and answers for any moment of the last seconds: between two messages by
 * interpolation, a little beyond the newest by carrying on, and not at all when it is too old. Fields of view hold until
 * they are sent anew, as long as anything is sent at all: senders send them when they change.
 */
export function createTelemetryBuffer(options: TelemetryBufferOptions): TelemetryBuffer {
  const { maxAgeMs, timeOffsetMs = 0, yawBiasDeg = 0 } = options
  const keepMs = Math.abs(timeOffsetMs) + maxAgeMs + DEFAULT_LAG_MS
  let lines = createTelemetryLines(keepMs)

  return {
    add(sample) {
      if (sample.startsAnew) lines = createTelemetryLines(keepMs)
      lines.push(sample)
    },

    at(frameTimeMs) {
      const momentMs = frameTimeMs - timeOffsetMs
      if (!lines.messages.at(momentMs, maxAgeMs)) return undefined
      const values: Record<string, unknown> = {}
      const agesMs: Record<string, number> = {}
      let extrapolatedMs = 0
      const take = (name: string, value: unknown, ageMs: number): void => {
        values[name] = value
        agesMs[name] = ageMs
      }

      for (const name of numberFields) {
        const reading = lines.numbers[name].at(momentMs, maxAgeMs)
        if (!reading) continue
        take(name, headings.has(name) ? wrapDegrees(reading.value + yawBiasDeg) : reading.value, reading.ageMs)
        if (poseFields.has(name)) extrapolatedMs = Math.max(extrapolatedMs, reading.extrapolatedMs)
      }
      const place = lines.place.at(momentMs, maxAgeMs)
      if (place) {
        const { latitudeDeg, longitudeDeg } = toGeoPoint(place.value)
        take('latitudeDeg', latitudeDeg, place.ageMs)
        take('longitudeDeg', longitudeDeg, place.ageMs)
        extrapolatedMs = Math.max(extrapolatedMs, place.extrapolatedMs)
      }
      for (const name of ['hfovDeg', 'vfovDeg'] as const) {
        const reading = lines.fovs[name].at(momentMs, Infinity, maxAgeMs)
        if (reading) take(name, reading.value, reading.ageMs)
      }
      const rule = lines.fovRule.at(momentMs, Infinity)
      if (rule && rule.value !== 'none') values['fovRule'] = rule.value
      const laser = lines.laser.at(momentMs, Math.min(maxAgeMs, MAX_LASER_AGE_MS))
      if (laser) take('laser', laser.value, laser.ageMs)
      return { values, agesMs, extrapolatedMs, motion: motionOf(lines, momentMs, maxAgeMs, place) }
    },
  }
}

/** Telemetry that never changes: a camera on a mast. */
export function fixedTelemetry(values: Telemetry): (frameTimeMs: number) => TelemetryAt {
  const always = { values, agesMs: {}, extrapolatedMs: 0, motion: standingStill }
  return () => always
}

function motionOf(
  { numbers }: TelemetryLines,
  momentMs: number,
  maxAgeMs: number,
  place: SeriesValue<Vector> | undefined,
): CarrierMotion {
  const rate = (name: 'cameraYawDeg' | 'cameraPitchDeg'): number => {
    const change = numbers[name].at(momentMs, maxAgeMs)?.change
    return change ? Math.abs(turnDegrees(change.from, change.to)) / change.seconds : 0
  }
  const moved = place?.change
  return {
    speedMps: moved
      ? gapBetween(moved.from, moved.to) / moved.seconds
      : (numbers.speedMps.at(momentMs, maxAgeMs)?.value ?? 0),
    yawRateDegPerS: rate('cameraYawDeg'),
    pitchRateDegPerS: rate('cameraPitchDeg'),
  }
}

function gapBetween(a: Vector, b: Vector): number {
  return Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z)
}
