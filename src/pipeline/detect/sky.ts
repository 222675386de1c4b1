import { radiansPerDegree } from '../../core/angle.ts'
import { type Box, type Size } from '../../core/detection.ts'
import { type Telemetry } from '../../core/telemetry.ts'

/** So far above the horizon a tile has to begin: hills, masts and errors of the gimbal stay below. */
const marginDeg = 5
/** From lower than this, things that stand on the ground reach above the horizon. */
const MIN_HEIGHT_M = 30

/** Whether telemetry says that a region shows nothing but sky, so that nothing in it stands on the ground. */
export function isSky({ x, y, width, height }: Box, picture: Size, telemetry: Telemetry): boolean {
  const { hfovDeg, vfovDeg, cameraPitchDeg, cameraRollDeg, relAltitudeM } = telemetry
  if (hfovDeg === undefined || vfovDeg === undefined || cameraPitchDeg === undefined) return false
  if (cameraRollDeg === undefined || relAltitudeM === undefined || relAltitudeM < MIN_HEIGHT_M) return false
  const [pitch, roll] = [cameraPitchDeg * radiansPerDegree, cameraRollDeg * radiansPerDegree]
  const tanX = Math.tan((hfovDeg / 2) * radiansPerDegree)
  const tanY = Math.tan((vfovDeg / 2) * radiansPerDegree)
  const minSin = Math.sin(marginDeg * radiansPerDegree)
  /** The upward part of the unit vector through a pixel. */
  const upAt = (u: number, v: number) => {
    const across = ((2 * u) / picture.width - 1) * tanX
    const down = ((2 * v) / picture.height - 1) * tanY
    const up = Math.sin(pitch) - Math.cos(pitch) * (across * Math.sin(roll) + down * Math.cos(roll))
    return up / Math.hypot(1, across, down)
  }
  // The horizon is a straight line in the picture: what holds for the corners holds in between, but for the margin's slight bend.
  return [upAt(x, y), upAt(x + width, y), upAt(x, y + height), upAt(x + width, y + height)].every((up) => up > minSin)
}
