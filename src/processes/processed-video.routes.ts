import { basename, dirname } from 'node:path'
import { send } from '@fastify/send'
import { type FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { AppError } from '../core/errors.ts'
import { fileRefusal } from '../core/file-refusal.ts'
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
        config: { isPublic: true },
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
        const sent = await send(request.raw, basename(file), {
          root: dirname(file),
          dotfiles: 'deny',
          cacheControl: false,
        })
        if (sent.type === 'error') {
          const { 'Content-Range': length } = sent.headers as Record<string, string | undefined>
          if (length !== undefined) reply.header('content-range', length)
          throw fileRefusal(sent.statusCode, new AppError('recording-not-found'))
        }
        const headers = {
          ...sent.headers,
          'content-disposition': `inline; filename="process-${process_uuid}-${name}"`,
          'cache-control': 'private',
        }
        return reply.code(sent.statusCode).headers(headers).type('video/mp4').send(sent.stream)
      },
    )
  }
}
