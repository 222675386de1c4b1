import { type FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { mergePages, type MergeOrder } from '../core/merge-pages.ts'
import { nextPageLink, type Page } from '../core/page.ts'
import { type ListSearchedOwners } from '../core/searched-owners.ts'
import { goneSignal } from '../http/gone-signal.ts'
import { type FoundTrack, fromCursor, newestFirst } from './track-search.ts'
import { type TrackSearchService } from './track-search.service.ts'
import { FoundTrackRecord, toFoundTrackRecord, TracksQuery } from './tracks.schema.ts'

export interface TrackRouteDeps {
  readonly trackSearch: TrackSearchService
  /** Among whose tracks is searched. */
  readonly searchedOwners: ListSearchedOwners
}

const ORDER: MergeOrder<FoundTrack> = {
  cursorOf: ({ id }) => id,
  compare: (one, other) => newestFirst(fromCursor(one), fromCursor(other)),
}

/** `/tracks`: what all processes of an account saw, and those whose events it may read. */
export function trackRoutes({ trackSearch, searchedOwners }: TrackRouteDeps): FastifyPluginAsyncZod {
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
        const { class: className, classes, color, plate, min_confidence, min_seconds } = request.query
        const sourceIds = request.query.source_uuids
        const wanted = { username, sourceId: source_uuid, sourceIds, processId: process_uuid }
        const searched = await searchedOwners(request.account, 'events', wanted)
        const signal = goneSignal(reply)
        const pages: Page<FoundTrack>[] = []
        for (const { owner, sourceId = source_uuid } of searched) {
          const search = {
            range: { from, to },
            sourceId,
            processId: process_uuid,
            className: className ?? (classes?.length === 1 ? classes[0] : undefined),
            classNames: classes,
            color,
            plate,
            minConfidence: min_confidence,
            minSeconds: min_seconds,
            near,
          }
          pages.push(await trackSearch.search(owner, search, { page: { limit, cursor }, signal }))
        }
        const { items, nextCursor } = mergePages(pages, limit, ORDER)
        if (nextCursor) reply.header('link', nextPageLink(request.url, nextCursor))
        const shown = patches ? await Promise.all(items.map(trackSearch.withPatch)) : items
        return shown.map((track) => toFoundTrackRecord(track, patches))
      },
    )
  }
}
