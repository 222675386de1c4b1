import { setImmediate as nextRound } from 'node:timers/promises'
import { type Clock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { readPatch } from './read-patch.ts'
import { type Report, type ReportTrack } from './report.ts'
import { isTrackLive, type ReportWindow } from './report-window.ts'
import { type PictureFiles } from './picture-files.ts'
import { type ReportStore } from './reports.store.ts'
import { type TrackStore } from './tracks.store.ts'

export interface Wanted {
  readonly boxes: boolean
  readonly places: boolean
  readonly patches: boolean
}

export interface ReportReaderDeps {
  readonly reports: Pick<ReportStore, 'find'>
  readonly tracks: Pick<TrackStore, 'pages'>
  readonly files: Pick<PictureFiles, 'read'>
  readonly clock: Clock
}

/** Tracks that are in memory at the same time; with pictures fewer, since those are what takes room. */
const PAGE = 500
const PAGE_WITH_PATCHES = 50

export interface ReportReader {
  /** The tracks of a report, read as fast as the caller takes them. */
  read(report: Report, window: ReportWindow, wanted: Wanted): AsyncGenerator<ReportTrack>
  /** The report is being deleted: what was read of it must not end as if it were complete. */
  cutOff(processId: string): void
}

export function createReportReader({ reports, tracks, files, clock }: ReportReaderDeps): ReportReader {
  const readings = new Set<{ readonly processId: string; isCutOff: boolean }>()

  async function* read(report: Report, window: ReportWindow, wanted: Wanted): AsyncGenerator<ReportTrack> {
    const now = clock.now()
    const pages = tracks.pages(report, {
      since: window.from ?? 0,
      until: window.to ?? Number.MAX_SAFE_INTEGER,
      limit: wanted.patches ? PAGE_WITH_PATCHES : PAGE,
      wantsBoxes: wanted.boxes,
      wantsPlaces: wanted.places,
      wantsPatches: wanted.patches,
    })
    for await (const page of pages) {
      // SQLite works on this very thread, and a format may have nothing to say of a whole page: others have their turn here.
      await nextRound()
      const patches = wanted.patches
        ? await Promise.all(page.map(async ({ patchRow }) => patchRow && readPatch(files, patchRow)))
        : []
      for (const [index, { patchRow: _, ...track }] of page.entries()) {
        // It may have been away for the whole window.
        if (track.times.length === 0) continue
        const patch = patches[index]
        yield { ...track, isLive: isTrackLive(report, track.lastSeenAt, now), ...(patch && { patch }) }
      }
    }
    // Retention may have taken it meanwhile.
    if (!(await reports.find(report.accountId, report.id)))
      throw new AppError('report-not-found', { process_uuid: report.id })
  }

  return {
    async *read(report, window, wanted) {
      const reading = { processId: report.id, isCutOff: false }
      readings.add(reading)
      try {
        yield* read(report, window, wanted)
        if (reading.isCutOff) throw new AppError('report-not-found', { process_uuid: report.id })
      } finally {
        readings.delete(reading)
      }
    },
    cutOff(processId) {
      for (const reading of readings) if (reading.processId === processId) reading.isCutOff = true
    },
  }
}
