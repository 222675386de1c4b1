/** Ticks from one RTP timestamp to another: they wrap at 2^32, so the shorter way round is meant, negative when it leads back. */
export const timestampStep = (from: number, to: number): number => (to - from) | 0

/** RTP timestamps, which wrap around, as one growing number that begins with 0. `bridge` may replace steps that can't be true. */
export function createTimestampUnwrapper(bridge = (step: number) => step): (timestamp: number) => number {
  let last: number | undefined
  let value = 0
  return (timestamp) => {
    value += last === undefined ? 0 : bridge(timestampStep(last, timestamp))
    last = timestamp
    return value
  }
}
