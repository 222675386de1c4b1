import { type FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type Account } from '../core/account.ts'
import { hlsUrl, webrtcUrl } from '../core/media-path.ts'
import { nextPageLink } from '../core/page.ts'
import {
  AttachedOutput,
  ByOutput,
  ByProcessAndOutput,
  DeletedOutput,
  DetachedOutput,
  NewOutput,
  OutputRecord,
  OutputsQuery,
  toOutputRecord,
} from './outputs.schema.ts'
import { type Attachment, type OutputService } from './outputs.service.ts'

export interface OutputRouteDeps {
  readonly outputs: OutputService
  /** The account whose outputs are requested: the caller's own, or a child of it. */
  readonly owners: { resolve(caller: Account, username: string | undefined): Promise<Account> }
}

/** `/output`, `/process/…/{output_uuid}`: where the results of processes go. */
export function outputRoutes({ outputs, owners }: OutputRouteDeps): FastifyPluginAsyncZod {
  return async (app) => {
    const tags = ['Outputs']

    app.post(
      '/output',
      {
        schema: {
          tags,
          summary: 'Register an output; the same one again answers the existing one',
          body: NewOutput,
          response: { 200: OutputRecord, 201: OutputRecord },
        },
      },
      async (request, reply) => {
        const { output, isNew } = await outputs.register(request.account, request.body)
        return reply.code(isNew ? 201 : 200).send(toOutputRecord(output))
      },
    )

    app.get(
      '/outputs',
      {
        schema: { tags, summary: 'List outputs', querystring: OutputsQuery, response: { 200: z.array(OutputRecord) } },
      },
      async (request, reply) => {
        const owner = await owners.resolve(request.account, request.query.username)
        const { items, nextCursor } = await outputs.list(owner, request.query)
        if (nextCursor) reply.header('link', nextPageLink(request.url, nextCursor))
        return items.map(toOutputRecord)
      },
    )

    app.delete(
      '/output/:output_uuid',
      {
        config: { urgentWork: 'removal' },
        schema: { tags, summary: 'Remove an output', params: ByOutput, response: { 200: DeletedOutput } },
      },
      async (request) => {
        await outputs.remove(request.account, request.params.output_uuid)
        return { output_uuid: request.params.output_uuid, deleted: true as const }
      },
    )

    app.post(
      '/process/:process_uuid/:output_uuid',
      {
        schema: {
          tags,
          summary: 'Attach an output to a process',
          params: ByProcessAndOutput,
          response: { 200: AttachedOutput },
        },
      },
      async (request) => {
        const { process_uuid, output_uuid } = request.params
        const host = new URL(request.baseUrl).hostname
        const attachment = await outputs.attach(request.account, process_uuid, output_uuid, host)
        return toAttachedOutput(attachment, process_uuid, request.baseUrl, request.apiKey)
      },
    )

    app.delete(
      '/process/:process_uuid/:output_uuid',
      {
        config: { urgentWork: 'removal' },
        schema: {
          tags,
          summary: 'Detach an output from a process',
          params: ByProcessAndOutput,
          response: { 200: DetachedOutput },
        },
      },
      async (request) => {
        const { process_uuid, output_uuid } = request.params
        await outputs.detach(request.account, process_uuid, output_uuid)
        return { output_uuid, process_uuid, detached: true as const }
      },
    )
  }
}

function toAttachedOutput(
  { output, token, playUrl, plainPlayUrl }: Attachment,
  processId: string,
  baseUrl: string,
  key: string,
): z.infer<typeof AttachedOutput> {
  const { mediaPath } = output
  const query = key && `?api_key=${encodeURIComponent(key)}`
  const socketUrl = `${baseUrl.replace(/^http/, 'ws')}/process/${processId}/${output.type}${query}`
  return {
    output_uuid: output.id,
    process_uuid: processId,
    url: playUrl ?? toOutputRecord(output).url ?? socketUrl,
    ...(plainPlayUrl && { plain_url: plainPlayUrl }),
    hls_url: mediaPath && `${hlsUrl(baseUrl, mediaPath)}?token=${token}`,
    webrtc_url: mediaPath && `${webrtcUrl(baseUrl, mediaPath)}?token=${token}`,
  }
}
