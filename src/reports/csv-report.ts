import { toZulu } from '../core/clock.ts'
import { type ReportTrack } from './report.ts'
import { type ReportFormat, spreadOf } from './report-writer.ts'

type Cell = string | number | boolean | null | undefined

const columns: Readonly<Record<string, (track: ReportTrack) => Cell>> = {
  track_id: ({ trackId }) => trackId,
  class_id: ({ classId }) => classId,
  category_name: ({ className }) => className,
  x: ({ box }) => box[0],
  y: ({ box }) => box[1],
  width: ({ box }) => box[2],
  height: ({ box }) => box[3],
  max_confidence: ({ confidences }) => spreadOf(confidences).max,
  min_confidence: ({ confidences }) => spreadOf(confidences).min,
  mean_confidence: ({ confidences }) => spreadOf(confidences).mean,
  detections: ({ times }) => times.length,
  first_seen: ({ firstSeenAt }) => toZulu(firstSeenAt),
  last_seen: ({ lastSeenAt }) => toZulu(lastSeenAt),
  is_live: ({ isLive }) => isLive,
  first_latitude: ({ firstLocation }) => firstLocation?.latitude,
  first_longitude: ({ firstLocation }) => firstLocation?.longitude,
  first_altitude: ({ firstLocation }) => firstLocation?.altitude,
  last_latitude: ({ lastLocation }) => lastLocation?.latitude,
  last_longitude: ({ lastLocation }) => lastLocation?.longitude,
  last_altitude: ({ lastLocation }) => lastLocation?.altitude,
  vehicle_type: ({ enhanced }) => enhanced?.vehicle_type,
  color: ({ enhanced }) => enhanced?.color?.name,
  plate: ({ enhanced }) => enhanced?.plate?.text,
  upper_color: ({ enhanced }) => enhanced?.upper_color?.name,
  lower_color: ({ enhanced }) => enhanced?.lower_color?.name,
  kind: ({ enhanced }) => enhanced?.kind,
  estimated_size_m: ({ enhanced }) => enhanced?.estimated_size_m,
}

/** A row a track (RFC 4180). */
export const csvReport: ReportFormat = {
  mediaType: 'text/csv; charset=utf-8; header=present',
  extension: 'csv',
  wantsBoxes: false,
  wantsPlaces: false,
  async *write({ tracks }) {
    yield toLine(Object.keys(columns))
    for await (const track of tracks) yield toLine(Object.values(columns).map((valueOf) => valueOf(track)))
  },
}

function toLine(cells: readonly Cell[]): string {
  return `${cells.map(toCell).join(',')}\r\n`
}

/** Text that a spreadsheet would take for a formula gets a mark that makes it text; numbers may be negative. */
export function toCell(value: Cell): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'string') return String(value)
  const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
