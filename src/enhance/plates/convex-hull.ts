import { type Point } from '../picture/quad.ts'

/** The corners of the tightest convex outline around the points, in order (Andrew's monotone chain). */
export function convexHull(points: readonly Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y)
  if (sorted.length < 3) return sorted
  const lower = chain(sorted)
  const upper = chain(sorted.reverse())
  return [...lower.slice(0, -1), ...upper.slice(0, -1)]
}

function chain(points: readonly Point[]): Point[] {
  const hull: Point[] = []
  for (const point of points) {
    while (hull.length >= 2 && turn(hull.at(-2)!, hull.at(-1)!, point) <= 0) hull.pop()
    hull.push(point)
  }
  return hull
}

/** Positive when the way from `a` over `b` to `c` turns left. */
function turn(a: Point, b: Point, c: Point): number {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}
