import { type FastifyRequest } from 'fastify'
import { type FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type Account } from '../core/account.ts'
import { nextPageLink } from '../core/page.ts'
import { textOf } from '../core/request-headers.ts'
import { sendVideoFile } from '../http/send-video-file.ts'
import { ByClip, ClipChange, ClipRecord, ClipsQuery, DeletedClip, NewClip, toClipRecord } from './clips.schema.ts'
import { type ClipService } from './clips.service.ts'
import { type ListedClip } from './clips.store.ts'

export interface ClipRouteDeps {
  readonly clips: ClipService
  /** Whose things are asked for: the caller's, or a child's that a master names. */
  readonly owners: { resolve(caller: Account, username: string | undefined): Promise<Account> }
}

const ByPart = z.object({ ...ByClip.shape, file: z.string().regex(/^[1-9]\d{0,2}\.mp4$/, 'must be 1.mp4, 2.mp4 …') })
const LinkQuery = z.object({ token: z.string().default('').describe('Comes with the url.') })

/** `/clip`, `/clips`: what somebody has cut out of recordings. */
export function clipRoutes({ clips, owners }: ClipRouteDeps): FastifyPluginAsyncZod {
  return async (app) => {
    const tags = ['Clips']
    const toRecord = ({ baseUrl }: FastifyRequest, clip: ListedClip) =>
      toClipRecord(clip, (n) => `${baseUrl}${clips.partPath(clip.id, n)}`)

    app.post(
      '/clip',
      {
        schema: {
          tags,
          summary: 'Cut a clip out of the recordings of a source',
          description:
            'Of a stretch of time of at most an hour, of a process, of a track, or of an alert event. It is cut by itself, to the exact picture, and stays until it is deleted; GET /clip/{clip_uuid} says how far that is.',
          body: NewClip,
          response: { 202: ClipRecord },
        },
      },
      async (request, reply) => {
        const clip = await clips.create(request.account, request.body)
        return reply.code(202).header('location', `/clip/${clip.id}`).send(toRecord(request, clip))
      },
    )

    app.get(
      '/clips',
      {
        schema: {
          tags,
          summary: 'List clips, the newest first',
          querystring: ClipsQuery,
          response: { 200: z.array(ClipRecord) },
        },
      },
      async (request, reply) => {
        const { username, source_uuid: sourceId } = request.query
        const owner = await owners.resolve(request.account, username)
        const { items, nextCursor } = await clips.list(owner, sourceId, request.query)
        if (nextCursor) reply.header('link', nextPageLink(request.url, nextCursor))
        return items.map((clip) => toRecord(request, clip))
      },
    )

    app.get(
      '/clip/:clip_uuid',
      { schema: { tags, summary: 'Show a clip', params: ByClip, response: { 200: ClipRecord } } },
      async (request) => toRecord(request, await clips.find(request.account, request.params.clip_uuid)),
    )

    app.patch(
      '/clip/:clip_uuid',
      {
        schema: { tags, summary: 'Rename a clip', params: ByClip, body: ClipChange, response: { 200: ClipRecord } },
      },
      async (request) => {
        const { clip_uuid: clipId } = request.params
        return toRecord(request, await clips.rename(request.account, clipId, request.body.alias))
      },
    )

    app.delete(
      '/clip/:clip_uuid',
      {
        config: { urgentWork: 'removal' },
        schema: {
          tags,
          summary: 'Delete a clip with its files, also while it is cut',
          params: ByClip,
          response: { 200: DeletedClip },
        },
      },
      async (request) => {
        const { clip_uuid } = request.params
        await clips.remove(request.account, clip_uuid)
        return { clip_uuid, deleted: true as const }
      },
    )

    app.get(
      '/clip/:clip_uuid/files/:file',
      {
        config: { isPublic: true, aboutNode: (request) => clips.nodeOf(...partOf(request)) },
        schema: {
          tags,
          summary: 'Download a part of a clip by its link',
          security: [],
          params: ByPart,
          querystring: LinkQuery,
        },
      },
      async (request, reply) => {
        const { file, downloadName } = await clips.findPart(...partOf(request))
        return sendVideoFile(request, reply, file, downloadName)
      },
    )
  }
}

/** Clip, number of its part and token, before these were looked at. */
function partOf({ params, query }: FastifyRequest): [clipId: string, n: number, token: string] {
  const { clip_uuid, file } = params as z.infer<typeof ByPart>
  return [clip_uuid, parseInt(file, 10), textOf((query as { readonly token?: unknown }).token) ?? '']
}
