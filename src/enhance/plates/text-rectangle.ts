import { type Point, type Quad } from '../picture/quad.ts'

/** The smallest rectangle around a blot of pixels, turned as it is; its first edge runs along the rows rather than the columns. */
export function textRectangle(pixels: readonly Point[]): Quad {
  const hull = convexHull(pixels)
  let best: { area: number; quad: Quad } | undefined
  for (const [index, from] of hull.entries()) {
    const to = hull[(index + 1) % hull.length]!
    const length = Math.hypot(to.x - from.x, to.y - from.y)
    const direction = length === 0 ? { x: 1, y: 0 } : { x: (to.x - from.x) / length, y: (to.y - from.y) / length }
    const found = around(hull, alongRows(direction))
    if (!best || found.area < best.area) best = found
  }
  return best!.quad
}

/** The same cross of directions, named so that text reads from left to right. */
function alongRows({ x, y }: Point): Point {
  const isAcross = Math.abs(y) > Math.abs(x)
  const [alongX, alongY] = isAcross ? [-y, x] : [x, y]
  return alongX < 0 ? { x: -alongX, y: -alongY } : { x: alongX, y: alongY }
}

/** Pixels reach half a step beyond their centres. */
function around(points: readonly Point[], { x: ux, y: uy }: Point): { area: number; quad: Quad } {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity]
  for (const { x, y } of points) {
    const [along, across] = [x * ux + y * uy, y * ux - x * uy]
    left = Math.min(left, along)
    right = Math.max(right, along)
    top = Math.min(top, across)
    bottom = Math.max(bottom, across)
  }
  left -= 0.5
  right += 0.5
  top -= 0.5
  bottom += 0.5
  const at = (along: number, across: number): Point => ({ x: along * ux - across * uy, y: along * uy + across * ux })
  return {
    area: (right - left) * (bottom - top),
    quad: [at(left, top), at(right, top), at(right, bottom), at(left, bottom)],
  }
}

/** The corners of the tightest convex outline around the points, in order (Andrew's monotone chain). */
function convexHull(points: readonly Point[]): Point[] {
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
