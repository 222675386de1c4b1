/** RTP timestamps, which wrap around, as one growing number that begins with 0. */
export function createTimestampUnwrapper(): (timestamp: number) => number {
  let last: number | undefined
  let value = 0
  return (timestamp) => {
    value += last === undefined ? 0 : (timestamp - last) | 0
    last = timestamp
    return value
  }
}
