/** A place in a picture, in pixels from its top left corner. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** The corners of something flat, as one reads it: top left, top right, bottom right, bottom left. */
export type Quad = readonly [Point, Point, Point, Point]

export function centreOf(quad: Quad): Point {
  return { x: mean(quad.map(({ x }) => x)), y: mean(quad.map(({ y }) => y)) }
}

/** Along the text, the mean of the upper and the lower edge. */
export function widthOf([topLeft, topRight, bottomRight, bottomLeft]: Quad): number {
  return (distance(topLeft, topRight) + distance(bottomLeft, bottomRight)) / 2
}

export function heightOf([topLeft, topRight, bottomRight, bottomLeft]: Quad): number {
  return (distance(topLeft, bottomLeft) + distance(topRight, bottomRight)) / 2
}

export function mapQuad(quad: Quad, map: (point: Point) => Point): Quad {
  return [map(quad[0]), map(quad[1]), map(quad[2]), map(quad[3])]
}

/** Its edges moved outwards: by so much at its ends, and by so much above and below. */
export function widen(quad: Quad, along: number, across: number): Quad {
  const [width, height] = [Math.max(1e-6, widthOf(quad)), Math.max(1e-6, heightOf(quad))]
  const right = unit(quad[0], quad[1], quad[3], quad[2], width)
  const down = unit(quad[0], quad[3], quad[1], quad[2], height)
  const move = ({ x, y }: Point, alongBy: number, acrossBy: number): Point => ({
    x: x + right.x * alongBy + down.x * acrossBy,
    y: y + right.y * alongBy + down.y * acrossBy,
  })
  return [
    move(quad[0], -along, -across),
    move(quad[1], along, -across),
    move(quad[2], along, across),
    move(quad[3], -along, across),
  ]
}

function unit(from1: Point, to1: Point, from2: Point, to2: Point, length: number): Point {
  return {
    x: (to1.x - from1.x + to2.x - from2.x) / 2 / length,
    y: (to1.y - from1.y + to2.y - from2.y) / 2 / length,
  }
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y)
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
