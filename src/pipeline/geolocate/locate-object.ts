import { type Box } from '../../core/detection.ts'
import { type ObjectSize, type ObjectSizes } from '../../core/object-size.ts'
import { type TrackLocation } from '../../core/scene.ts'
import { toEarthFrame, type Vector } from '../../core/wgs84.ts'
import { meetGround } from './ground-hit.ts'
import { anglesOf } from './lens.ts'
import { along, toEarthDirection } from './observer.ts'
import { type Direction, lineOfSight } from './orientation.ts'
import { groundError, rangeError, together, type Uncertainty } from './position-error.ts'
import { distanceBySize, isCutBelow, type SizeDistance } from './size-distance.ts'
import { meetTerrain, type Terrain } from './terrain.ts'
import { type Pose, type View } from './view.ts'

export interface Knowledge {
  readonly sizes: ObjectSizes
  readonly uncertainty: Uncertainty
  readonly terrain: Terrain | undefined
}

/** Something in the picture. */
export interface Sighting {
  readonly className: string
  /** Where its direction is measured. */
  readonly aimU: number
  readonly aimV: number
  /** Where it touches the ground, if it stands there. */
  readonly footU: number
  readonly footV: number
  readonly box: Box | undefined
  /** Whether it is what the rangefinder measured. */
  readonly isLaserTarget?: boolean
}

export interface Located {
  readonly location: TrackLocation
  /** The point in the Earth's frame, for who follows it. */
  readonly earth: Vector | undefined
}

/** The part of a location that says where; the rest is the same however it was found. */
interface Place extends Pick<TrackLocation, 'distanceM' | 'point' | 'source' | 'errorM' | 'unlocated'> {
  readonly earth?: Vector
}

/** How well a rangefinder measures; where it points is known no better than the camera. */
const LASER_ERROR_M = 1
/** A foot below the picture's edge is half the object's height lower, give or take as much. */
const HIDDEN_SHARE = 0.5

/** A box is aimed at in its middle; something that stands touches the ground at its bottom centre. */
export function sightingOf(className: string, box: Box, isLaserTarget = false): Sighting {
  const middleU = box.x + box.width / 2
  return {
    className,
    box,
    aimU: middleU,
    aimV: box.y + box.height / 2,
    footU: middleU,
    footV: box.y + box.height,
    isLaserTarget,
  }
}

/** Where one object is, by the best means there is: laser, then ground or terrain for what stands, size for what flies. */
export function locateObject(sighting: Sighting, view: View, knowledge: Knowledge): Located {
  const { azimuthDeg, elevationDeg } = anglesOf(view.lens, sighting.aimU, sighting.aimV)
  const { distanceM, point, source, errorM, unlocated, earth } = findPlace(sighting, view, knowledge)
  const { telemetryAgeMs, lens: focal } = view
  // Field by field: spreading costs more than all the geometry.
  return {
    location: { azimuthDeg, elevationDeg, focal, distanceM, point, source, errorM, telemetryAgeMs, unlocated },
    earth,
  }
}

const straightUp: Direction = { east: 0, north: 0, up: 1 }
const onHorizon: Place = { unlocated: 'horizon' }
const isReduced: Place = { unlocated: 'reduced' }
const hasNoSize: Place = { unlocated: 'size-unknown' }

function findPlace(sighting: Sighting, view: View, knowledge: Knowledge): Place {
  const { pose } = view
  const size = Object.hasOwn(knowledge.sizes, sighting.className) ? knowledge.sizes[sighting.className] : undefined
  const byLaser = pose && placeByLaser(sighting, view, pose, knowledge.uncertainty)
  if (byLaser) return byLaser
  if (pose && !size?.is_flying) return placeOnGround(sighting, view, pose, size, knowledge) ?? onHorizon

  const bySize = sighting.box && size && distanceBySize(view.lens, view.frame, sighting.box, size)
  if (!pose) return bySize ? { ...bySize, source: 'size', unlocated: 'reduced' } : isReduced
  return bySize ? placeBySize(sighting, view, pose, bySize, knowledge) : hasNoSize
}

