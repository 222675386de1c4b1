import { radiansPerDegree } from '../core/numbers.ts'
import { type TrackToEnhance } from '../enhance/messages.ts'
import { type TrackPictureRow } from '../storage/schema.ts'
import { type SizeNumbers } from './report.ts'

/** What the enhancement's worker gets of a track; medians, since a box jumps now and then. */
export function toTrackToEnhance(
  className: string,
  pictures: readonly TrackPictureRow[],
  sizes: readonly SizeNumbers[],
  pathOf: (file: string) => string | undefined,
): TrackToEnhance {
  const measured = sizes.flatMap(([width, , distance]) => (distance === null ? [] : [{ width, distance }]))
  const angularWidthDeg = median(sizes.map(([width]) => width))
  const angularHeightDeg = median(sizes.map(([, height]) => height))
  const distanceM = median(measured.map(({ distance }) => distance))
  const reportedDistanceM = median(sizes.flatMap(([, , , distance]) => distance ?? []))
  const groundWidthM = median(
    measured.map(({ width, distance }) => 2 * distance * Math.tan((width / 2) * radiansPerDegree)),
  )
  return {
    className,
    // One that is gone is named as it was: why it cannot be read is said of it.
    pictures: pictures.map(({ file, confidence, role }) => ({ file: pathOf(file) ?? file, confidence, role })),
    ...(angularWidthDeg !== undefined && { angularWidthDeg }),
    ...(angularHeightDeg !== undefined && { angularHeightDeg }),
    ...(distanceM !== undefined && { distanceM }),
    ...(reportedDistanceM !== undefined && { reportedDistanceM }),
    ...(groundWidthM !== undefined && { groundWidthM }),
  }
}

function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  if (sorted.length === 0) return undefined
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)] : (sorted[middle - 1]! + sorted[middle]!) / 2
}
