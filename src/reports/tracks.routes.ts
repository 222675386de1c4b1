import { type FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type Account } from '../core/account.ts'
import { nextPageLink } from '../core/page.ts'
import { goneSignal } from '../http/gone-signal.ts'
import { type TrackSearchService } from './track-search.service.ts'
import { FoundTrackRecord, toFoundTrackRecord, TracksQuery } from './tracks.schema.ts'

export interface TrackRouteDeps {
  readonly trackSearch: TrackSearchService
  /** Whose things are asked for: the caller's, or a child's that a master names. */
  readonly owners: { resolve(caller: Account, username: string | undefined): Promise<Account> }
}

/** `/tracks`: what all processes of an account saw. */
export function trackRoutes({ trackSearch, owners }: TrackRouteDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/tracks',
      {
        schema: {
          tags: ['Track reports'],
          summary: 'Find tracks by time, source, class or place; those that were first seen last come first',
          description:
            'Where little matches, a page may have fewer tracks than `limit`, or none, and still a next one: the `Link` header says whether there is.',
          querystring: TracksQuery,
          response: { 200: z.array(FoundTrackRecord) },
        },
      },
      async (request, reply) => {
        const { username, from, to, source_uuid, process_uuid, near, patches = false, limit, cursor } = request.query
        const owner = await owners.resolve(request.account, username)
        const search = {
          range: { from, to },
          sourceId: source_uuid,
          processId: process_uuid,
          className: request.query.class,
          near,
        }
        const { items, nextCursor } = await trackSearch.search(owner, search, {
          page: { limit, cursor },
          wantsPatches: patches,
          signal: goneSignal(reply),
        })
        if (nextCursor) reply.header('link', nextPageLink(request.url, nextCursor))
        return items.map((track) => toFoundTrackRecord(track, patches))
      },
    )
  }
}
