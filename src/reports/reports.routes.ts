import { Readable } from 'node:stream'
import { type FastifyReply } from 'fastify'
import { type FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type Account } from '../core/account.ts'
import { nextPageLink } from '../core/page.ts'
import { ByProcess, OwnerQuery } from '../core/request-fields.ts'
import { type SourceRights } from '../core/source-rights.ts'
import { csvReport } from './csv-report.ts'
import { type EnhancementService } from './enhancement.service.ts'
import { geojsonReport } from './geojson-report.ts'
import { jsonReport } from './json-report.ts'
import { kmlReport } from './kml-report.ts'
import { motReport } from './mot-report.ts'
import { type RequestedWindow } from './report-window.ts'
import { inLargerPieces, type ReportFormat } from './report-writer.ts'
import {
  DecoratedProcess,
  DecorateQuery,
  DeletedReport,
  EnhancementRecord,
  ReportQuery,
  toEnhancementRecord,
  toTrackedProcess,
  TrackedProcess,
  TrackedProcessesQuery,
  TrackReport,
} from './reports.schema.ts'
import { type ReportService } from './reports.service.ts'

export interface ReportRouteDeps {
  readonly reports: ReportService
  readonly enhancement: EnhancementService
  /** Links to the processed video of a process, the oldest file first. */
  readonly videoUrls: (baseUrl: string, processId: string) => Promise<readonly string[]>
  /** Whose things are asked for: the caller's, or a child's that a master names. */
  readonly owners: { resolve(caller: Account, username: string | undefined): Promise<Account> }
  /** Who was given the right to the events of a source reads the reports of its owner's processes on it. */
  readonly rights: Pick<SourceRights, 'ownerForProcess'>
}

const DEFAULT_WINDOW_MINUTES = 10

function requestedWindow({ time_window_minutes: minutes, from, to }: ReportQuery): RequestedWindow {
  if (from !== undefined || to !== undefined) return { from, to }
  return { minutes: minutes ?? DEFAULT_WINDOW_MINUTES }
}

const exportFormats = { geojson: geojsonReport, kml: kmlReport, csv: csvReport, mot: motReport } as const

/** Only documented: reports are streamed. */
const inEveryFormat = {
  description: 'The report, in the format that was asked for',
  content: {
    'application/json': { schema: TrackReport },
    ...Object.fromEntries(
      Object.values(exportFormats).map(({ mediaType }) => [mediaType.split(';')[0]!, { schema: z.string() }]),
    ),
  },
}

/** `/process/…/tracks`, `/tracked_processes`, `/decorate_tracks/…`: what processes saw, track by track. */
export function reportRoutes({
  reports,
  enhancement,
  videoUrls,
  owners,
  rights,
}: ReportRouteDeps): FastifyPluginAsyncZod {
  return async (app) => {
    const tags = ['Track reports']

    async function sendReport(account: Account, processId: string, query: ReportQuery, reply: FastifyReply) {
      const owner = await rights.ownerForProcess(account, processId, 'events', query.username)
      const format: ReportFormat =
        query.format === 'json' ? jsonReport({ hasHistory: query.history === true }) : exportFormats[query.format]
      const report = await reports.open(owner, processId, requestedWindow(query), {
        boxes: format.wantsBoxes,
        places: format.wantsPlaces,
        patches: query.format === 'json' && query.patches !== false,
      })
      reply.header('cache-control', 'no-store')
      if (format.extension !== null)
        reply.header('content-disposition', `attachment; filename="tracks-${processId}.${format.extension}"`)
      // Read only as fast as the client takes it.
      return reply
        .type(format.mediaType)
        .send(Readable.from(inLargerPieces(format.write(report)), { objectMode: false }))
    }

    const schema = { tags, params: ByProcess, querystring: ReportQuery, response: { 200: inEveryFormat } }
    app.get(
      '/process/:process_uuid/tracks',
      { schema: { ...schema, summary: 'The track report of a process' } },
      (request, reply) => sendReport(request.account, request.params.process_uuid, request.query, reply),
    )
    app.post(
      '/process/:process_uuid/tracks',
      { schema: { ...schema, summary: 'The track report of a process, as by GET' } },
      (request, reply) => sendReport(request.account, request.params.process_uuid, request.query, reply),
    )

    app.delete(
      '/process/:process_uuid/tracks',
      {
        config: { urgentWork: 'removal' },
        schema: {
          tags,
          summary: 'Delete the report of a process; one that goes on begins a new report',
          params: ByProcess,
          response: { 200: DeletedReport },
        },
      },
      async (request) => {
        await reports.remove(request.account, request.params.process_uuid)
        return { process_uuid: request.params.process_uuid, deleted: true as const }
      },
    )

    app.get(
      '/tracked_processes',
      {
        schema: {
          tags,
          summary: 'List processes that have a track report',
          querystring: TrackedProcessesQuery,
          response: { 200: z.array(TrackedProcess) },
        },
      },
      async (request, reply) => {
        const owner = await owners.resolve(request.account, request.query.username)
        const { items, nextCursor } = await reports.list(owner, request.query)
        if (nextCursor) reply.header('link', nextPageLink(request.url, nextCursor))
        return Promise.all(
          items.map(async (report) => toTrackedProcess(report, await videoUrls(request.baseUrl, report.id))),
        )
      },
    )

    app.post(
      '/decorate_tracks/:process_uuid',
      {
        schema: {
          tags,
          summary: 'Enhance the report of a process that has ended: types, colours, plates',
          params: ByProcess,
          querystring: DecorateQuery,
          response: { 200: DecoratedProcess },
        },
      },
      async (request) => {
        const { process_uuid } = request.params
        await enhancement.start(request.account, process_uuid, request.query.again === true)
        return { process_uuid }
      },
    )

    const ofStatus = { tags, params: ByProcess, querystring: OwnerQuery, response: { 200: EnhancementRecord } }
    async function statusOf(account: Account, processId: string, username: string | undefined) {
      const owner = await owners.resolve(account, username)
      return toEnhancementRecord(processId, await enhancement.status(owner, processId))
    }
    app.get(
      '/decorate_tracks/:process_uuid/status',
      { schema: { ...ofStatus, summary: 'How far the enhancement of a report is' } },
      (request) => statusOf(request.account, request.params.process_uuid, request.query.username),
    )
    app.post(
      '/decorate_tracks/:process_uuid/status',
      { schema: { ...ofStatus, summary: 'How far the enhancement of a report is, as by GET' } },
      (request) => statusOf(request.account, request.params.process_uuid, request.query.username),
    )
  }
}
