import { type PlaceNumbers, type ReportTrack } from './report.ts'
import { type ReportFormat, spreadOf } from './report-writer.ts'

/** `[longitude, latitude, altitude]`: RFC 7946 §3.1.1 has the longitude first. */
type Position = [number, number, number]

/** Points where located tracks were last seen, and the lines of their ways (RFC 7946). */
export const geojsonReport: ReportFormat = {
  mediaType: 'application/geo+json',
  extension: 'geojson',
  wantsBoxes: false,
  wantsPlaces: true,
  async *write({ report, tracks }) {
    yield '{"type":"FeatureCollection","features":['
    let separator = ''
    for await (const track of tracks)
      for (const feature of featuresOf(report.id, track)) {
        yield separator + JSON.stringify(feature)
        separator = ','
      }
    yield ']}'
  },
}

function featuresOf(processId: string, track: ReportTrack): object[] {
  const { lastLocation } = track
  if (!lastLocation) return []
  const { max, mean } = spreadOf(track.confidences)
  const properties = {
    process_uuid: processId,
    track_id: track.trackId,
    class_id: track.classId,
    category_name: track.className,
    max_confidence: max,
    mean_confidence: mean,
    first_seen: track.firstSeenAt / 1000,
    last_seen: track.lastSeenAt / 1000,
    is_live: track.isLive,
    ...(track.enhanced && { enhanced_data: track.enhanced }),
  }
  const { longitude, latitude, altitude } = lastLocation
  const point = { type: 'Point', coordinates: [longitude, latitude, altitude] }
  const line = lineOf((track.places ?? []).filter((place) => place !== null))
  return [
    { type: 'Feature', geometry: point, properties: { ...properties, kind: 'last_location' } },
    ...(line ? [{ type: 'Feature', geometry: line, properties: { ...properties, kind: 'path' } }] : []),
  ]
}

/** A line has two positions at least (§3.1.4). One that crosses the antimeridian is cut there (§3.1.9). */
function lineOf(places: readonly PlaceNumbers[]): object | undefined {
  const lines: Position[][] = [[]]
  places.forEach(([latitude, longitude, altitude], index) => {
    const before = places[index - 1]
    if (before && Math.abs(longitude - before[1]) > 180) {
      const [end, start] = crossing(before, [latitude, longitude, altitude])
      lines.at(-1)!.push(end)
      lines.push([start])
    }
    lines.at(-1)!.push([longitude, latitude, altitude])
  })
  if (lines[0]!.length < 2) return undefined
  return lines.length === 1
    ? { type: 'LineString', coordinates: lines[0] }
    : { type: 'MultiLineString', coordinates: lines }
}

/** Where a step leaves one side of the antimeridian, and where it comes in on the other. */
function crossing(from: PlaceNumbers, to: PlaceNumbers): [Position, Position] {
  const side = from[1] > 0 ? 180 : -180
  const leftDeg = Math.abs(side - from[1])
  const wholeDeg = leftDeg + Math.abs(-side - to[1])
  const share = wholeDeg === 0 ? 0 : leftDeg / wholeDeg
  const between = (a: number, b: number) => a + (b - a) * share
  const [latitude, altitude] = [between(from[0], to[0]), between(from[2], to[2])]
  return [
    [side, latitude, altitude],
    [-side, latitude, altitude],
  ]
}
