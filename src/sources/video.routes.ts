import multipart from '@fastify/multipart'
import { type FastifyRequest } from 'fastify'
import { type FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { checkInput } from '../core/check-input.ts'
import { type AppError, type InputError } from '../core/errors.ts'
import { inputInvalid } from '../core/refusals.ts'
import { TelemetryCfg } from '../core/telemetry-cfg.ts'
import { type Source } from './source.ts'
import { Alias, SourceRecord } from './sources.schema.ts'
import { type Registered } from './source-registry.ts'
import { checkForm, invalid, MAX_FIELD_BYTES, readField, toFormError, VIDEO_FORM } from './video-form.ts'
import { type ReceivedVideo, type VideoService } from './videos.service.ts'

const VideoFields = z.strictObject({ alias: Alias.optional(), telemetry_cfg: TelemetryCfg.nullish() })
const Video = z.object({
  file: z.any().meta({ type: 'string', format: 'binary', description: 'An mp4, mov or avi file.' }),
  ...VideoFields.shape,
})

export interface VideoRouteDeps {
  readonly videos: VideoService
  readonly toRecord: (
    source: Source,
    request: Pick<FastifyRequest, 'baseUrl' | 'account'>,
  ) => Promise<z.infer<typeof SourceRecord>>
}

/** `/video`: the one endpoint that takes a form instead of JSON. */
export function videoRoutes({ videos, toRecord }: VideoRouteDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.removeAllContentTypeParsers()
    // One file and a few short fields; the file's own limit depends on the key and is checked while it streams. No limit of parts
    // beside them: nobody listens to those beyond it, and one that is cut off would end the service.
    await app.register(multipart, {
      limits: { files: 1, fields: 4, fieldSize: MAX_FIELD_BYTES, parts: Infinity, fileSize: Infinity },
    })

    app.post(
      '/video',
      {
        schema: {
          tags: ['Sources'],
          summary: 'Register a video file',
          consumes: ['multipart/form-data'],
          response: { 200: SourceRecord, 201: SourceRecord },
        },
        // The multipart body is read in the handler; this is what the documentation shows.
        config: { documentedBody: Video, wantedType: VIDEO_FORM, isUpload: true },
      },
      async (request, reply) => {
        checkForm(request.isMultipart(), request.headers['content-type'])
        let received: ReceivedVideo | undefined
        let registered: Registered
        try {
          const fields: Record<string, unknown> = {}
          const wrong: InputError[] = []
          for await (const part of request.parts()) {
            if (part.type === 'field') {
              const read = readField(part)
              if ('message' in read) wrong.push(read)
              else fields[part.fieldname] = read.value
            } else if (part.fieldname === 'file' && !received)
              received = await videos.receive(request.account, part.filename, part.file)
            else throw invalid(`body.${part.fieldname}`, 'One file is taken, in the field `file`.')
          }
          const checked = checkInput(VideoFields, fields, 'body')
          if (!received || wrong.length > 0 || checked.errors)
            throw wrongForm(received !== undefined, [...wrong, ...(checked.errors ?? [])])
          const { alias, telemetry_cfg } = checked.value
          registered = await videos.register(request.account, received, {
            alias,
            telemetryCfg: telemetry_cfg ?? undefined,
          })
        } catch (error) {
          throw toFormError(error)
        } finally {
          if (received) await videos.discard(received)
        }
        // By now its slot is free: a client that uploads files one by one sends the next upon this answer.
        return reply.code(registered.isNew ? 201 : 200).send(await toRecord(registered.source, request))
      },
    )
  }
}

function wrongForm(hasFile: boolean, errors: readonly InputError[]): AppError {
  const isSaid = hasFile || errors.some(({ path }) => path === 'body.file')
  const missing = isSaid ? [] : [{ path: 'body.file', message: 'It is missing: give a video file.' }]
  return inputInvalid([...missing, ...errors])
}
