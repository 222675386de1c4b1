import { radiansPerDegree } from '../core/numbers.ts'
import { type LensName, type PayloadLens } from '../core/telemetry-cfg.ts'
import { type Telemetry } from '../core/telemetry.ts'
import { findLens } from './payload-table.ts'

/** What a message says of its camera. */
export interface PayloadState {
  readonly payloadType: number | undefined
  readonly zoomFactor: number | undefined
  readonly irZoomFactor: number | undefined
  /** The part of the wide picture's width that the zoom picture shows. */
  readonly zoomShare: number | undefined
}

export interface FovSettings {
  /** Which lens is streamed: the messages do not say. */
  readonly lens: LensName
  /** As configured, at zoom 1: they win over the table. */
  readonly hfovDeg?: number
  readonly vfovDeg?: number
  readonly extraLenses?: readonly PayloadLens[]
}

export type Fov = Pick<Telemetry, 'hfovDeg' | 'vfovDeg' | 'fovRule'>

/** At rest a thermal zoom is reported as 2: it counts from the wide lens too. */
const IR_REST_ZOOM = 2
const videoShape = 9 / 16
const thermalShape = 4 / 5

/** The fields of view of the streamed lens; undefined while they are not known. */
export function vendorFov(state: PayloadState, settings: FovSettings): Fov | undefined {
  const tan = configuredTan(state, settings) ?? tableTan(state, settings)
  if (tan === undefined) return undefined
  const isThermal = settings.lens === 'ir'
  if (settings.vfovDeg !== undefined && settings.hfovDeg !== undefined) {
    const zoomed = tan / tanHalf(settings.hfovDeg)
    return { hfovDeg: toAngle(tan), vfovDeg: toAngle(tanHalf(settings.vfovDeg) * zoomed) }
  }
  return {
    hfovDeg: toAngle(tan),
    vfovDeg: toAngle(tan * (isThermal ? thermalShape : videoShape)),
    // Nobody knows whether a thermal picture of another shape was cut or got bars.
    fovRule: isThermal ? 'same-shape' : 'square-pixels',
  }
}

/** Half the picture's width at a distance of 1, from what the user said. */
function configuredTan(state: PayloadState, { lens, hfovDeg }: FovSettings): number | undefined {
  if (hfovDeg === undefined) return undefined
  const zoom = zoomOf(state, lens)
  return zoom === undefined ? undefined : tanHalf(hfovDeg) / zoom
}

function tableTan(state: PayloadState, { lens, hfovDeg, extraLenses }: FovSettings): number | undefined {
  const { payloadType, irZoomFactor, zoomShare } = state
  if (payloadType === undefined || hfovDeg !== undefined) return undefined
  if (lens === 'zoom' && zoomShare !== undefined) {
    const wide = findLens(payloadType, 'wide', extraLenses)
    if (wide) return tanHalf(wide.hfovDeg) * zoomShare
  }
  const row = findLens(payloadType, lens, extraLenses)
  if (!row) return undefined
  if (row.tele && irZoomFactor !== undefined && irZoomFactor >= row.tele.fromZoom)
    return tanHalf(row.tele.hfovDeg) / (irZoomFactor / row.tele.fromZoom)
  const zoom = zoomOf(state, lens)
  return zoom === undefined ? undefined : tanHalf(row.hfovDeg) / zoom
}

/** A wide lens does not zoom, whatever zoom factor is reported beside it. */
function zoomOf({ zoomFactor, irZoomFactor }: PayloadState, lens: LensName): number | undefined {
  if (lens === 'wide') return 1
  if (lens === 'ir') return Math.max(1, (irZoomFactor ?? IR_REST_ZOOM) / IR_REST_ZOOM)
  return zoomFactor === undefined ? undefined : Math.max(1, zoomFactor)
}

function tanHalf(angleDeg: number): number {
  return Math.tan((angleDeg / 2) * radiansPerDegree)
}

function toAngle(tan: number): number {
  return (2 * Math.atan(tan)) / radiansPerDegree
}
