import { type FastifyRequest } from 'fastify'
import { type FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { textOf } from '../core/request-headers.ts'
import { sendVideoFile } from '../http/send-video-file.ts'
import { type ProcessedVideoLinks } from './processed-video-links.ts'

const ByFile = z.object({
  process_uuid: z.uuid(),
  file: z.string().regex(/^\d{1,15}\.mp4$/, 'a processed video’s file name'),
})
const LinkQuery = z.object({ token: z.string().default('').describe('Comes with the video_url.') })

/** `/process/…/video/…`: the processed video that was kept, by its link. */
export function processedVideoRoutes({ links }: { links: ProcessedVideoLinks }): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/process/:process_uuid/video/:file',
      {
        config: {
          isPublic: true,
          aboutNode: (request) => links.nodeOf(...linkOf(request)),
          aboutProcess(request) {
            const link = linkOf(request)
            return links.isValid(...link) ? link[0] : undefined
          },
        },
        schema: {
          tags: ['Processes'],
          summary: 'Download processed video by its link',
          security: [],
          params: ByFile,
          querystring: LinkQuery,
        },
      },
      async (request, reply) => {
        const { process_uuid, file: name } = request.params
        const file = await links.findFile(process_uuid, name, request.query.token)
        return sendVideoFile(request, reply, file, `process-${process_uuid}-${name}`)
      },
    )
  }
}

/** Its process, its file and its token, before these were looked at. */
function linkOf({ params, query }: FastifyRequest): [processId: string, file: string, token: string] {
  const { process_uuid, file } = params as z.infer<typeof ByFile>
  return [process_uuid, file, textOf((query as { readonly token?: unknown }).token) ?? '']
}
