import { type Size } from '../../core/detection.ts'
import { type GeoPoint } from '../../core/geo-point.ts'
import { toHeading } from '../../core/numbers.ts'
import { DEFAULT_SIZES, type ObjectSizes } from '../../core/object-size.ts'
import { type SceneCamera, type SceneTrack, type TrackLocation, withLocation } from '../../core/scene.ts'
import { type TelemetryAt } from '../../core/telemetry.ts'
import { meetGround } from './ground-hit.ts'
import { findLaserTarget, type Knowledge, locateObject, sightingOf } from './locate-object.ts'
import { lineOfSight } from './orientation.ts'
import { DEFAULT_UNCERTAINTY, type Uncertainty } from './position-error.ts'
import { type Terrain } from './terrain.ts'
import { createTrackMotion, type GroundMotion } from './track-motion.ts'
import { type View, viewOf } from './view.ts'

export interface GeolocatorOptions {
  /** Sizes that differ from the usual ones, or that are not among them. */
  readonly sizes?: ObjectSizes
  readonly uncertainty?: Partial<Uncertainty>
  readonly terrain?: Terrain
}

export interface LocatedFrame extends Size {
  readonly takenAtMs: number
}

export interface Geolocator {
  /** By the telemetry for the frame's moment; as they are without any. */
  locate(tracks: readonly SceneTrack[], frame: LocatedFrame, telemetry: TelemetryAt | undefined): LocatedScene
}

export interface LocatedScene {
  /** With their locations, as far as telemetry allows. */
  readonly tracks: readonly SceneTrack[]
  /** Where the camera is and what it sees of the ground. */
  readonly camera?: SceneCamera | undefined
}

/** Puts objects of a picture on the Earth. It holds the last two seconds of at most a thousand tracks, for their speeds. */
export function createGeolocator({ sizes, uncertainty, terrain }: GeolocatorOptions = {}): Geolocator {
  const knowledge: Knowledge = {
    sizes: { ...DEFAULT_SIZES, ...sizes },
    uncertainty: { ...DEFAULT_UNCERTAINTY, ...uncertainty },
    terrain,
  }
  const motions = createTrackMotion()

  return {
    locate(tracks, frame, telemetry) {
      const view = telemetry && viewOf(telemetry, frame, terrain !== undefined)
      if (!view) return { tracks }
      const laserTarget = findLaserTarget(tracks, view)
      const located = tracks.map((track) => {
        const sighting = sightingOf(track.className, track.box, track === laserTarget)
        const { location, earth } = locateObject(sighting, view, knowledge)
        const { point, source } = location
        // Without tracking every detection has the id 0, and none has a past.
        const isFollowed = track.id > 0 && earth && point && source
        const motion = isFollowed && motions.update(track.id, frame.takenAtMs, point, earth, source)
        return withLocation(track, motion ? withMotion(location, motion) : location)
      })
      return { tracks: located, camera: cameraOf(view) }
    },
  }
}

/** Field by field, as the location itself: this is hot. */
function withMotion(location: TrackLocation, { speedMps, courseDeg }: GroundMotion): TrackLocation {
  const { azimuthDeg, elevationDeg, focal, distanceM, point, source, errorM, telemetryAgeMs } = location
  return {
    azimuthDeg,
    elevationDeg,
    focal,
    distanceM,
    point,
    source,
    errorM,
    groundSpeedMps: speedMps,
    courseDeg,
    telemetryAgeMs,
  }
}

/** A picture with the horizon in it would reach to the end of the world. */
const MAX_FOOTPRINT_DISTANCE_M = 1_000
const FOOTPRINT_ROWS = 24

/** Where the camera is and what it sees of level ground; none in reduced mode. */
export function cameraOf({ pose, lens, frame, telemetry }: View): SceneCamera | undefined {
  if (!pose) return undefined
  const { observer, orientation, heightM } = pose
  const headingDeg = toHeading(telemetry.values.cameraYawDeg!)

  const groundAt = (u: number, v: number): GeoPoint | undefined => {
    const hit = heightM === undefined ? undefined : meetGround(observer, lineOfSight(orientation, lens, u, v), heightM)
    return hit && hit.distanceM <= MAX_FOOTPRINT_DISTANCE_M ? hit.point : undefined
  }
  /** From the picture's top down to the first row that meets the ground. */
  const topPointAt = (u: number): GeoPoint | undefined => {
    for (let row = 0; row < FOOTPRINT_ROWS; row++) {
      const point = groundAt(u, (row * frame.height) / FOOTPRINT_ROWS)
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
