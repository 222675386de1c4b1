import { type FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type SourceTokenService } from './source-tokens.service.ts'
import { browserUrls, IssuedToken, NewToken, TokenRecord, toTokenRecord } from './source-tokens.schema.ts'
import { BySource } from './sources.schema.ts'

const ByToken = BySource.extend({ token_uuid: z.uuid() })
const DeletedToken = z.object({ token_uuid: z.uuid(), deleted: z.literal(true) })

/** `/source/…/token`: narrow tokens for one source. */
export function sourceTokenRoutes(tokens: SourceTokenService): FastifyPluginAsyncZod {
  return async (app) => {
    const tags = ['Sources']

    app.post(
      '/source/:source_id/token',
      {
        schema: {
          tags,
          summary: 'Make a token that may only publish or read this source',
          params: BySource,
          body: NewToken,
          response: { 201: IssuedToken },
        },
      },
      async (request, reply) => {
        const { record, token, mediaPath, urls } = await tokens.issue(
          request.account,
          request.params.source_id,
          request.body,
          new URL(request.baseUrl).hostname,
        )
        const inBrowsers = browserUrls(mediaPath, record, token, request.baseUrl)
        return reply.code(201).send({ ...toTokenRecord(record), token, urls: { ...urls, ...inBrowsers } })
      },
    )

    app.get(
      '/source/:source_id/tokens',
      {
        schema: {
          tags,
          summary: 'List the tokens of a source',
          params: BySource,
          response: { 200: z.array(TokenRecord) },
        },
      },
      async (request) => (await tokens.list(request.account, request.params.source_id)).map(toTokenRecord),
    )

    app.delete(
      '/source/:source_id/token/:token_uuid',
      {
        config: { urgentWork: 'revocation' },
        schema: { tags, summary: 'Revoke a token', params: ByToken, response: { 200: DeletedToken } },
      },
      async (request) => {
        const { source_id, token_uuid } = request.params
        await tokens.revoke(request.account, source_id, token_uuid)
        return { token_uuid, deleted: true as const }
      },
    )
  }
}
