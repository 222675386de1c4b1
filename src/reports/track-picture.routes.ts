import { type FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { OwnerQuery, ByProcess } from '../core/request-fields.ts'
import { textOf } from '../core/request-headers.ts'
import { type SourceRights } from '../core/source-rights.ts'
import { pictureAnswers, sendPicture } from '../http/send-picture.ts'
import { type TrackPictureService } from './track-pictures.service.ts'

export interface TrackPictureRouteDeps {
  readonly trackPictures: TrackPictureService
  readonly rights: Pick<SourceRights, 'ownerForProcess'>
}

const ByTrack = z.object({ ...ByProcess.shape, track_id: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER) })
const PictureQuery = z.object({
  ...OwnerQuery.shape,
  token: z.string().optional().describe('Comes with the picture_url, and stands for the key.'),
})

/** `/process/…/tracks/…/picture.jpg`: what a track looks like. */
export function trackPictureRoutes({ trackPictures, rights }: TrackPictureRouteDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/process/:process_uuid/tracks/:track_id/picture.jpg',
      {
        config: {
          isLinked: true,
          /** Strangers may ask: with what they made up nobody is asked further. */
          aboutProcess({ params, query, account }) {
            const token = textOf((query as { readonly token?: unknown }).token)
            const asked = ByTrack.safeParse(params)
            if (!asked.success) return undefined
            const { process_uuid: processId, track_id: trackId } = asked.data
            const isAllowed =
              token === undefined ? account !== undefined : trackPictures.isLinked({ processId, trackId }, token)
            return isAllowed ? processId : undefined
          },
        },
        schema: {
          tags: ['Track reports'],
          summary: 'The best picture of a track, by its link or with the key',
          description:
            'As the report shows it. 202 with `Retry-After` while the first one may still come, for five seconds after the track was first seen.',
          params: ByTrack,
          querystring: PictureQuery,
          response: pictureAnswers,
        },
      },
      async (request, reply) => {
        const { process_uuid: processId, track_id: trackId } = request.params
        const { token, username } = request.query
        const track = { processId, trackId }
        if (token !== undefined) return sendPicture(reply, await trackPictures.pictureByLink(track, token))
        const owner = await rights.ownerForProcess(request.account, processId, 'events', username)
        return sendPicture(reply, await trackPictures.pictureFor(owner, track))
      },
    )
  }
}
