import { z } from 'zod'

/** The parts of a drone vendor's messages that we use (Cloud API, FlightHub Sync, direct channel); everything else is ignored. */

const number = z.number().nullish()
const degrees = z.number().min(-360).max(360).nullish()
/** What is beyond stands for "not known", and spoils nothing else in the message. */
const orUnknown = (min: number, max: number) => z.number().min(min).max(max).nullish().catch(null)
const zoom = orUnknown(0, 1_000)
/** Metres. */
const height = orUnknown(-20_000, 20_000)

/** Far more than any aircraft carries; what comes after these is not looked at, since looking at a list of thousands takes long. */
const MAX_CAMERAS = 16

/** Where the zoom picture lies in the wide one, as shares of it. */
const Region = z.object({ left: z.number(), right: z.number() }).nullish()

export const VendorPayload = z.object({
  gimbal_pitch: degrees,
  gimbal_yaw: degrees,
  gimbal_roll: degrees,
  zoom_factor: zoom,
  measure_target_error_state: number,
  measure_target_latitude: orUnknown(-90, 90),
  measure_target_longitude: orUnknown(-180, 180),
  measure_target_altitude: height,
  measure_target_distance: orUnknown(0, 100_000),
})
export type VendorPayload = z.infer<typeof VendorPayload>

export const VendorAircraft = z.object({
  latitude: z.number().min(-90).max(90).nullish(),
  longitude: z.number().min(-180).max(180).nullish(),
  /** Above the ellipsoid. */
  height,
  /** Above the place of take-off. */
  elevation: height,
  attitude_head: degrees,
  attitude_pitch: degrees,
  attitude_roll: degrees,
  horizontal_speed: number,
  speed_x: number,
  speed_y: number,
  position_state: z.object({ is_fixed: number }).nullish(),
  cameras: z.preprocess(
    (cameras) => (Array.isArray(cameras) ? cameras.slice(0, MAX_CAMERAS) : cameras),
    z
      .array(
        z.object({
          payload_index: z.string().nullish(),
          zoom_factor: zoom,
          ir_zoom_factor: zoom,
          liveview_world_region: Region,
        }),
      )
      .nullish(),
  ),
})
export type VendorAircraft = z.infer<typeof VendorAircraft>

/** Its companion on the direct channel, which is about the camera alone. */
export const VendorDirectCamera = z.object({
  payload_index: z.string(),
  zoom_lense: z.object({ zoom_factor: zoom }).nullish(),
  ir_lense: z.object({ ir_zoom_factor: zoom }).nullish(),
  liveview: z.object({ liveview_world_region: Region }).nullish(),
})

/** Objects in JSON, not yet looked into. */
export type Loose = Readonly<Record<string, unknown>>

export function asObject(value: unknown): Loose | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Loose) : undefined
}

export type VendorKind = 'aircraft' | 'direct' | 'direct-camera' | 'dock' | 'remote-controller' | 'nothing'

/** Whose message it is, by what is in it; docks and remote controllers have places too, but no camera of ours. */
export function kindOf(envelope: Loose, body: Loose): VendorKind {
  const { method, biz_code: code } = envelope
  if (method === 'osd_info_push') return 'direct'
  if (method === 'drc_camera_osd_info_push') return 'direct-camera'
  if (typeof method === 'string') return 'nothing'
  const has = (name: string) => body[name] !== undefined && body[name] !== null
  const isHeadedWithoutAttitude = has('heading') && !has('attitude_head')
  if (code === 'dock_osd' || has('drone_in_dock') || has('cover_state') || isHeadedWithoutAttitude) return 'dock'
  if (code === 'gateway_osd') return 'remote-controller'
  if (has('attitude_head') || has('elevation') || payloadsOf(body).length > 0) return 'aircraft'
  return has('latitude') || has('longitude') ? 'remote-controller' : 'nothing'
}

export interface PayloadEntry {
  readonly index: string
  readonly type: number
  readonly body: Loose
}

/** The cameras of an aircraft stand under their index, type-subtype-gimbal; the main gimbal first. */
export function payloadsOf(body: Loose): PayloadEntry[] {
  const entries: (PayloadEntry & { readonly gimbal: number })[] = []
  for (const index of Object.keys(body)) {
    const [, type, gimbal] = /^(\d+)-\d+-(\d+)$/.exec(index) ?? []
    const payload = asObject(body[index])
    if (type && payload) entries.push({ index, type: Number(type), gimbal: Number(gimbal), body: payload })
    if (entries.length === MAX_CAMERAS) break
  }
  return entries.sort((a, b) => a.gimbal - b.gimbal)
}
