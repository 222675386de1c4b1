import { toZulu } from '../core/clock.ts'
import { enhancedColumns } from './enhanced-columns.ts'
import { type ReportTrack } from './report.ts'
import { type ReportFormat, spreadOf } from './report-writer.ts'

/** Placemarks for located tracks: where each was last seen, and its way (OGC KML 2.2). */
export const kmlReport: ReportFormat = {
  mediaType: 'application/vnd.google-earth.kml+xml',
  extension: 'kml',
  wantsBoxes: false,
  wantsPlaces: true,
  async *write({ report, tracks }) {
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2">\n<Document>\n'
    yield `<name>${escapeXml(`Tracks of ${report.alias ?? report.id}`)}</name>\n`
    for await (const track of tracks) yield placemarkOf(track)
    yield '</Document>\n</kml>\n'
  },
}

function placemarkOf(track: ReportTrack): string {
  const { lastLocation } = track
  if (!lastLocation) return ''
  const { max, mean } = spreadOf(track.confidences)
  const data = {
    track_id: track.trackId,
    class_id: track.classId,
    category_name: track.className,
    max_confidence: max,
    mean_confidence: mean,
    is_live: track.isLive,
  }
  const enhanced = Object.entries(enhancedColumns)
    .map(([name, valueOf]) => [name, track.enhanced && valueOf(track.enhanced)] as const)
    .filter(([, value]) => value !== null && value !== undefined)
  const places = (track.places ?? []).filter((place) => place !== null)
  // Altitudes are above mean sea level, which is what KML calls absolute.
  const geometry = (name: string, coordinates: string) =>
    `<${name}><altitudeMode>absolute</altitudeMode><coordinates>${coordinates}</coordinates></${name}>`
  const line = places.map(([latitude, longitude, altitude]) => `${longitude},${latitude},${altitude}`).join(' ')
  return [
    `<Placemark><name>${escapeXml(`${track.className} ${track.trackId}`)}</name>`,
    `<TimeSpan><begin>${toZulu(track.firstSeenAt)}</begin><end>${toZulu(track.lastSeenAt)}</end></TimeSpan>`,
    '<ExtendedData>',
    ...[...Object.entries(data), ...enhanced].map(
      ([name, value]) => `<Data name="${name}"><value>${escapeXml(String(value))}</value></Data>`,
    ),
    '</ExtendedData><MultiGeometry>',
    geometry('Point', `${lastLocation.longitude},${lastLocation.latitude},${lastLocation.altitude}`),
    places.length > 1 ? geometry('LineString', line) : '',
    '</MultiGeometry></Placemark>\n',
  ].join('')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** Control characters have no place in XML 1.0, not even escaped. */
function escapeXml(text: string): string {
  return text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '').replace(/[&<>"']/g, (mark) => entities[mark]!)
}
