import { type Point } from './corners.ts'

/**
 * A projective map of the plane, row by row with the last element 1: (x, y) goes to
 * ((a·x + b·y + c) / w, (d·x + e·y + f) / w), where w = g·x + h·y + 1.
 */
export type PlaneTransform = readonly [
  a: number,
  b: number,
  c: number,
  d: number,
  e: number,
  f: number,
  g: number,
  h: number,
  one: 1,
]

export const identityTransform: PlaneTransform = [1, 0, 0, 0, 1, 0, 0, 0, 1]

export function transformPoint([a, b, c, d, e, f, g, h]: PlaneTransform, { x, y }: Point): Point {
  const w = g * x + h * y + 1
  return { x: (a * x + b * y + c) / w, y: (d * x + e * y + f) / w }
}

/** How the map stretches and turns what is near a point: the derivatives [∂x'/∂x, ∂x'/∂y, ∂y'/∂x, ∂y'/∂y]. */
export function jacobianAt(transform: PlaneTransform, point: Point): readonly [number, number, number, number] {
  const [a, b, , d, e, , g, h] = transform
  const w = g * point.x + h * point.y + 1
  const to = transformPoint(transform, point)
  return [(a - g * to.x) / w, (b - h * to.x) / w, (d - g * to.y) / w, (e - h * to.y) / w]
}

/** The same map for points given as `(point − centre) / unit`, or back again with the inverse of both. */
export function inUnits([a, b, c, d, e, f, g, h]: PlaneTransform, centre: Point, unit: number): PlaneTransform {
  // Scale: p = unit·q, so the matrix becomes S⁻¹·M·S with S = diag(unit, unit, 1); then the centre by conjugation.
  const scaled = [a, b, c / unit, d, e, f / unit, g * unit, h * unit, 1] as const
  const x = centre.x / unit
  const y = centre.y / unit
  const [a2, b2, c2, d2, e2, f2, g2, h2] = scaled
  const w = g2 * x + h2 * y + 1
  return [
    (a2 - x * g2) / w,
    (b2 - x * h2) / w,
    (a2 * x + b2 * y + c2 - x * w) / w,
    (d2 - y * g2) / w,
    (e2 - y * h2) / w,
    (d2 * x + e2 * y + f2 - y * w) / w,
    g2 / w,
    h2 / w,
    1,
  ]
}
