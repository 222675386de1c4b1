import { type z } from 'zod'
import { type ReportTrack } from './report.ts'
import { type ReportFormat, spreadOf } from './report-writer.ts'
import { type ReportTrackRecord } from './reports.schema.ts'

/** The report as the interface has it; `latlon_history` only with `history`. */
export function jsonReport({ hasHistory }: { hasHistory: boolean }): ReportFormat {
  return {
    mediaType: 'application/json; charset=utf-8',
    extension: null,
    wantsBoxes: false,
    wantsPlaces: hasHistory,
    async *write({ report, time, windowMinutes, tracks }) {
      yield `{"process_uuid":"${report.id}","report_time":${time / 1000},"time_window_minutes":${windowMinutes},"tracks":[`
      let separator = ''
      for await (const track of tracks) {
        yield separator + JSON.stringify(toReportTrackRecord(track, hasHistory))
        separator = ','
      }
      yield ']}'
    },
  }
}

export function toReportTrackRecord(track: ReportTrack, hasHistory: boolean): z.infer<typeof ReportTrackRecord> {
  const { max, min, mean } = spreadOf(track.confidences)
  const { patch } = track
  return {
    track_id: track.trackId,
    class_id: track.classId,
    category_name: track.className,
    bbox: [...track.box],
    list_confidences: [...track.confidences],
    max_confidence: max,
    min_confidence: min,
    mean_confidence: mean,
    image_patches: patch
      ? [{ image: patch.jpeg.toString('base64'), confidence: patch.confidence, timestamp: patch.takenAt / 1000 }]
      : [],
    timestamps: track.times.map((time) => time / 1000),
    is_live: track.isLive,
    first_seen: track.firstSeenAt / 1000,
    last_seen: track.lastSeenAt / 1000,
    first_location: track.firstLocation,
    last_location: track.lastLocation,
    ...(hasHistory && {
      latlon_history: (track.places ?? []).flatMap((place) => (place ? [[place[0], place[1]]] : [])),
    }),
    ...(track.enhanced !== undefined && { enhanced_data: track.enhanced }),
  }
}
