import { type Size } from '../../core/detection.ts'
import { type ObjectSizes, DEFAULT_SIZES } from '../../core/object-size.ts'
import { type SceneCamera, type SceneTrack, type TrackLocation, withLocation } from '../../core/scene.ts'
import { type TelemetryAt } from '../../core/telemetry.ts'
import { cameraOf } from './footprint.ts'
import { findLaserTarget, type Knowledge, locateObject, sightingOf } from './locate-object.ts'
import { type Uncertainty, DEFAULT_UNCERTAINTY } from './position-error.ts'
import { type Terrain } from './terrain.ts'
import { createTrackMotion, type GroundMotion } from './track-motion.ts'
import { viewOf } from './view.ts'

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
  /** The tracks with their locations, as far as telemetry for the frame's moment allows; as they are without any. */
  locate(
    tracks: readonly SceneTrack[],
    frame: LocatedFrame,
    telemetryAt: (timeMs: number) => TelemetryAt | undefined,
  ): readonly SceneTrack[]
  /** Where the camera is and what it sees of the ground. */
  camera(frame: LocatedFrame, telemetryAt: (timeMs: number) => TelemetryAt | undefined): SceneCamera | undefined
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
    camera(frame, telemetryAt) {
      const telemetry = telemetryAt(frame.takenAtMs)
      const view = telemetry && viewOf(telemetry, frame, terrain !== undefined)
      return view && cameraOf(view)
    },
    locate(tracks, frame, telemetryAt) {
      if (tracks.length === 0) return tracks
      const telemetry = telemetryAt(frame.takenAtMs)
      const view = telemetry && viewOf(telemetry, frame, terrain !== undefined)
      if (!view) return tracks
      const laserTarget = findLaserTarget(tracks, view)
      return tracks.map((track) => {
        const sighting = sightingOf(track.className, track.box, track === laserTarget)
        const { location, earth } = locateObject(sighting, view, knowledge)
        const { point, source } = location
        // Without tracking every detection has the id 0, and none has a past.
        const isFollowed = track.id > 0 && earth && point && source
        const motion = isFollowed && motions.update(track.id, frame.takenAtMs, point, earth, source)
        return withLocation(track, motion ? withMotion(location, motion) : location)
      })
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
