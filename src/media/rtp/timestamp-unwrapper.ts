import { timestampStep } from './timestamp-step.ts'

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
