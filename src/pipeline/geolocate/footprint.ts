import { toHeading } from '../../core/angle.ts'
import { type GeoPoint } from '../../core/geo-point.ts'
import { type SceneCamera } from '../../core/scene.ts'
import { meetGround } from './ground-hit.ts'
import { lineOfSight } from './orientation.ts'
import { type View } from './view.ts'

/** A picture with the horizon in it would reach to the end of the world. */
const MAX_DISTANCE_M = 1_000
const rows = 24

/** Where the camera is and what it sees of level ground; none in reduced mode. */
export function cameraOf({ pose, lens, frame, telemetry }: View): SceneCamera | undefined {
  if (!pose) return undefined
  const { observer, orientation, heightM } = pose
  const headingDeg = toHeading(telemetry.values.cameraYawDeg!)

  const groundAt = (u: number, v: number): GeoPoint | undefined => {
    const hit = heightM === undefined ? undefined : meetGround(observer, lineOfSight(orientation, lens, u, v), heightM)
    return hit && hit.distanceM <= MAX_DISTANCE_M ? hit.point : undefined
  }
  /** From the picture's top down to the first row that meets the ground. */
  const topPointAt = (u: number): GeoPoint | undefined => {
    for (let row = 0; row < rows; row++) {
      const point = groundAt(u, (row * frame.height) / rows)
      if (point) return point
    }
    return undefined
  }
  const corners = [
    groundAt(0, frame.height),
    groundAt(frame.width, frame.height),
    topPointAt(frame.width),
    topPointAt(0),
  ].filter((point) => point !== undefined)
  return { point: observer.point, headingDeg, footprint: corners.length === 4 ? corners : [] }
}
