/** Messages in the shapes of the drone vendor; places and numbers are invented. */

/** FlightHub Sync: an aircraft with its camera, one level deeper, the serial number beside it. */
export const syncMessage = {
  biz_code: 'device_osd',
  version: '1.0',
  timestamp: 1763168400123,
  data: {
    sn: '1581F8TEST0001',
    host: {
      latitude: 48.85301,
      longitude: 2.34912,
      height: 151.7,
      elevation: 62.4,
      attitude_head: -37.5,
      attitude_pitch: -4.1,
      attitude_roll: 1.2,
      horizontal_speed: 5.8,
      vertical_speed: 0,
      mode_code: 5,
      position_state: { is_fixed: 2, quality: 5, gps_number: 24, rtk_number: 28 },
      '99-0-0': {
        payload_index: '99-0-0',
        gimbal_pitch: -38.2,
        gimbal_roll: 0,
        gimbal_yaw: -35.9,
        zoom_factor: 7,
        measure_target_error_state: 0,
        measure_target_distance: 98.6,
        measure_target_latitude: 48.85357,
        measure_target_longitude: 2.34849,
        measure_target_altitude: 90.9,
      },
      cameras: [
        {
          payload_index: '99-0-0',
          camera_mode: 1,
          zoom_factor: 7,
          ir_zoom_factor: 2,
          screen_split_enable: false,
          liveview_world_region: { left: 0.437, top: 0.433, right: 0.564, bottom: 0.557 },
        },
      ],
    },
  },
}

/** Cloud API: an aircraft without its camera. */
export const cloudMessage = {
  tid: 't1',
  bid: 'b1',
  timestamp: 1763168402123,
  gateway: '7CTDM00TEST',
  data: {
    latitude: 48.85305,
    longitude: 2.34905,
    height: 151.9,
    elevation: 62.6,
    attitude_head: -37,
    attitude_pitch: -3.9,
    attitude_roll: 1.0,
    mode_code: 5,
  },
}

/** A dock: it has a place, but no camera of ours. */
export const dockMessage = {
  tid: 't2',
  bid: 'b2',
  timestamp: 1763168403000,
  gateway: '7CTDM00TEST',
  data: {
    latitude: 48.85299,
    longitude: 2.3493,
    height: 89.3,
    heading: 12.5,
    mode_code: 4,
    drone_in_dock: 0,
    cover_state: 1,
    environment_temperature: 14,
    rainfall: 0,
  },
}

/** The direct channel: the gimbal beside the aircraft, and no index of a camera. */
export const directMessage = {
  method: 'osd_info_push',
  seq: 381,
  timestamp: 1763168403105,
  data: {
    attitude_head: -37.2,
    latitude: 48.85306,
    longitude: 2.34903,
    height: 152.0,
    speed_x: 3.1,
    speed_y: -4.9,
    speed_z: 0,
    gimbal_pitch: -38.1,
    gimbal_roll: 0,
    gimbal_yaw: -35.8,
  },
}
