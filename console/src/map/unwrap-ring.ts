/** Longitude, latitude: in GeoJSON's order. */
export type Position = readonly [longitude: number, latitude: number]

const POLE = 85

/**
 * A coast without jumps from 180° to −180°: it goes on beyond instead, or a flat map would draw a line across the world. One
 * that goes around a pole is closed along the map's edge.
 */
export function unwrapRing(ring: readonly Position[]): Position[] {
  const unwrapped: Position[] = []
  let turn = 0
  for (const [index, [longitude, latitude]] of ring.entries()) {
    const before = ring[index - 1]?.[0] ?? longitude
    if (longitude - before > 180) turn -= 360
    if (longitude - before < -180) turn += 360
    unwrapped.push([longitude + turn, latitude])
  }
  const [first, last] = [unwrapped[0], unwrapped.at(-1)]
  if (!first || !last || Math.abs(last[0] - first[0]) < 180) return unwrapped
  const edge = last[1] < 0 ? -POLE : POLE
  return [...unwrapped, [last[0], edge], [first[0], edge]]
}
