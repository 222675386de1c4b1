import { type FastifyRequest } from 'fastify'
import { type FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { nextPageLink } from '../core/page.ts'
import { OwnerQuery } from '../core/request-fields.ts'
import { createSeenSources, ownedBy, type SeenSource, type SeenSourcesDeps } from './seen-sources.ts'
import { type Source } from './source.ts'
import {
  BySource,
  ChangedSource,
  DeletedSource,
  NewStream,
  ProbedStream,
  SourceChange,
  SourceRecord,
  SourcesQuery,
  StreamLook,
  toSourceRecord,
} from './sources.schema.ts'
import { type SourceService } from './sources.service.ts'
import { type StreamProbe } from './stream-probe.ts'
import { videoRoutes } from './video.routes.ts'
import { type VideoService } from './videos.service.ts'

export interface SourceRouteDeps {
  readonly sources: SourceService
  readonly videos: VideoService
  readonly probe: StreamProbe
  /** The node that has the file of a source, while it is alive. */
  readonly fileNodeOf: (sourceId: string) => Promise<string | undefined>
  readonly owners: SeenSourcesDeps['owners']
  readonly rights: SeenSourcesDeps['rights']
}

/** `/video`, `/stream`, `/sources`, `/source/…`: what can be processed. */
export function sourceRoutes({
  sources,
  videos,
  probe,
  fileNodeOf,
  owners,
  rights,
}: SourceRouteDeps): FastifyPluginAsyncZod {
  const seen = createSeenSources({ sources, owners, rights })

  const toRecords = createRecords(sources)
  const toRecord = async (source: Source, { baseUrl, account }: Pick<FastifyRequest, 'baseUrl' | 'account'>) =>
    (await toRecords([ownedBy(account)(source)], baseUrl))[0]!

  return async (app) => {
    const tags = ['Sources']
    await app.register(videoRoutes({ videos, toRecord }))

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
        return reply.code(isNew ? 201 : 200).send(await toRecord(source, request))
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
        schema: {
          tags,
          summary: 'List sources, those too that the key was given rights on',
          querystring: SourcesQuery,
          response: { 200: z.array(SourceRecord) },
        },
      },
      async (request, reply) => {
        const { account, query } = request
        const { items, nextCursor } = await seen.list(account, query, query.username)
        if (nextCursor) reply.header('link', nextPageLink(request.url, nextCursor))
        return toRecords(items, request.baseUrl)
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
        const { account, params, query, baseUrl } = request
        return (await toRecords([await seen.find(account, params.source_id, query.username)], baseUrl))[0]!
      },
    )

    app.patch(
      '/source/:source_id',
      {
        schema: {
          tags,
          summary: 'Change a source',
          params: BySource,
          body: SourceChange,
          response: { 200: ChangedSource },
        },
      },
      async (request) => {
        const { source, needsRelaunch } = await sources.change(request.account, request.params.source_id, request.body)
        return { ...(await toRecord(source, request)), needs_relaunch: [...needsRelaunch] }
      },
    )

    app.delete(
      '/source/:source_id',
      {
        config: {
          urgentWork: 'removal',
          // Its node removes the file with the row; one that is dead removes what has no row when it is back.
          aboutNode({ params }) {
            const { data } = BySource.safeParse(params)
            return data && fileNodeOf(data.source_id)
          },
        },
        schema: { tags, summary: 'Remove a source', params: BySource, response: { 200: DeletedSource } },
      },
      async (request) => {
        await sources.remove(request.account, request.params.source_id)
        return { source_uuid: request.params.source_id, deleted: true as const }
      },
    )
  }
}

function createRecords(sources: Pick<SourceService, 'statesOf'>) {
  return async (shown: readonly SeenSource[], baseUrl: string) => {
    const states = await sources.statesOf(shown.map(({ source }) => source))
    return shown.map(({ source, view }, index) => toSourceRecord(source, baseUrl, states[index]!, view))
  }
}
