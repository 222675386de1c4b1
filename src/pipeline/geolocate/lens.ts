import { type Size } from '../../core/detection.ts'
import { radiansPerDegree } from '../../core/numbers.ts'
import { type Telemetry } from '../../core/telemetry.ts'

/**
 * A pinhole camera in pixels of one picture. Pixel coordinates run from (0, 0), the top left corner of the top left pixel, to
 * (width, height), the bottom right corner of the bottom right one; the optical axis goes through the middle.
 */
export interface Lens {
  readonly focalX: number
  readonly focalY: number
  readonly centreX: number
  readonly centreY: number
}

export interface Angles {
  readonly azimuthDeg: number
  readonly elevationDeg: number
}

/** A thermal picture of 640 × 512 and its stream of 642 × 512 have the same shape. */
const SAME_SHAPE_TOLERANCE = 0.02

/** None without fields of view, or when they are not those of such a picture. */
export function lensOf({ hfovDeg, vfovDeg, fovRule }: Telemetry, { width, height }: Size): Lens | undefined {
  if (hfovDeg === undefined || vfovDeg === undefined) return undefined
  const tanX = Math.tan((hfovDeg / 2) * radiansPerDegree)
  const tanY = Math.tan((vfovDeg / 2) * radiansPerDegree)
  if (!(tanX > 0 && tanY > 0 && width > 0 && height > 0)) return undefined
  const focalX = width / (2 * tanX)
  const focalY = height / (2 * tanY)
  if (fovRule === 'same-shape' && Math.abs(focalX / focalY - 1) > SAME_SHAPE_TOLERANCE) return undefined
  return {
    focalX,
    focalY: fovRule === 'square-pixels' ? focalX : focalY,
    centreX: width / 2,
    centreY: height / 2,
  }
}

/** Each along its own side of the picture, so that the picture's corner is at half the fields of view. */
export function anglesOf(lens: Lens, u: number, v: number): Angles {
  return {
    azimuthDeg: Math.atan((u - lens.centreX) / lens.focalX) / radiansPerDegree,
    elevationDeg: Math.atan((lens.centreY - v) / lens.focalY) / radiansPerDegree,
  }
}
