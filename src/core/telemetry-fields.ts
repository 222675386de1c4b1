import { z } from 'zod'

const within = (min: number, max: number) => z.number().min(min).max(max)

export const fieldOfView = z.number().gt(0).lt(180)
/** −360 to 360, so that both ways of writing a heading are taken. */
const heading = within(-360, 360)

/** The fields of the interface's telemetry message but its time: what a message may say, and a camera that never moves. */
export const telemetryFields = {
  latitude: within(-90, 90),
  longitude: within(-180, 180),
  altitude: within(-1_000, 100_000),
  rel_altitude: within(-1_000, 100_000),
  speed: within(-1_000, 1_000),
  sensor_hfov: fieldOfView,
  sensor_vfov: fieldOfView,
  camera_pitch: within(-180, 180),
  camera_yaw: heading,
  camera_roll: heading,
  drone_pitch: within(-180, 180),
  drone_yaw: heading,
  drone_roll: heading,
}
