import { type FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type Account } from '../core/account.ts'
import { nextPageLink } from '../core/page.ts'
import { textOf } from '../core/request-headers.ts'
import { sendVideoFile } from '../http/send-video-file.ts'
import { RecordingRecord, RecordingsQuery, toRecordingRecord } from './recordings.schema.ts'
import { type RecordingService } from './recordings.service.ts'

export interface RecordingRouteDeps {
  readonly recordings: RecordingService
  readonly owners: { resolve(caller: Account, username: string | undefined): Promise<Account> }
}

const BySegment = z.object({ file: z.string().regex(/^[0-9a-f-]{36}\.mp4$/, 'must be a segment’s file name') })
const segmentOf = (file: string) => file.replace('.mp4', '')
const LinkQuery = z.object({ token: z.string().default('').describe('Comes with the download_url.') })

/** `/sources/recordings`: what was kept of streams, and the files. */
export function recordingRoutes({ recordings, owners }: RecordingRouteDeps): FastifyPluginAsyncZod {
  return async (app) => {
    const tags = ['Sources']

    app.get(
      '/sources/recordings',
      {
        schema: {
          tags,
          summary: 'List recordings of sources',
          querystring: RecordingsQuery,
          response: { 200: z.array(RecordingRecord) },
        },
      },
      async (request, reply) => {
        const owner = await owners.resolve(request.account, request.query.username)
        const { items, nextCursor } = await recordings.list(owner, request.query.source_uuid, request.query)
        if (nextCursor) reply.header('link', nextPageLink(request.url, nextCursor))
        return items.map((recording) =>
          toRecordingRecord(recording, (id) => recordings.downloadUrl(request.baseUrl, id)),
        )
      },
    )

    app.get(
      '/sources/recordings/segments/:file',
      {
        config: {
          isPublic: true,
          aboutNode({ params, query }) {
            const { file } = params as z.infer<typeof BySegment>
            return recordings.nodeOf(segmentOf(file), textOf((query as { readonly token?: unknown }).token) ?? '')
          },
        },
        schema: {
          tags,
          summary: 'Download a segment by its link',
          security: [],
          params: BySegment,
          querystring: LinkQuery,
        },
      },
      async (request, reply) => {
        const { file, downloadName } = await recordings.findFile(segmentOf(request.params.file), request.query.token)
        return sendVideoFile(request, reply, file, downloadName)
      },
    )
  }
}
