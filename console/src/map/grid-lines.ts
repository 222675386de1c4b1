/** Distances between lines, in degrees: round numbers from continents down to some metres. */
const steps = [30, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002, 0.0001]

export interface Bounds {
  readonly south: number
  readonly west: number
  readonly north: number
  readonly east: number
}

export interface GridLine {
  readonly axis: 'latitude' | 'longitude'
  readonly degrees: number
}

/** Meridians and parallels for a view, about `wanted` of each. */
export function gridLines({ south, west, north, east }: Bounds, wanted = 6): GridLine[] {
  const step = steps.find((one) => (east - west) / one >= wanted) ?? steps.at(-1)!
  return [
    ...multiples(Math.max(-90, south), Math.min(90, north), step).map((degrees) => ({
      axis: 'latitude' as const,
      degrees,
    })),
    ...multiples(west, east, step).map((degrees) => ({ axis: 'longitude' as const, degrees })),
  ]
}

/** Counted in whole steps: added up, small errors would grow. */
function multiples(from: number, to: number, step: number): number[] {
  const first = Math.ceil(from / step)
  const count = Math.min(200, Math.floor(to / step) - first + 1)
  return Array.from({ length: Math.max(0, count) }, (_, index) => Number(((first + index) * step).toFixed(6)))
}
