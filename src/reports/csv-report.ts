import { toZulu } from '../core/clock.ts'
import { type Cell, enhancedColumns } from './enhanced-columns.ts'
import { type ReportTrack } from './report.ts'
import { type ReportFormat, spreadOf } from './report-writer.ts'

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
}

const header = [...Object.keys(columns), ...Object.keys(enhancedColumns)]

/** A row a track (RFC 4180). */
export const csvReport: ReportFormat = {
  mediaType: 'text/csv; charset=utf-8; header=present',
  extension: 'csv',
  wantsBoxes: false,
  wantsPlaces: false,
  async *write({ tracks }) {
    yield toLine(header)
    for await (const track of tracks) {
      const seen = Object.values(columns).map((valueOf) => valueOf(track))
      yield toLine([
        ...seen,
        ...Object.values(enhancedColumns).map((valueOf) => track.enhanced && valueOf(track.enhanced)),
      ])
    }
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
