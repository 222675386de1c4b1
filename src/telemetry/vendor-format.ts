import { inputSentence } from '../core/input-sentence.ts'
import { type LaserTarget, type TelemetrySample } from '../core/telemetry.ts'
import { hasFix, refuseIssue } from './native-format.ts'
import { isLocatingPayload } from './payload-table.ts'
import { type Reading, refuse } from './refusal.ts'
import { parseTimestamp } from './timestamp.ts'
import { type FovSettings, type PayloadState, vendorFov } from './vendor-fov.ts'
import {
  asObject,
  kindOf,
  type Loose,
  type PayloadEntry,
  payloadsOf,
  VendorAircraft,
  VendorDirectCamera,
  VendorPayload,
} from './vendor-message.ts'

export interface VendorSettings extends FovSettings {
  /** How far mean sea level is above the ellipsoid. */
  readonly geoidHeightM: (latitudeDeg: number, longitudeDeg: number) => number
}

export interface VendorReadOptions {
  /** As in `thing/product/{sn}/osd`: names the sender when the message does not. */
  readonly topic?: string
  /** Stands in for a missing timestamp. */
  readonly timeMs?: number
}

/** Position fixed, of: not started, fixing, fixed, failed. */
const POSITION_FIXED = 2

export type VendorReading = Reading<TelemetrySample> & { readonly sender?: VendorSender }

export interface VendorSender {
  readonly serialNumber: string
  /** On the direct channel it is the gateway's, not the aircraft's. */
  readonly isGateway: boolean
}

/** Understands one message of the drone vendor. */
export function readVendor(message: unknown, settings: VendorSettings, options: VendorReadOptions = {}): VendorReading {
  const envelope = asObject(message)
  const data = asObject(envelope?.['data'])
  if (!envelope || !data)
    return refuse('not-an-object', 'A message of the vendor is a JSON object with an object data.')
  const stamp = envelope['timestamp']
  const timeMs = stamp === undefined || stamp === null ? options.timeMs : parseTimestamp(stamp)
  if (timeMs === undefined) return refuse('timestamp-missing', 'timestamp must be Unix milliseconds.')
  // FlightHub Sync has the device's own fields one level deeper, and its serial number beside them.
  const body = asObject(data['host']) ?? data
  const reading = readBody(envelope, body, timeMs, settings)
  const serialNumber = data['sn'] ?? options.topic?.split('/')[2]
  if (typeof serialNumber !== 'string' || serialNumber === '') return reading
  return { ...reading, sender: { serialNumber, isGateway: envelope['method'] !== undefined } }
}

function readBody(envelope: Loose, body: Loose, timeMs: number, settings: VendorSettings): Reading<TelemetrySample> {
  switch (kindOf(envelope, body)) {
    case 'dock':
      return refuse('dock', 'This is where a dock is, not an aircraft.')
    case 'remote-controller':
      return refuse('remote-controller', 'This is where a remote controller is, not an aircraft.')
    case 'nothing':
      return refuse('nothing-of-use', 'The message tells nothing of an aircraft or its camera.')
    case 'direct-camera':
      return readDirectCamera(body, timeMs, settings)
    case 'direct':
    case 'aircraft':
      return readAircraft(body, timeMs, settings)
  }
}

function readAircraft(body: Loose, timeMs: number, settings: VendorSettings): Reading<TelemetrySample> {
  const parsed = VendorAircraft.safeParse(body, { error: inputSentence })
  if (!parsed.success) return refuseIssue(parsed.error)
  const aircraft = parsed.data
  const entry = payloadsOf(body).find(({ type, body: { gimbal_yaw: yaw } }) => isLocatingPayload(type) && isNumber(yaw))
  // On the direct channel the gimbal's angles stand beside the aircraft's.
  const payload = VendorPayload.safeParse(entry?.body ?? body, { error: inputSentence })
  if (!payload.success) return refuseIssue(payload.error)

  const camera = aircraft.cameras?.find(({ payload_index: index }) => index === entry?.index)
  const fov = vendorFov(
    stateOf(
      entry,
      camera?.zoom_factor ?? payload.data.zoom_factor,
      camera?.ir_zoom_factor,
      camera?.liveview_world_region,
    ),
    settings,
  )
  const laser = laserOf(payload.data, settings)
  const sample = {
    timeMs,
    ...placeOf(aircraft, settings),
    ...known({
      speedMps: speedOf(aircraft),
      droneYawDeg: aircraft.attitude_head,
      dronePitchDeg: aircraft.attitude_pitch,
      droneRollDeg: aircraft.attitude_roll,
      cameraYawDeg: payload.data.gimbal_yaw,
      cameraPitchDeg: payload.data.gimbal_pitch,
      cameraRollDeg: payload.data.gimbal_roll,
    }),
    ...fov,
    ...(laser && { laser }),
  }
  if (Object.keys(sample).length > 1) return { sample }
  return refuse('camera-without-gimbal', 'The only camera in the message is one that can not be located by.')
}

