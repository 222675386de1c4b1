/**
 * How long a track lasts, in steps of four: less than 1 s, 4 s, 16 s, … 194 days, or longer. What was seen at some moment is found by
 * it in a few short ranges of an index: of tracks of one step only those can have lasted until then that began within its limit.
 */
export const spanLimitsMs: readonly number[] = Array.from({ length: 13 }, (_, step) => 1000 * 4 ** step)

export function spanOf(durationMs: number): number {
  const step = spanLimitsMs.findIndex((limitMs) => durationMs < limitMs)
  return step < 0 ? spanLimitsMs.length : step
}
