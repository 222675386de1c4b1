import { type z } from 'zod'
import { toZulu, toZuluOrNull } from '../core/clock.ts'
import { type ReportTrack } from './report.ts'
import { type ReportFormat, spreadOf } from './report-writer.ts'
import { type ReportTrackRecord, toPatches, toTrackSpanFields } from './reports.schema.ts'

/** The report as the interface has it; `latlon_history` only with `history`. */
export function jsonReport({ hasHistory }: { hasHistory: boolean }): ReportFormat {
  return {
    mediaType: 'application/json; charset=utf-8',
    extension: null,
    wantsBoxes: false,
    wantsPlaces: hasHistory,
    async *write({ report, time, window, tracks }) {
      const [from, to] = [window.from, window.to].map((ms) => JSON.stringify(toZuluOrNull(ms)))
      yield `{"process_uuid":"${report.id}","time_window_minutes":${window.minutes},"from":${from},"to":${to},"tracks":[`
      // Behind the tracks: a file that is processed fast has frames ahead of our clock, and what a live process sees
      // while its report is read is in it too. Nothing was seen after the report's own time.
      let latest = time
      let separator = ''
      for await (const track of tracks) {
        latest = Math.max(latest, track.lastSeenAt, track.patch?.takenAt ?? 0)
        yield separator + JSON.stringify(toReportTrackRecord(track, hasHistory))
        separator = ','
      }
      yield `],"report_time":${latest / 1000},"reported_at":"${toZulu(latest)}"}`
    },
  }
}

function toReportTrackRecord(track: ReportTrack, hasHistory: boolean): z.infer<typeof ReportTrackRecord> {
  const { max, min, mean } = spreadOf(track.confidences)
  return {
    track_id: track.trackId,
    class_id: track.classId,
    category_name: track.className,
    class_name: track.className,
    bbox: [...track.box],
    list_confidences: [...track.confidences],
    max_confidence: max,
    min_confidence: min,
    mean_confidence: mean,
    image_patches: toPatches(track.patch),
    timestamps: track.times.map((time) => time / 1000),
    is_live: track.isLive,
    ...toTrackSpanFields(track),
    ...(hasHistory && {
      latlon_history: (track.places ?? []).flatMap((place) => (place ? [[place[0], place[1]]] : [])),
    }),
    ...(track.enhanced !== undefined && { enhanced_data: track.enhanced }),
  }
}
