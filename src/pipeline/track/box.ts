import { type Box } from '../../core/detection.ts'

/** False for what no object can have: not finite, empty or inverted. */
export function isUsableBox({ x, y, width, height }: Box): boolean {
  return (
    width > 0 && height > 0 && Number.isFinite(x + width) && Number.isFinite(y + height) && width * height < Infinity
  )
}

/** Intersection over union, 0 (apart) to 1 (the same), after both boxes are widened by `margin` pixels on every side. */
export function overlapOf(a: Box, b: Box, margin = 0): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x) + 2 * margin
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y) + 2 * margin
  if (width <= 0 || height <= 0) return 0
  const shared = width * height
  const areaA = (a.width + 2 * margin) * (a.height + 2 * margin)
  const areaB = (b.width + 2 * margin) * (b.height + 2 * margin)
  return shared / (areaA + areaB - shared)
}

export function centreOf({ x, y, width, height }: Box): { readonly x: number; readonly y: number } {
  return { x: x + width / 2, y: y + height / 2 }
}
