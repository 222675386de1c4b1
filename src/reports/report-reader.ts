import { type Clock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { type Patch, type Report, type ReportTrack } from './report.ts'
import { isTrackLive } from './report-window.ts'
import { type PictureFiles } from './picture-files.ts'
import { type ReportStore } from './reports.store.ts'
import { type StoredTrack } from './track-pages.store.ts'
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

/** The tracks of a report, read as fast as whoever asks takes them. */
export function createReportReader({ reports, tracks, files, clock }: ReportReaderDeps) {
  async function patchOf({ patchRow }: StoredTrack): Promise<Patch | undefined> {
    const jpeg = patchRow && (await files.read(patchRow.file))
    return jpeg && { jpeg, confidence: Math.round(patchRow.confidence * 1e4) / 100, takenAt: patchRow.taken_at }
  }

  return async function* (report: Report, since: number, wanted: Wanted): AsyncGenerator<ReportTrack> {
    const now = clock.now()
    const pages = tracks.pages(report.id, {
      since,
      limit: wanted.patches ? PAGE_WITH_PATCHES : PAGE,
      wantsBoxes: wanted.boxes,
      wantsPlaces: wanted.places,
      wantsPatches: wanted.patches,
    })
    for await (const page of pages) {
      const patches = wanted.patches ? await Promise.all(page.map(patchOf)) : []
      for (const [index, { patchRow: _, ...track }] of page.entries()) {
        // It may have been away for the whole window.
        if (track.times.length === 0) continue
        const patch = patches[index]
        yield { ...track, isLive: isTrackLive(report, track.lastSeenAt, now), ...(patch && { patch }) }
      }
    }
    // What was deleted or emptied meanwhile must not end like a report that is complete: who reads it is cut off.
    const left = await reports.find(report.accountId, report.id)
    if (!left || left.trackCount < report.trackCount)
      throw new AppError('report-not-found', { process_uuid: report.id })
  }
}

export type ReportReader = ReturnType<typeof createReportReader>
