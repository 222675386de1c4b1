import { type FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { nextPageLink, PageQuery } from '../core/page.ts'
import { Allocation, CreatedKey, Key, KeyChange, NewKey, RotatedKey, toKey, Username } from './accounts.schema.ts'
import { type AccountService } from './accounts.service.ts'
import { type IssuedKey } from './key-issuer.ts'

const ByUsername = z.object({ username: Username })
const RevokeQuery = z.object({
  purge: z
    .stringbool()
    .default(false)
    .describe(
      'Also delete what the key has stored, at once; also of a key that was revoked before. Its name is free five minutes later.',
    ),
})
const RotateQuery = z.object({
  revoke_tokens: z
    .stringbool()
    .default(false)
    .describe('Also revoke all tokens of its sources. Without it, cameras and viewers that use one go on.'),
})
const Revoked = z.object({ username: z.string(), deleted: z.literal(true) })

/** `/keys`, `/subscription/allocate`: a master's child keys and the minutes that it gives them. */
export function keyRoutes(accounts: AccountService): FastifyPluginAsyncZod {
  const toCreatedKey = ({ account, key }: IssuedKey) => ({ ...toKey(account), key })

  return async (app) => {
    const tags = ['Keys']

    app.post(
      '/keys',
      { schema: { tags, summary: 'Create a child key', body: NewKey, response: { 201: CreatedKey } } },
      async (request, reply) => {
        const issued = await accounts.createChild(request.account, request.body)
        return reply.code(201).send(toCreatedKey(issued))
      },
    )

    app.get(
      '/keys',
      { schema: { tags, summary: 'List child keys', querystring: PageQuery, response: { 200: z.array(Key) } } },
      async (request, reply) => {
        const { items, nextCursor } = await accounts.listChildren(request.account, request.query)
        if (nextCursor) reply.header('link', nextPageLink(request.url, nextCursor))
        return items.map(toKey)
      },
    )

    app.patch(
      '/keys/:username',
      {
        schema: {
          tags,
          summary: 'Change limits, features or expiry',
          params: ByUsername,
          body: KeyChange,
          response: { 200: Key },
        },
      },
      async (request) => {
        const { account, params, body } = request
        return toKey(await accounts.updateChild(account, params.username, body))
      },
    )

    app.post(
      '/keys/:username/rotate',
      {
        config: { urgentWork: 'key-revocation' },
        schema: {
          tags,
          summary: 'Replace a key by a new one',
          params: ByUsername,
          querystring: RotateQuery,
          response: { 200: RotatedKey },
        },
      },
      async (request) => {
        const { account, params, query } = request
        const options = { revokeTokens: query.revoke_tokens }
        const rotated = await accounts.rotateChild(account, params.username, options)
        return { ...toCreatedKey(rotated), source_tokens: rotated.sourceTokens.kept }
      },
    )

    app.delete(
      '/keys/:username',
      {
        config: { urgentWork: 'key-revocation' },
        schema: {
          tags,
          summary: 'Revoke a key',
          params: ByUsername,
          querystring: RevokeQuery,
          response: { 200: Revoked },
        },
      },
      async (request) => {
        const { username } = request.params
        await accounts.revokeChild(request.account, username, request.query)
        return { username, deleted: true as const }
      },
    )

    app.post(
      '/subscription/allocate',
      { schema: { tags, summary: 'Give pending minutes to a key', body: Allocation, response: { 200: Key } } },
      async (request) => toKey(await accounts.allocate(request.account, request.body.username, request.body.minutes)),
    )
  }
}
