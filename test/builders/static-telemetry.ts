/** A camera 20 m above the place where the clip was taken, looking down. */
export const staticTelemetry = {
  type: 'static',
  format: 'native',
  parameters: {
    latitude: 48.1,
    longitude: 11.5,
    altitude: 520,
    rel_altitude: 20,
    camera_pitch: -40,
    camera_yaw: 90,
    camera_roll: 0,
    sensor_hfov: 60,
    sensor_vfov: 45,
  },
}
