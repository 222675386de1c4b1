export interface Backoff {
  readonly firstMs: number
  readonly maxMs: number
}

/** How long to wait when something has failed this often before: the first wait, doubled each time, up to a bound. */
export function backoffMs(failuresBefore: number, { firstMs, maxMs }: Backoff): number {
  return Math.min(maxMs, firstMs * 2 ** Math.min(failuresBefore, 30))
}
