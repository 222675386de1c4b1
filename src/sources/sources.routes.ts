import multipart from '@fastify/multipart'
import { type FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { checkInput } from '../core/check-input.ts'
import { AppError, type InputError } from '../core/errors.ts'
import { OwnerQuery } from '../core/owner-query.ts'
import { nextPageLink } from '../core/page.ts'
import { TelemetryCfg } from '../core/telemetry-cfg.ts'
import { type Account } from '../core/words.ts'
import { type Source } from './source.ts'
import {
  Alias,
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
import { type ReceivedVideo, type SourceService } from './sources.service.ts'
import { type StreamProbe } from './stream-probe.ts'

/** What the form's parser says of a body that ends before its last boundary. */
const CUT_OFF = 'Unexpected end of multipart data'
/** Of `POST /video`, for whoever sends something else. */
const FORM = 'multipart/form-data with the file in a field `file`, as `curl -F file=@flight.mp4` does'

export interface SourceRouteDeps {
  readonly sources: SourceService
  readonly probe: StreamProbe
  /** Whose things are asked for: the caller's, or a child's that a master names. */
  readonly owners: { resolve(caller: Account, username: string | undefined): Promise<Account> }
}

const ByToken = BySource.extend({ token_uuid: z.uuid() })
const DeletedToken = z.object({ token_uuid: z.uuid(), deleted: z.literal(true) })
const VideoFields = z.strictObject({ alias: Alias.optional(), telemetry_cfg: TelemetryCfg.nullish() })
const Video = z.object({
  file: z.any().meta({ type: 'string', format: 'binary', description: 'An mp4, mov or avi file.' }),
  ...VideoFields.shape,
})

/** `/video`, `/stream`, `/sources`, `/source/…`: what can be processed, and narrow tokens for it. */
export function sourceRoutes({ sources, probe, owners }: SourceRouteDeps): FastifyPluginAsyncZod {
  const toRecord = (source: Source, baseUrl: string) =>
    toSourceRecord(source, baseUrl, { status: sources.statusOf(source), recording: sources.recordingOf(source) })

  return async (app) => {
    const tags = ['Sources']
    // One file and a few short fields; the file's own limit depends on the key and is checked while it streams.
    await app.register(multipart, {
      limits: { files: 1, fields: 4, fieldSize: 64 * 1024, parts: 6, fileSize: Infinity },
    })

    app.post(
      '/video',
      {
        schema: {
          tags,
          summary: 'Register a video file',
          consumes: ['multipart/form-data'],
          response: { 200: SourceRecord, 201: SourceRecord },
        },
        // The multipart body is read in the handler; this is what the documentation shows.
        config: { documentedBody: Video, wantedType: FORM, isUpload: true },
      },
      async (request, reply) => {
        if (!request.isMultipart())
          throw new AppError('media-type-unsupported', {
            media_type: request.headers['content-type'] ?? 'nothing',
            wanted: FORM,
          })
        let received: ReceivedVideo | undefined
        try {
          const fields: Record<string, unknown> = {}
          for await (const part of request.parts()) {
            if (part.type === 'field')
              fields[part.fieldname] = part.fieldname === 'telemetry_cfg' ? parseJson(String(part.value)) : part.value
            else if (part.fieldname === 'file' && !received)
              received = await sources.receiveVideo(request.account, part.filename, part.file)
            else throw invalid(`body.${part.fieldname}`, 'One file is taken, in the field `file`.')
          }
          const checked = checkInput(VideoFields, fields, 'body')
          if (!received || checked.errors) throw wrongForm(received !== undefined, checked.errors)
          const { alias, telemetry_cfg } = checked.value
          const { source, isNew } = await sources.registerVideo(request.account, received, {
            alias,
            telemetryCfg: telemetry_cfg ?? undefined,
          })
          return await reply.code(isNew ? 201 : 200).send(toRecord(source, request.baseUrl))
        } catch (error) {
          throw (error as Error).message === CUT_OFF ? new AppError('upload-incomplete', {}, { cause: error }) : error
        } finally {
          if (received) await sources.discardVideo(received)
        }
      },
    )

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
      { schema: { tags, summary: 'Remove a source', params: BySource, response: { 200: DeletedSource } } },
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
      { schema: { tags, summary: 'Revoke a token', params: ByToken, response: { 200: DeletedToken } } },
      async (request) => {
        const { source_id, token_uuid } = request.params
        await sources.revokeToken(request.account, source_id, token_uuid)
        return { token_uuid, deleted: true as const }
      },
    )
  }
}

function wrongForm(hasFile: boolean, errors: readonly InputError[] = []): AppError {
  const missing = hasFile ? [] : [{ path: 'body.file', message: 'It is missing: give a video file.' }]
  return new AppError('input-invalid', {}, { errors: [...missing, ...errors] })
}

function invalid(path: string, message: string): AppError {
  return new AppError('input-invalid', {}, { errors: [{ path, message }] })
}

/** `telemetry_cfg` is JSON; one that was left empty says nothing. */
function parseJson(text: string): unknown {
  try {
    return text.trim() === '' ? undefined : JSON.parse(text)
  } catch {
    return text
  }
}
