import { type LensName, type PayloadLens } from '../core/telemetry-cfg.ts'

/** Which picture a field of view is of. */
export interface LensRow {
  readonly hfovDeg: number
  /** Thermal only: the field of view from the zoom on at which another lens takes over. */
  readonly tele?: { readonly fromZoom: number; readonly hfovDeg: number }
}

/**
 * Zoom factors count from a wide lens of 24 mm (35 mm equivalent, on the diagonal of 43.27 mm), whose half width on a 4:3
 * sensor is 17.31 mm. Nominal: real zoom lenses were found up to 13 % narrower.
 */
const zoomFrom24mm = (2 * Math.atan(17.31 / 24) * 180) / Math.PI
/** The same on a sensor of 16:9. */
const zoomFrom24mmOn16To9 = (2 * Math.atan(18.85 / 24) * 180) / Math.PI

type Lenses = Readonly<Partial<Record<LensName, LensRow>>>

const camera = (wide: number | null, zoom: number | null, ir?: LensRow): Lenses => ({
  ...(wide !== null && { wide: { hfovDeg: wide } }),
  ...(zoom !== null && { zoom: { hfovDeg: zoom } }),
  ...(ir && { ir }),
})

/**
 * By payload type. Cameras whose lens can be changed and is not reported (P1, the thermal side of XT2, XT S) are not here: their
 * field of view must be configured. Nor is what is no pinhole (39, 165, 176).
 */
const payloads: Readonly<Record<number, Lenses>> = {
  /** Z30, whose zoom counts from its own 29 mm. */
  20: camera(null, 63.7),
  /** XT2, the visible side. */
  26: camera(49.8, null),
  /** H20, H20T, H20N. */
  42: camera(70.5, zoomFrom24mm),
  43: camera(70.5, zoomFrom24mm, { hfovDeg: 31.8 }),
  61: camera(66.2, zoomFrom24mmOn16To9, { hfovDeg: 36.3, tele: { fromZoom: 8, hfovDeg: 9.8 } }),
  /** L1, L2. */
  51: camera(73.4, null),
  84: camera(71.5, null),
  /** M30, M30T. */
  52: camera(71.5, zoomFrom24mm),
  53: camera(71.5, zoomFrom24mm, { hfovDeg: 45.8 }),
  /** M3E, M3T, M3TA. */
  66: camera(71.5, zoomFrom24mm),
  67: camera(71.5, zoomFrom24mm, { hfovDeg: 45.8 }),
  129: camera(71.5, zoomFrom24mm, { hfovDeg: 45.8 }),
  /** M3D, M3TD. */
  80: camera(71.5, zoomFrom24mm),
  81: camera(69.6, zoomFrom24mm, { hfovDeg: 45.8 }),
  /** H30, H30T. */
  82: camera(69.7, zoomFrom24mm),
  83: camera(69.7, zoomFrom24mm, { hfovDeg: 36 }),
  /** M4E, M4T, M4D, M4TD. */
  88: camera(71.5, zoomFrom24mm),
  89: camera(69.6, zoomFrom24mm, { hfovDeg: 35.8 }),
  98: camera(71.5, zoomFrom24mm),
  99: camera(69.6, zoomFrom24mm, { hfovDeg: 35.8 }),
}

/** First-person, dock and vision-assist cameras: fisheyes without a gimbal. */
const neverLocating: ReadonlySet<number> = new Set([39, 165, 176])

export function isLocatingPayload(payloadType: number): boolean {
  return !neverLocating.has(payloadType)
}

/** A lens of a payload; `extra` rows win over the table. */
export function findLens(payloadType: number, lens: LensName, extra: readonly PayloadLens[] = []): LensRow | undefined {
  const own = extra.findLast((row) => row.payload_type === payloadType && row.lens === lens)
  if (own) return { hfovDeg: own.hfov }
  return payloads[payloadType]?.[lens]
}
