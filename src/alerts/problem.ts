import { type ProcessFacts } from '../core/process-facts.ts'
import { type TelemetryCfg } from '../core/telemetry-cfg.ts'
import { isGeographic, type Setup } from './alert.ts'
import { kindOf } from './analyses/kinds.ts'

/** What is known of a process that an alert is at. */
export interface AnalysedProcess extends Pick<ProcessFacts, 'isTracking' | 'keepsPictures' | 'classes'> {
  readonly telemetryCfg: TelemetryCfg | null
}

/** Fields without which nothing has a place; the height above the ground may come from terrain. */
const placeFields = ['latitude', 'longitude', 'altitude', 'camera_pitch', 'camera_yaw', 'camera_roll'] as const

/** Why nothing that a process sees can ever have a place on Earth; null when it can. */
export function whyWithoutPlaces(cfg: TelemetryCfg | null): string | null {
  if (!cfg) return 'its source has no telemetry; register the source with a telemetry_cfg, and start a new process.'
  if (cfg.type !== 'static') return null
  const missing = placeFields.filter((field) => cfg.parameters[field] === undefined)
  if (missing.length === 0) return null
  return `its static telemetry lacks ${missing.join(', ')}; register the source with them, and start a new process.`
}

/** Why an alert finds nothing, or not everything, at a process; null when nothing is wrong. */
export function problemWith(setup: Setup, process: AnalysedProcess, hasSeenPlaces: boolean): string | null {
  const kind = kindOf(setup)
  const { telemetryCfg, isTracking, keepsPictures, classes } = process
  if (isGeographic(setup)) {
    const why = whyWithoutPlaces(telemetryCfg)
    if (why) return `The alert needs places on the ground, and the process has none: ${why}`
    if (!hasSeenPlaces)
      return 'Nothing that was seen has had a place on the ground so far; check that telemetry arrives.'
  }
  if (setup.filter.max_distance_m !== undefined && !telemetryCfg)
    return 'The alert asks for a distance, and the source has no telemetry; register it with a telemetry_cfg, and start a new process.'
  if (!isTracking && kind.needsTracking)
    return 'The process runs without tracking, so nobody knows who is who; start one with tracking=true.'
  if (kind.needsPictures(setup) && !keepsPictures)
    return 'Notifications come without images: pictures of tracks are made only for keys with track reports (is_track_logger_enabled), with tracking.'
  const wanted = setup.filter.classes
  if (classes && wanted && !wanted.some((name) => classes.includes(name)))
    return `The process looks only for ${classes.join(', ')}; start one that looks for ${wanted.join(', ')}.`
  return null
}
