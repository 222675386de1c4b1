import { type FastifyReply, type FastifyRequest } from 'fastify'
import { type FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type NodeFiles } from '../core/node-files.ts'
import { type OwnNode } from '../core/own-node.ts'
import { ByProcess, OwnerQuery } from '../core/request-fields.ts'
import { textOf } from '../core/request-headers.ts'
import { goneSignal } from '../http/gone-signal.ts'
import { sendVideoFile } from '../http/send-video-file.ts'
import { ClipRecord, toClipRecord } from './clips.schema.ts'
import { type ClipService, downloadNameOf } from './clips.service.ts'
import { type ListedClip } from './clips.store.ts'
import { type ClipTarget, type LinkClipService } from './link-clips.service.ts'

export interface LinkClipRouteDeps {
  readonly linkClips: LinkClipService
  readonly clips: Pick<ClipService, 'partPath'>
  readonly node: OwnNode | null
  /** Undefined in a service of one node. */
  readonly nodeFiles?: NodeFiles | undefined
}

const ByEvent = z.object({ event_uuid: z.uuid() })
const ByTrack = z.object({ ...ByProcess.shape, track_id: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER) })
const ClipQuery = z.object({
  ...OwnerQuery.shape,
  token: z.string().optional().describe('Comes with the clip_url, and stands for the key.'),
})

const RETRY_AFTER_SECONDS = 2
const answers = {
  200: {
    description: 'The clip',
    content: { 'video/mp4': { schema: z.string().meta({ format: 'binary' }) } },
  },
  202: ClipRecord.describe('It is being cut: ask again after the time of `Retry-After`.'),
}
const DESCRIPTION =
  'Cut when it is first asked for, and kept until nobody has asked for it for a day. Usually one call is enough; 202 with `Retry-After` where it takes longer.'

/** `clip.mp4` of tracks and of alert events: what a notification’s `clip_url` leads to. */
export function linkClipRoutes({ linkClips, clips, node, nodeFiles }: LinkClipRouteDeps): FastifyPluginAsyncZod {
  return async (app) => {
    const tags = ['Clips']

    async function answer(request: FastifyRequest, reply: FastifyReply, target: ClipTarget): Promise<FastifyReply> {
      const { token, username } = request.query as z.infer<typeof ClipQuery>
      const clip = await (token === undefined
        ? linkClips.forCaller(request.account, username, target)
        : linkClips.byLink(target, token))
      if (clip.state !== 'ready') return sendLater(request, reply, clip)
      if (!nodeFiles || clip.nodeId === null || clip.nodeId === node?.id || (await linkClips.fileOf(clip).inStore()))
        return sendVideoFile(request, reply, linkClips.fileOf(clip), downloadNameOf(clip, 1))
      // It was cut just now, elsewhere; the next request for it goes there.
      const body = await nodeFiles.open(clip.nodeId, clips.partPath(clip.id, 1), goneSignal(reply))
      if (!body) return sendLater(request, reply, clip)
      return reply.code(200).header('content-length', clip.parts[0]!.sizeBytes).type('video/mp4').send(body)
    }

    function sendLater(request: FastifyRequest, reply: FastifyReply, clip: ListedClip): FastifyReply {
      // Browsers, in which people open the links of their mail, know `Refresh` only.
      const waiting = { 'retry-after': RETRY_AFTER_SECONDS, refresh: RETRY_AFTER_SECONDS }
      reply.code(202).headers({ ...waiting, 'cache-control': 'no-store' })
      return reply.send(toClipRecord(clip, (n) => `${request.baseUrl}${clips.partPath(clip.id, n)}`))
    }

    const aboutNode = (request: FastifyRequest) => {
      const target = targetOf(request)
      const token = textOf((request.query as { readonly token?: unknown }).token)
      return target && linkClips.nodeOf(target, token, (request.account as unknown) !== undefined)
    }

    app.get(
      '/process/:process_uuid/tracks/:track_id/clip.mp4',
      {
        config: { isLinked: true, aboutProcess: false, aboutNode },
        schema: {
          tags,
          summary: 'A clip of a track, by its link or with the key',
          description: `From two seconds before it was first seen to two seconds after it was last seen. ${DESCRIPTION}`,
          params: ByTrack,
          querystring: ClipQuery,
          response: answers,
        },
      },
      async (request, reply) => {
        const { process_uuid: processId, track_id: trackId } = request.params
        await answer(request, reply, { kind: 'track-clip', processId, trackId })
        return reply
      },
    )

    app.get(
      '/alert_event/:event_uuid/clip.mp4',
      {
        config: { isLinked: true, aboutNode },
        schema: {
          tags,
          summary: 'A clip of an alert event, by its link or with the key',
          description: `From ten seconds before it began to ten seconds after. ${DESCRIPTION}`,
          params: ByEvent,
          querystring: ClipQuery,
          response: answers,
        },
      },
      async (request, reply) => {
        await answer(request, reply, { kind: 'event-clip', eventId: request.params.event_uuid })
        return reply
      },
    )
  }
}

/** Before anything of the request was looked at; undefined where it can be of nothing. */
function targetOf({ params }: FastifyRequest): ClipTarget | undefined {
  const event = ByEvent.safeParse(params)
  if (event.success) return { kind: 'event-clip', eventId: event.data.event_uuid }
  const track = ByTrack.safeParse(params)
  if (!track.success) return undefined
  return { kind: 'track-clip', processId: track.data.process_uuid, trackId: track.data.track_id }
}
