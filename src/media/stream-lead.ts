/** A stream that is silent for longer has ended, so none has more than this to catch up with. */
export const MAX_AHEAD_MS = 10_000
/** Devices' clocks run a little fast: over a day that is more than any stream has to catch up with. */
const MAX_DRIFT = 0.01

/** How far a stream's time may be ahead of ours, when so much has passed since it began. */
export function maxLeadMs(passedMs: number): number {
  return MAX_AHEAD_MS + passedMs * MAX_DRIFT
}
