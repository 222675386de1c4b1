import { type Stroke } from './glyph-strokes.ts'

export type Point = readonly [x: number, y: number]
export type Segment = readonly [from: Point, to: Point]

/** Pieces of a rounded corner: enough for letters of 40 pixels. */
const CORNER_PIECES = 6

/** A stroke as straight pieces; corners of a rounded one are curves that begin `radius` before the corner, where there is room. */
export function flatten(
  { points, isRounded, isClosed }: Stroke,
  place: (point: Point) => Point,
  radius: number,
): Segment[] {
  const corners = points.map(place)
  const path = isRounded ? roundCorners(corners, isClosed, radius) : [...corners]
  // A stroke of one point is a dot.
  if (isClosed || path.length === 1) path.push(path[0]!)
  return path.slice(1).map((to, index) => [path[index]!, to])
}

function roundCorners(corners: readonly Point[], isClosed: boolean, radius: number): Point[] {
  return corners.flatMap((corner, index) => {
    const isEnd = !isClosed && (index === 0 || index === corners.length - 1)
    if (isEnd) return [corner]
    const from = towards(corner, corners.at(index - 1)!, radius)
    const to = towards(corner, corners[(index + 1) % corners.length]!, radius)
    return Array.from({ length: CORNER_PIECES + 1 }, (_, piece) => quadratic(from, corner, to, piece / CORNER_PIECES))
  })
}

/** `distance` from a corner to the next one, but no further than half the way. */
function towards([x, y]: Point, [toX, toY]: Point, distance: number): Point {
  const length = Math.hypot(toX - x, toY - y)
  const share = length === 0 ? 0 : Math.min(0.5, distance / length)
  return [x + share * (toX - x), y + share * (toY - y)]
}

function quadratic(from: Point, control: Point, to: Point, t: number): Point {
  const mix = (a: number, b: number, c: number) => (1 - t) ** 2 * a + 2 * t * (1 - t) * b + t ** 2 * c
  return [mix(from[0], control[0], to[0]), mix(from[1], control[1], to[1])]
}

export function distanceTo([x, y]: Point, [[fromX, fromY], [toX, toY]]: Segment): number {
  const [alongX, alongY] = [toX - fromX, toY - fromY]
  const square = alongX ** 2 + alongY ** 2
  const share = square === 0 ? 0 : ((x - fromX) * alongX + (y - fromY) * alongY) / square
  const clamped = Math.min(1, Math.max(0, share))
  return Math.hypot(x - fromX - clamped * alongX, y - fromY - clamped * alongY)
}
