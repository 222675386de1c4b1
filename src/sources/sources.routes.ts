import { type FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type Account } from '../core/account.ts'
import { OwnerQuery } from '../core/owner-query.ts'
import { nextPageLink } from '../core/page.ts'
import { type Source } from './source.ts'
import {
  browserUrls,
  BySource,
  DeletedSource,
  IssuedToken,
  NewStream,
  NewToken,
  ProbedStream,
  SourceRecord,
  SourcesQuery,
  StreamLook,
  TokenRecord,
  toSourceRecord,
  toTokenRecord,
} from './sources.schema.ts'
import { type SourceService } from './sources.service.ts'
import { type StreamProbe } from './stream-probe.ts'
import { videoRoutes } from './video.routes.ts'

export interface SourceRouteDeps {
  readonly sources: SourceService
  readonly probe: StreamProbe
  /** Whose things are asked for: the caller's, or a child's that a master names. */
  readonly owners: { resolve(caller: Account, username: string | undefined): Promise<Account> }
}

const ByToken = BySource.extend({ token_uuid: z.uuid() })
const DeletedToken = z.object({ token_uuid: z.uuid(), deleted: z.literal(true) })

/** `/video`, `/stream`, `/sources`, `/source/…`: what can be processed, and narrow tokens for it. */
export function sourceRoutes({ sources, probe, owners }: SourceRouteDeps): FastifyPluginAsyncZod {
  const toRecord = (source: Source, baseUrl: string) =>
    toSourceRecord(source, baseUrl, { status: sources.statusOf(source), recording: sources.recordingOf(source) })

  return async (app) => {
    const tags = ['Sources']
    await app.register(videoRoutes({ sources, toRecord }))

    app.post(
      '/stream',
      {
        schema: {
          tags,
          summary: 'Register a stream',
          body: NewStream,
          response: { 200: SourceRecord, 201: SourceRecord },
        },
      },
      async (request, reply) => {
        const { source, isNew } = await sources.registerStream(request.account, request.body)
        return reply.code(isNew ? 201 : 200).send(toRecord(source, request.baseUrl))
      },
    )

    app.post(
      '/stream/probe',
      {
        config: { isSlow: true },
        schema: {
          tags,
          summary: 'Look at a stream before it is registered: what it is, and what is wrong with it',
          body: ProbedStream,
          response: { 200: StreamLook },
        },
      },
      async (request) => probe(request.account, request.body.input_url),
    )

    app.get(
      '/sources',
      {
        schema: { tags, summary: 'List sources', querystring: SourcesQuery, response: { 200: z.array(SourceRecord) } },
      },
      async (request, reply) => {
        const owner = await owners.resolve(request.account, request.query.username)
        const { items, nextCursor } = await sources.list(owner, request.query)
        if (nextCursor) reply.header('link', nextPageLink(request.url, nextCursor))
        return items.map((source) => toRecord(source, request.baseUrl))
      },
    )

    app.get(
      '/source/:source_id',
      {
        schema: {
          tags,
          summary: 'One source',
          params: BySource,
          querystring: OwnerQuery,
          response: { 200: SourceRecord },
        },
      },
      async (request) => {
        const owner = await owners.resolve(request.account, request.query.username)
        return toRecord(await sources.find(owner, request.params.source_id), request.baseUrl)
      },
    )

    app.delete(
      '/source/:source_id',
      {
        config: { urgentWork: 'removal' },
        schema: { tags, summary: 'Remove a source', params: BySource, response: { 200: DeletedSource } },
      },
      async (request) => {
        await sources.remove(request.account, request.params.source_id)
        return { source_uuid: request.params.source_id, deleted: true as const }
      },
    )

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
        const { record, token, mediaPath, urls } = await sources.issueToken(
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
      async (request) => (await sources.listTokens(request.account, request.params.source_id)).map(toTokenRecord),
    )

    app.delete(
      '/source/:source_id/token/:token_uuid',
      {
        config: { urgentWork: 'revocation' },
        schema: { tags, summary: 'Revoke a token', params: ByToken, response: { 200: DeletedToken } },
      },
      async (request) => {
        const { source_id, token_uuid } = request.params
        await sources.revokeToken(request.account, source_id, token_uuid)
        return { token_uuid, deleted: true as const }
      },
    )
  }
}
