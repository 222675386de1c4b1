import { radiansPerDegree, turnDegrees, wrapDegrees } from '../../core/numbers.ts'
import { type FovRule, type LaserTarget, type TelemetrySample } from '../../core/telemetry.ts'
import { toEarthFrame, type Vector } from '../../core/wgs84.ts'
import { createTimeSeries, type Mix, type TimeSeries } from './time-series.ts'

/** Every field of telemetry as a line in time of its own, so that each message may hold what it likes. */
export interface TelemetryLines {
  push(sample: TelemetrySample): void
  /** That there was a message at all. */
  readonly messages: TimeSeries<true>
  /** At sea level, in the Earth's frame. */
  readonly place: TimeSeries<Vector>
  readonly numbers: Readonly<Record<NumberField, TimeSeries<number>>>
  readonly fovs: Readonly<Record<FovField, TimeSeries<number>>>
  readonly fovRule: TimeSeries<FovRule | 'none'>
  readonly laser: TimeSeries<LaserTarget>
}

const mixes = {
  altitudeM: linear,
  relAltitudeM: linear,
  speedMps: linear,
  cameraPitchDeg: circular,
  cameraYawDeg: circular,
  cameraRollDeg: circular,
  dronePitchDeg: circular,
  droneYawDeg: circular,
  droneRollDeg: circular,
} as const satisfies Readonly<Record<string, Mix<number>>>

export type NumberField = keyof typeof mixes
export type FovField = 'hfovDeg' | 'vfovDeg'
export const numberFields = Object.keys(mixes) as readonly NumberField[]

export function createTelemetryLines(keepMs: number): TelemetryLines {
  const carried = <T>(mix: Mix<T>) => createTimeSeries<T>({ keepMs, mix, isCarriedOn: true })
  const messages = createTimeSeries<true>({ keepMs })
  const place = carried(straight)
  const laser = createTimeSeries<LaserTarget>({ keepMs })
  const fovRule = createTimeSeries<FovRule | 'none'>({ keepMs })
  // A zoom that is carried on ends in a lens that nobody has.
  const fov = () => createTimeSeries<number>({ keepMs, mix: zooming })
  const fovs = { hfovDeg: fov(), vfovDeg: fov() }
  const numbers = Object.fromEntries(numberFields.map((name) => [name, carried<number>(mixes[name])])) as Record<
    NumberField,
    TimeSeries<number>
  >

  return {
    push(sample) {
      const { timeMs, latitudeDeg, longitudeDeg, hfovDeg, vfovDeg } = sample
      messages.push(timeMs, true)
      if (sample.hasNoFix) place.push(timeMs, undefined)
      else if (latitudeDeg !== undefined && longitudeDeg !== undefined)
        place.push(timeMs, toEarthFrame({ latitudeDeg, longitudeDeg, altitudeM: 0 }))
      for (const name of numberFields) if (sample[name] !== undefined) numbers[name].push(timeMs, sample[name])
      if (hfovDeg !== undefined) {
        fovs.hfovDeg.push(timeMs, hfovDeg)
        fovRule.push(timeMs, sample.fovRule ?? 'none')
      }
      if (vfovDeg !== undefined) fovs.vfovDeg.push(timeMs, vfovDeg)
      if (sample.laser) laser.push(timeMs, sample.laser)
    },
    messages,
    place,
    numbers,
    fovs,
    fovRule,
    laser,
  }
}

function linear(from: number, to: number, share: number): number {
  return from + (to - from) * share
}

/** By the shorter way, through ±180°. */
function circular(from: number, to: number, share: number): number {
  return wrapDegrees(from + turnDegrees(from, to) * share)
}

/** Lenses zoom by so much a second, in proportion. */
function zooming(from: number, to: number, share: number): number {
  return (2 * Math.atan(tanHalf(from) * (tanHalf(to) / tanHalf(from)) ** share)) / radiansPerDegree
}

/** Straight through the Earth: antimeridian and poles are places like others, and a kilometre's chord lies 2 cm low. */
function straight(from: Vector, to: Vector, share: number): Vector {
  return { x: linear(from.x, to.x, share), y: linear(from.y, to.y, share), z: linear(from.z, to.z, share) }
}

function tanHalf(angleDeg: number): number {
  return Math.tan((angleDeg / 2) * radiansPerDegree)
}
