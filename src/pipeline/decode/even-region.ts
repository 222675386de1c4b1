import { type Box, type Size } from '../../core/detection.ts'

/**
 * Refuses a region that is not inside the picture, or does not begin at even pixels (colour is stored for every other one). Who
 * copies the stored colours one by one needs it to end at even pixels too. What lies below reads at any address that it is given,
 * so nothing wrong may get there.
 */
export function checkEvenRegion(picture: Size, { x, y, width, height }: Box, evenBorders: 'all' | 'first'): void {
  const isWhole = [x, y, width, height].every((value) => Number.isInteger(value) && value >= 0)
  const isInside = width > 0 && height > 0 && x + width <= picture.width && y + height <= picture.height
  const isEven = (evenBorders === 'all' ? [x, y, width, height] : [x, y]).every((value) => value % 2 === 0)
  if (isWhole && isInside && isEven) return
  const wanted = `${width}×${height} at (${x}, ${y})`
  throw new Error(`The region ${wanted} has no even borders inside a picture of ${picture.width}×${picture.height}.`)
}
