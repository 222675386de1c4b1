import { radiansPerDegree, turnDegrees, wrapDegrees } from '../../core/angle.ts'
import {
  type CarrierMotion,
  type FovRule,
  type LaserTarget,
  standingStill,
  type Telemetry,
  type TelemetryAt,
  type TelemetrySample,
} from '../../core/telemetry.ts'
import { toEarthFrame, toGeoPoint, type Vector } from '../../core/wgs84.ts'
import { createTimeSeries, type Mix, type SeriesValue } from './time-series.ts'

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
const usualLagMs = 20_000
/** What the rangefinder hit longer ago may be something else. */
const laserMaxAgeMs = 500

const linear: Mix<number> = (from, to, share) => from + (to - from) * share
/** By the shorter way, through ±180°. */
const circular: Mix<number> = (from, to, share) => wrapDegrees(from + turnDegrees(from, to) * share)
/** Lenses zoom by so much a second, in proportion. */
const zooming: Mix<number> = (from, to, share) =>
  (2 * Math.atan(tanHalf(from) * (tanHalf(to) / tanHalf(from)) ** share)) / radiansPerDegree
/** Straight through the Earth: antimeridian and poles are places like others, and a kilometre's chord lies 2 cm low. */
const straight: Mix<Vector> = (from, to, share) => ({
  x: linear(from.x, to.x, share),
  y: linear(from.y, to.y, share),
  z: linear(from.z, to.z, share),
})

/**
 * Puts messages together that each hold a part, and answers for any moment of the last seconds: between two messages by
 * interpolation, a little beyond the newest by carrying on, and not at all when it is too old. Fields of view hold until
 * they are told anew, as long as anything is told at all: senders tell them when they change.
 */
export function createTelemetryBuffer(options: TelemetryBufferOptions): TelemetryBuffer {
  const { maxAgeMs, timeOffsetMs = 0, yawBiasDeg = 0 } = options
  const keepMs = Math.abs(timeOffsetMs) + maxAgeMs + usualLagMs
  const series = <T>(mix: Mix<T>) => createTimeSeries<T>({ keepMs, mix, isCarriedOn: true })
  const messages = createTimeSeries<true>({ keepMs })
  const place = series(straight)
  const laser = createTimeSeries<LaserTarget>({ keepMs })
  const fovRule = createTimeSeries<FovRule | 'none'>({ keepMs })
  const fovs = {
    hfovDeg: createTimeSeries({ keepMs, mix: zooming }),
    vfovDeg: createTimeSeries({ keepMs, mix: zooming }),
  }
  const numbers = {
    altitudeM: series(linear),
    relAltitudeM: series(linear),
    speedMps: series(linear),
    cameraPitchDeg: series(circular),
    cameraYawDeg: series(circular),
    cameraRollDeg: series(circular),
    dronePitchDeg: series(circular),
    droneYawDeg: series(circular),
    droneRollDeg: series(circular),
  }
  const numberNames = Object.keys(numbers) as (keyof typeof numbers)[]
  const biased = new Set<string>(['cameraYawDeg', 'droneYawDeg'])

  return {
    add(sample) {
      const { timeMs, latitudeDeg, longitudeDeg } = sample
      messages.push(timeMs, true)
      if (sample.hasNoFix) place.push(timeMs, undefined)
      else if (latitudeDeg !== undefined && longitudeDeg !== undefined)
        place.push(timeMs, toEarthFrame({ latitudeDeg, longitudeDeg, altitudeM: 0 }))
      for (const name of numberNames) if (sample[name] !== undefined) numbers[name].push(timeMs, sample[name])
      if (sample.hfovDeg !== undefined) {
        fovs.hfovDeg.push(timeMs, sample.hfovDeg)
        fovRule.push(timeMs, sample.fovRule ?? 'none')
      }
      if (sample.vfovDeg !== undefined) fovs.vfovDeg.push(timeMs, sample.vfovDeg)
      if (sample.laser) laser.push(timeMs, sample.laser)
    },

    at(frameTimeMs) {
      const momentMs = frameTimeMs - timeOffsetMs
      if (!messages.at(momentMs, maxAgeMs)) return undefined
      const values: Record<string, unknown> = {}
      const agesMs: Record<string, number> = {}
      let extrapolatedMs = 0
      function take(name: string, told: Omit<SeriesValue<unknown>, 'change'> | undefined): void {
        if (!told) return
        values[name] = told.value
        agesMs[name] = told.ageMs
        extrapolatedMs = Math.max(extrapolatedMs, told.extrapolatedMs)
      }

      for (const name of numberNames) {
        const told = numbers[name].at(momentMs, maxAgeMs)
        take(name, told && biased.has(name) ? { ...told, value: wrapDegrees(told.value + yawBiasDeg) } : told)
      }
      const at = place.at(momentMs, maxAgeMs)
      if (at) {
        const { latitudeDeg, longitudeDeg } = toGeoPoint(at.value)
        take('latitudeDeg', { ...at, value: latitudeDeg })
        take('longitudeDeg', { ...at, value: longitudeDeg })
      }
      takeFov()
      take('laser', laser.at(momentMs, Math.min(maxAgeMs, laserMaxAgeMs)))

      function takeFov(): void {
        for (const name of ['hfovDeg', 'vfovDeg'] as const) {
          const told = fovs[name].at(momentMs, Infinity, maxAgeMs)
          // An old one says nothing about how well the moment is known.
          take(name, told && { ...told, extrapolatedMs: 0 })
        }
        const rule = fovRule.at(momentMs, Infinity)
        if (rule && rule.value !== 'none') values['fovRule'] = rule.value
      }

      return { values: values, agesMs, extrapolatedMs, motion: motionOf(momentMs, at) }
    },
  }

  function motionOf(momentMs: number, at: SeriesValue<Vector> | undefined): CarrierMotion {
    const rate = (name: 'cameraYawDeg' | 'cameraPitchDeg'): number => {
      const change = numbers[name].at(momentMs, maxAgeMs)?.change
      return change ? Math.abs(turnDegrees(change.from, change.to)) / change.seconds : 0
    }
    const moved = at?.change
    return {
      speedMps: moved
        ? gapBetween(moved.from, moved.to) / moved.seconds
        : (numbers.speedMps.at(momentMs, maxAgeMs)?.value ?? 0),
      yawRateDegPerS: rate('cameraYawDeg'),
      pitchRateDegPerS: rate('cameraPitchDeg'),
    }
  }
}

/** Telemetry that never changes: a camera on a mast. */
export function fixedTelemetry(values: Telemetry): (frameTimeMs: number) => TelemetryAt {
  const always = { values, agesMs: {}, extrapolatedMs: 0, motion: standingStill }
  return () => always
}

function gapBetween(a: Vector, b: Vector): number {
  return Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z)
}

function tanHalf(angleDeg: number): number {
  return Math.tan((angleDeg / 2) * radiansPerDegree)
}
