import { type Account } from '../core/account.ts'
import { type Stretch } from '../core/recorded-time.ts'
import { geojsonReport } from './geojson-report.ts'
import { jsonReport } from './json-report.ts'
import { kmlReport } from './kml-report.ts'
import { inLargerPieces, type ReportFormat } from './report-writer.ts'
import { type ReportService } from './reports.service.ts'
import { type ReportStore } from './reports.store.ts'

const formats = {
  json: jsonReport({ hasHistory: true }),
  geojson: geojsonReport,
  kml: kmlReport,
} as const satisfies Record<string, ReportFormat>

export type ExportFormat = keyof typeof formats

/** Reports for who hands them on: pieces of text and pictures, read as fast as they are taken. */
export interface TrackExports {
  /** The processes of an account that were on a source in this time and have a report, the oldest first. */
  listProcesses(owner: Pick<Account, 'id'>, sourceId: string, stretch: Stretch): Promise<readonly string[]>
  /** Rejects with `report-not-found` when it goes meanwhile. */
  exportTracks(owner: Account, processId: string, stretch: Stretch, format: ExportFormat): AsyncIterable<string>
  /** The best one of each track that was seen in this time, by id; of some there is none. */
  pictures(owner: Account, processId: string, stretch: Stretch): AsyncIterable<TrackImage>
}

export interface TrackImage {
  readonly trackId: number
  readonly jpeg: Buffer
}

export interface TrackExportDeps {
  readonly store: Pick<ReportStore, 'listOnSource'>
  readonly reports: Pick<ReportService, 'open'>
}

export function createTrackExports({ store, reports }: TrackExportDeps): TrackExports {
  return {
    listProcesses: ({ id }, sourceId, stretch) => store.listOnSource(id, sourceId, stretch),

    async *exportTracks(owner, processId, { from, to }, name) {
      const format = formats[name]
      const wanted = { boxes: format.wantsBoxes, places: format.wantsPlaces, patches: false }
      yield* inLargerPieces(format.write(await reports.open(owner, processId, { from, to }, wanted)))
    },

    async *pictures(owner, processId, { from, to }) {
      const wanted = { boxes: false, places: false, patches: true }
      const { tracks } = await reports.open(owner, processId, { from, to }, wanted)
      for await (const { trackId, patch } of tracks) if (patch) yield { trackId, jpeg: patch.jpeg }
    },
  }
}
