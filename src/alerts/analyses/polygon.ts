/** A corner or a place, in whatever plane. */
export type Point = readonly [x: number, y: number]

export interface Bounds {
  readonly minX: number
  readonly minY: number
  readonly maxX: number
  readonly maxY: number
}

export function boundsOf(points: readonly Point[]): Bounds {
  const xs = points.map(([x]) => x)
  const ys = points.map(([, y]) => y)
  return { minX: Math.min(...xs), minY: Math.min(...ys), maxX: Math.max(...xs), maxY: Math.max(...ys) }
}

/**
 * Whether a place is in a polygon: a ray to the right crosses the outline an odd number of times. Half-open, so that of two
 * neighbours one has the shared edge. It is asked for every track of every frame, hence the flat numbers.
 */
export function createInside(points: readonly Point[]): (x: number, y: number) => boolean {
  const count = points.length
  const xs = Float64Array.from(points, ([x]) => x)
  const ys = Float64Array.from(points, ([, y]) => y)
  const { minX, minY, maxX, maxY } = boundsOf(points)
  return (x, y) => {
    if (x < minX || x > maxX || y < minY || y > maxY) return false
    let isIn = false
    for (let index = 0, before = count - 1; index < count; before = index++) {
      const ay = ys[before]!
      const by = ys[index]!
      if (ay > y === by > y) continue
      const ax = xs[before]!
      if (x < ax + ((y - ay) * (xs[index]! - ax)) / (by - ay)) isIn = !isIn
    }
    return isIn
  }
}

/** Whether two edges meet anywhere but at the corner that neighbours share, or the whole has no area. */
export function isSelfCrossing(points: readonly Point[]): boolean {
  const count = points.length
  const edge = (index: number): [Point, Point] => [points[index]!, points[(index + 1) % count]!]
  for (let one = 0; one < count; one++) {
    const [a, b] = edge(one)
    if (a[0] === b[0] && a[1] === b[1]) return true
    for (let other = one + 1; other < count; other++) {
      const [c, d] = edge(other)
      const isNext = other === one + 1
      const isBefore = (other + 1) % count === one
      if (isNext ? isFoldedBack(a, b, d) : isBefore ? isFoldedBack(c, d, b) : doMeet(a, b, c, d)) return true
    }
  }
  return false
}

/** Twice the area of the triangle, with a sign for its sense. */
function turn(a: Point, b: Point, c: Point): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/** From a to b and on to c, which lies on the way back. */
function isFoldedBack(a: Point, b: Point, c: Point): boolean {
  if (turn(a, b, c) !== 0) return false
  return (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]) < 0
}

function doMeet(a: Point, b: Point, c: Point, d: Point): boolean {
  const [abc, abd, cda, cdb] = [turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)]
  if (abc * abd < 0 && cda * cdb < 0) return true
  return (
    (abc === 0 && isBetween(a, b, c)) ||
    (abd === 0 && isBetween(a, b, d)) ||
    (cda === 0 && isBetween(c, d, a)) ||
    (cdb === 0 && isBetween(c, d, b))
  )
}

/** For a point that is known to be on the line through both. */
function isBetween(a: Point, b: Point, point: Point): boolean {
  return (
    Math.min(a[0], b[0]) <= point[0] &&
    point[0] <= Math.max(a[0], b[0]) &&
    Math.min(a[1], b[1]) <= point[1] &&
    point[1] <= Math.max(a[1], b[1])
  )
}
