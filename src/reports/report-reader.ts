import { setImmediate as breathe } from 'node:timers/promises'
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

export interface ReportReader {
  /** The tracks of a report, read as fast as whoever asks takes them. */
  read(report: Report, since: number, wanted: Wanted): AsyncGenerator<ReportTrack>
  /** The report is being deleted: what was read of it must not end as if it were complete. */
  cutOff(processId: string): void
}

export function createReportReader({ reports, tracks, files, clock }: ReportReaderDeps): ReportReader {
  const readings = new Set<{ readonly processId: string; isCutOff: boolean }>()

  async function patchOf({ patchRow }: StoredTrack): Promise<Patch | undefined> {
    if (!patchRow) return undefined
    const jpeg = await files.read(patchRow.file)
    // A damaged one is as good as gone.
    if (!jpeg || !isWholeJpeg(jpeg)) return undefined
    return { jpeg, confidence: Math.round(patchRow.confidence * 1e4) / 100, takenAt: patchRow.taken_at }
  }

  async function* read(report: Report, since: number, wanted: Wanted): AsyncGenerator<ReportTrack> {
    const now = clock.now()
    const pages = tracks.pages(report.id, {
      since,
      limit: wanted.patches ? PAGE_WITH_PATCHES : PAGE,
      wantsBoxes: wanted.boxes,
      wantsPlaces: wanted.places,
      wantsPatches: wanted.patches,
    })
    for await (const page of pages) {
      // SQLite works on this very thread, and a format may have nothing to say of a whole page: others have their turn here.
      await breathe()
      const patches = wanted.patches ? await Promise.all(page.map(patchOf)) : []
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
    async *read(report, since, wanted) {
      const reading = { processId: report.id, isCutOff: false }
      readings.add(reading)
      try {
        yield* read(report, since, wanted)
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

/** It begins and ends as a JPEG does (ITU-T T.81, B.1.1.3): what a full disk or a power cut left does not. */
function isWholeJpeg(bytes: Buffer): boolean {
  return bytes.length > 4 && bytes.readUInt16BE(0) === 0xffd8 && bytes.readUInt16BE(bytes.length - 2) === 0xffd9
}
