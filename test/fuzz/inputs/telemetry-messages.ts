import { cloudMessage, directMessage, dockMessage, syncMessage } from '../../builders/vendor-messages.ts'
import { type Json, mutateJson } from '../mutate-json.ts'
import { mutateOrder } from '../mutate-order.ts'
import { type Random } from '../random.ts'

/** When the messages below were sent. */
export const SENT_AT_MS = 1_763_168_403_000

const NATIVE: Json = {
  timestamp: SENT_AT_MS / 1000,
  latitude: 48.85301,
  longitude: 2.34912,
  altitude: 151.7,
  rel_altitude: 62.4,
  speed: 5.8,
  sensor_hfov: 36.28,
  sensor_vfov: 27.61,
  camera_pitch: -38.2,
  camera_yaw: -35.9,
  camera_roll: 0,
  drone_pitch: -4.1,
  drone_yaw: -37.5,
  drone_roll: 1.2,
}
const CAMERA: Json = {
  method: 'drc_camera_osd_info_push',
  timestamp: SENT_AT_MS,
  data: {
    payload_index: '99-0-0',
    zoom_lense: { zoom_factor: 7 },
    ir_lense: { ir_zoom_factor: 2 },
    liveview: { liveview_world_region: { left: 0.4, top: 0.4, right: 0.6, bottom: 0.6 } },
  },
}
const VENDOR: readonly Json[] = [syncMessage, cloudMessage, dockMessage, directMessage, CAMERA]

/** A few messages of one drone, in either format, with values that are others. */
export function telemetryMessages(format: 'native' | 'vendor_a', random: Random): Buffer[] {
  const known = format === 'native' ? [NATIVE] : VENDOR
  const messages = Array.from({ length: 1 + random.below(4) }, (_, at) => sentLater(random.pick(known), at * 100))
  return mutateOrder(messages, random)
    .slice(0, 20)
    .map((message) => (random.oneIn(3) ? Buffer.from(JSON.stringify(message)) : mutateJson(message, random)))
}

function sentLater(message: Json, ms: number): Json {
  const { timestamp, ...rest } = message as { timestamp: number; [name: string]: Json }
  return { timestamp: timestamp < 1e11 ? timestamp + ms / 1000 : timestamp + ms, ...rest }
}