function readDirectCamera(body: Loose, timeMs: number, settings: VendorSettings): Reading<TelemetrySample> {
  const parsed = VendorDirectCamera.safeParse(body, { error: inputSentence })
  if (!parsed.success) return refuseIssue(parsed.error)
  const { payload_index: index, zoom_lense: zoomLens, ir_lense: irLens, liveview } = parsed.data
  const [entry] = payloadsOf({ [index]: {} })
  if (!entry || !isLocatingPayload(entry.type))
    return refuse('camera-without-gimbal', `The camera ${index} is one that can not be located by.`)
  const fov = vendorFov(
    stateOf(entry, zoomLens?.zoom_factor, irLens?.ir_zoom_factor, liveview?.liveview_world_region),
    settings,
  )
  if (!fov) return refuse('nothing-of-use', `The field of view of the camera ${index} is not known; configure it.`)
  return { sample: { timeMs, ...fov } }
}

function stateOf(
  entry: PayloadEntry | undefined,
  zoomFactor: number | null | undefined,
  irZoomFactor: number | null | undefined,
  region: Region,
): PayloadState {
  return {
    payloadType: entry?.type,
    zoomFactor: zoomFactor ?? undefined,
    irZoomFactor: irZoomFactor ?? undefined,
    zoomShare: shareOf(region),
  }
}

type Region = { readonly left: number; readonly right: number } | null | undefined

function shareOf(region: Region): number | undefined {
  const share = region ? region.right - region.left : 0
  return share > 0 && share <= 1 ? share : undefined
}

/** Nothing but that there is no fix, when there is none: heights are then as wrong as the place. */
function placeOf(aircraft: VendorAircraft, { geoidHeightM }: VendorSettings): Partial<TelemetrySample> {
  const { latitude, longitude, height, elevation, position_state: state } = aircraft
  const isFix = hasFix(latitude, longitude)
  if (isFix === false || (isNumber(state?.is_fixed) && state.is_fixed !== POSITION_FIXED)) return { hasNoFix: true }
  if (isFix === undefined || !isNumber(latitude) || !isNumber(longitude)) return known({ relAltitudeM: elevation })
  const altitudeM = isNumber(height) ? height - geoidHeightM(latitude, longitude) : undefined
  return known({ latitudeDeg: latitude, longitudeDeg: longitude, altitudeM, relAltitudeM: elevation })
}

function speedOf({ horizontal_speed: speed, speed_x: x, speed_y: y }: VendorAircraft): number | undefined {
  if (isNumber(speed)) return speed
  return isNumber(x) && isNumber(y) ? Math.hypot(x, y) : undefined
}

/** Only a good measurement; its height is above the ellipsoid, as the aircraft's. */
function laserOf(payload: VendorPayload, { geoidHeightM }: VendorSettings): LaserTarget | undefined {
  if (payload.measure_target_error_state !== 0) return undefined
  const { measure_target_latitude: latitudeDeg, measure_target_longitude: longitudeDeg } = payload
  const { measure_target_altitude: height, measure_target_distance: distanceM } = payload
  if (!isNumber(latitudeDeg) || !isNumber(longitudeDeg) || !isNumber(height) || !isNumber(distanceM)) return undefined
  if (distanceM <= 0 || !hasFix(latitudeDeg, longitudeDeg)) return undefined
  return { latitudeDeg, longitudeDeg, altitudeM: height - geoidHeightM(latitudeDeg, longitudeDeg), distanceM }
}

function known(values: Readonly<Record<string, number | null | undefined>>): Partial<TelemetrySample> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => isNumber(value)))
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number'
}
