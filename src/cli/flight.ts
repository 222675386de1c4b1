import { toHeading } from '../core/numbers.ts'
import { type TelemetrySample } from '../core/telemetry.ts'
import { moveBy } from '../core/wgs84.ts'

export const flightPaths = ['orbit', 'line', 'hover'] as const
export type FlightPath = (typeof flightPaths)[number]

export interface Flight {
  readonly path: FlightPath
  /** What an orbit goes around; where a line begins; above what it hovers. */
  readonly latitudeDeg: number
  readonly longitudeDeg: number
  /** Of the ground, above mean sea level. */
  readonly groundM: number
  readonly heightM: number
  /** Of an orbit; half the length of a line. */
  readonly radiusM: number
  readonly speedMps: number
  readonly hfovDeg: number
  readonly vfovDeg: number
}

type Moment = Omit<TelemetrySample, 'timeMs'>

/** Where the camera is and what it looks at, so many seconds after its start. */
export function flyFor(flight: Flight, seconds: number): Moment {
  const { latitudeDeg, longitudeDeg, groundM, heightM, hfovDeg, vfovDeg } = flight
  const { eastM, northM, headingDeg, cameraYawDeg, cameraPitchDeg, speedMps } = paths[flight.path](flight, seconds)
  const place = moveBy({ latitudeDeg, longitudeDeg, altitudeM: groundM + heightM }, eastM, northM)
  return {
    latitudeDeg: place.latitudeDeg,
    longitudeDeg: place.longitudeDeg,
    altitudeM: groundM + heightM,
    relAltitudeM: heightM,
    speedMps,
    hfovDeg,
    vfovDeg,
    cameraPitchDeg,
    cameraYawDeg: toHeading(cameraYawDeg),
    cameraRollDeg: 0,
    dronePitchDeg: 0,
    droneYawDeg: toHeading(headingDeg),
    droneRollDeg: 0,
  }
}

interface Pose {
  readonly eastM: number
  readonly northM: number
  readonly headingDeg: number
  readonly cameraYawDeg: number
  readonly cameraPitchDeg: number
  readonly speedMps: number
}

const degreesPerRadian = 180 / Math.PI

const paths: Record<FlightPath, (flight: Flight, seconds: number) => Pose> = {
  /** Clockwise around the place, always looking at it. */
  orbit({ radiusM, heightM, speedMps }, seconds) {
    const bearing = (speedMps / radiusM) * seconds
    return {
      eastM: radiusM * Math.sin(bearing),
      northM: radiusM * Math.cos(bearing),
      headingDeg: bearing * degreesPerRadian + 90,
      cameraYawDeg: bearing * degreesPerRadian + 180,
      cameraPitchDeg: -Math.atan2(heightM, radiusM) * degreesPerRadian,
      speedMps,
    }
  },
  /** North and back again, looking ahead and down. */
  line({ radiusM, speedMps }, seconds) {
    const length = 2 * radiusM
    const flown = (speedMps * seconds) % (2 * length)
    const isOut = flown < length
    return {
      eastM: 0,
      northM: isOut ? flown : 2 * length - flown,
      headingDeg: isOut ? 0 : 180,
      cameraYawDeg: isOut ? 0 : 180,
      cameraPitchDeg: -45,
      speedMps,
    }
  },
  /** Stands, and looks north and down. */
  hover: () => ({
    eastM: 0,
    northM: 0,
    headingDeg: 0,
    cameraYawDeg: 0,
    cameraPitchDeg: -30,
    speedMps: 0,
  }),
}
