import { type TelemetryCfg } from '../core/telemetry-cfg.ts'

/** Older values locate nothing, unless the source says otherwise; the vendor forwards a message every two seconds. */
const MAX_AGE_MS = { native: 2_000, vendor_a: 5_000 } as const

export function maxAgeOf({ format, parameters }: TelemetryCfg): number {
  return parameters.max_age_ms ?? MAX_AGE_MS[format]
}
