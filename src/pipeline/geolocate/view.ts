import { type Size } from '../../core/detection.ts'
import { type TelemetryAt, type TelemetryField } from '../../core/telemetry.ts'
import { type Lens, lensOf } from './lens.ts'
import { type Observer, observerAt } from './observer.ts'
import { type Orientation, orientationOf } from './orientation.ts'

/** One frame's camera: what all objects in it share. */
export interface View {
  readonly frame: Size
  readonly lens: Lens
  /** None in reduced mode. */
  readonly pose: Pose | undefined
  readonly telemetry: TelemetryAt
  readonly telemetryAgeMs: number
}

export interface Pose {
  readonly observer: Observer
  readonly orientation: Orientation
  /** Of the camera above the ground; unknown only where terrain may say it. */
  readonly heightM: number | undefined
}

const poseFields: readonly TelemetryField[] = [
  'latitudeDeg',
  'longitudeDeg',
  'altitudeM',
  'relAltitudeM',
  'cameraYawDeg',
  'cameraPitchDeg',
  'cameraRollDeg',
]
const fovFields: readonly TelemetryField[] = ['hfovDeg', 'vfovDeg']

/** None without fields of view: then nothing can be located. */
export function viewOf(telemetry: TelemetryAt, frame: Size, hasTerrain: boolean): View | undefined {
  const lens = lensOf(telemetry.values, frame)
  if (!lens) return undefined
  const pose = poseOf(telemetry, hasTerrain)
  const ages = (pose ? poseFields : fovFields).map((field) => telemetry.agesMs[field] ?? 0)
  return { frame, lens, pose, telemetry, telemetryAgeMs: Math.max(...ages) }
}

function poseOf({ values }: TelemetryAt, hasTerrain: boolean): Pose | undefined {
  const { latitudeDeg, longitudeDeg, altitudeM, relAltitudeM, cameraYawDeg, cameraPitchDeg, cameraRollDeg } = values
  if (latitudeDeg === undefined || longitudeDeg === undefined || altitudeM === undefined) return undefined
  if (cameraYawDeg === undefined || cameraPitchDeg === undefined || cameraRollDeg === undefined) return undefined
  if (relAltitudeM === undefined && !hasTerrain) return undefined
  return {
    observer: observerAt({ latitudeDeg, longitudeDeg, altitudeM }),
    orientation: orientationOf(cameraYawDeg, cameraPitchDeg, cameraRollDeg),
    heightM: relAltitudeM,
  }
}
