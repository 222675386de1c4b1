import { type FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { nextPageLink, PageQuery } from '../core/page.ts'
import { type ChildSources } from './child-sources.ts'
import { ByRight, ByUsername, GivenRights, RightsToGive, TakenRights, toGivenRights } from './source-right.schema.ts'

/** `/keys/…/sources`: what a master gives its children on single sources. */
export function sourceRightRoutes(childSources: ChildSources): FastifyPluginAsyncZod {
  return async (app) => {
    const tags = ['Keys']

    app.get(
      '/keys/:username/sources',
      {
        schema: {
          tags,
          summary: 'List the sources of others that a child key has rights on',
          params: ByUsername,
          querystring: PageQuery,
          response: { 200: z.array(GivenRights) },
        },
      },
      async (request, reply) => {
        const { username } = request.params
        const { items, nextCursor } = await childSources.list(request.account, username, request.query)
        if (nextCursor) reply.header('link', nextPageLink(request.url, nextCursor))
        return items.map((stored) => toGivenRights(username, stored))
      },
    )

    app.put(
      '/keys/:username/sources/:source_uuid',
      {
        schema: {
          tags,
          summary: 'Give a child key rights on a source, in the place of those that it had',
          description:
            'On a source of the master or of one of its children. What runs with a right that is not among them any more ends within seconds.',
          params: ByRight,
          body: RightsToGive,
          response: { 200: GivenRights, 201: GivenRights },
        },
      },
      async (request, reply) => {
        const { username, source_uuid } = request.params
        const { stored, isNew } = await childSources.give(request.account, username, source_uuid, request.body.rights)
        return reply.code(isNew ? 201 : 200).send(toGivenRights(username, stored))
      },
    )

    app.delete(
      '/keys/:username/sources/:source_uuid',
      {
        config: { urgentWork: 'key-revocation' },
        schema: {
          tags,
          summary: 'Take all rights on a source from a child key',
          params: ByRight,
          response: { 200: TakenRights },
        },
      },
      async (request) => {
        const { username, source_uuid } = request.params
        await childSources.take(request.account, username, source_uuid)
        return { username, source_uuid, deleted: true as const }
      },
    )
  }
}
