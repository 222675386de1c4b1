import { type Telemetry, type TelemetryField, type TelemetrySample } from '../core/telemetry.ts'

/** The newest value of every field, put together from messages that each hold a part. */
export interface LastValues {
  /** Takes up a message and answers all that is known now. */
  update(sample: TelemetrySample): Telemetry
}

export function createLastValues(): LastValues {
  let values: Telemetry = {}
  const times = new Map<TelemetryField, number>()

  return {
    update({ timeMs, hasNoFix, startsAnew, ...received }) {
      if (startsAnew) {
        values = {}
        times.clear()
      }
      const newer = Object.entries(received).filter(
        ([name]) => timeMs >= (times.get(name as TelemetryField) ?? -Infinity),
      )
      values = { ...values, ...Object.fromEntries(newer) }
      for (const [name] of newer) times.set(name as TelemetryField, timeMs)
      if (hasNoFix) forget('latitudeDeg', 'longitudeDeg')
      // A field of view comes with its rule, or without any.
      if (received.hfovDeg !== undefined && received.fovRule === undefined) forget('fovRule')
      return values
    },
  }

  function forget(...names: readonly TelemetryField[]): void {
    values = Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name as TelemetryField)))
    for (const name of names) times.delete(name)
  }
}
