/** The camera that took the clip stood here; docs/geolocation.md says how that is known. */
export const clipPose = {
  latitude: 51.44162,
  longitude: -0.94562,
  altitude: 67.104,
  rel_altitude: 7.104,
  camera_pitch: -16.977,
  camera_yaw: 57.126,
  camera_roll: 2.381,
  sensor_hfov: 36.28,
  sensor_vfov: 27.61,
}