/** The rangefinder looks through the middle of the picture: of the boxes around it, it has measured the smallest. */
export function findLaserTarget<T extends { readonly box: Box }>(sighted: readonly T[], view: View): T | undefined {
  if (!view.telemetry.values.laser) return undefined
  const { centreX, centreY } = view.lens
  return sighted
    .filter(({ box: { x, y, width, height } }) => {
      return x <= centreX && centreX <= x + width && y <= centreY && centreY <= y + height
    })
    .sort((a, b) => a.box.width * a.box.height - b.box.width * b.box.height)[0]
}

function placeByLaser(sighting: Sighting, view: View, { observer }: Pose, uncertainty: Uncertainty): Place | undefined {
  const { laser } = view.telemetry.values
  if (!laser || !sighting.isLaserTarget) return undefined
  const { distanceM, ...point } = laser
  const earth = toEarthFrame(point)
  // A target that the telemetry does not put where the laser says was measured from elsewhere, or in another time.
  const straightM = Math.hypot(earth.x - observer.earth.x, earth.y - observer.earth.y, earth.z - observer.earth.z)
  const errorM = rangeError(distanceM, LASER_ERROR_M, uncertainty)
  if (Math.abs(straightM - distanceM) > 3 * errorM + 0.1 * distanceM) return undefined
  return { point, earth, distanceM, source: 'laser', errorM }
}

function placeOnGround(
  sighting: Sighting,
  view: View,
  pose: Pose,
  size: ObjectSize | undefined,
  { uncertainty, terrain }: Knowledge,
): Place | undefined {
  const { observer, orientation } = pose
  const sight = lineOfSight(orientation, view.lens, sighting.footU, sighting.footV)
  const onTerrain = terrain && meetTerrain(observer, sight, terrain)
  if (onTerrain === null) return undefined
  const hit = onTerrain ?? (pose.heightM === undefined ? undefined : meetGround(observer, sight, pose.heightM))
  if (!hit) return undefined

  const { box } = sighting
  const errorM = groundError(
    {
      sight,
      distanceM: hit.distanceM,
      heightM: observer.point.altitudeM - hit.point.altitudeM,
      normal: onTerrain?.normal ?? straightUp,
      pixelErrorX: 1 + uncertainty.boxShare * (box?.width ?? 0),
      pixelErrorY: 1 + uncertainty.boxShare * (box?.height ?? 0),
    },
    view.lens,
    orientation,
    uncertainty,
    view.telemetry,
  )
  const hiddenM = box && size && isCutBelow(box, view.frame) ? hiddenReach(sight, size) : 0
  return {
    point: hit.point,
    earth: hit.earth,
    distanceM: hit.distanceM,
    source: onTerrain ? 'terrain' : 'ground',
    errorM: together(errorM, hiddenM),
  }
}

/** How much too far away something is put whose feet are below the picture. */
function hiddenReach(sight: Direction, { size_m }: ObjectSize): number {
  return (HIDDEN_SHARE * size_m * Math.hypot(sight.east, sight.north)) / Math.abs(sight.up)
}

function placeBySize(
  sighting: Sighting,
  view: View,
  { observer, orientation, heightM }: Pose,
  { distanceM, errorM }: SizeDistance,
  { uncertainty }: Knowledge,
): Place {
  const sight = lineOfSight(orientation, view.lens, sighting.aimU, sighting.aimV)
  const { point, earth } = along(observer, toEarthDirection(observer, sight), distanceM)
  const totalM = rangeError(distanceM, errorM, uncertainty)
  if (heightM !== undefined && point.altitudeM < observer.point.altitudeM - heightM)
    return { distanceM, source: 'size', errorM: totalM, unlocated: 'underground' }
  return { point, earth, distanceM, source: 'size', errorM: totalM }
}
