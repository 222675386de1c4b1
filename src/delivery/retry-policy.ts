import { type Destination } from '../core/outbound-message.ts'
import { backoffMs } from '../core/retry.ts'

/** How long a message is tried. */
export const KEEP_TRYING_MS = 86_400_000

const FIRST_WAIT_MS = 1_000
/** So who is back waits for about a quarter of the time that it was away, and not, as when waits double, for all of it. */
const GROWTH = 1.25
/** What a receiver may ask for by `Retry-After`. */
const MAX_ASKED_MS = 3_600_000
/** To ask whether a broker is back costs nothing: its one connection is tried by itself. */
const MAX_WAIT_MS: Readonly<Record<Destination['kind'], number>> = {
  webhook: 600_000,
  mqtt: 5_000,
  contact: 600_000,
}

export interface Failure {
  readonly kind: Destination['kind']
  /** In a row, this one included. */
  readonly failures: number
  readonly retryAfterMs?: number | undefined
}

/** Waits grow by a quarter from one second to ten minutes, spread by ±20 % so that many channels don't come back at once. */
export function waitAfter({ kind, failures, retryAfterMs = 0 }: Failure, random = Math.random()): number {
  const waitMs = backoffMs(failures - 1, { firstMs: FIRST_WAIT_MS, maxMs: MAX_WAIT_MS[kind], growth: GROWTH })
  return Math.max(Math.round(waitMs * (0.8 + 0.4 * random)), Math.min(retryAfterMs, MAX_ASKED_MS))
}
