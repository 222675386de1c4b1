import { z } from 'zod'
import { toZulu } from '../core/clock.ts'
import { maskSecrets } from '../core/mask-secrets.ts'
import { PageQuery } from '../core/page.ts'
import { OwnerQuery } from '../core/request-fields.ts'
import { outputTypes, problemWithUrl, urlDescription } from './kinds/kinds.ts'
import { type Output, resolutions } from './output.ts'

/** The wire's shapes of outputs. */

/** What the url depends on. */
const Kind = z.object({ type: z.enum(outputTypes), url: z.string().optional() })

export const NewOutput = z
  .strictObject({
    alias: z.string().trim().min(1).max(200).describe('A label of your choice.'),
    type: z.enum(outputTypes),
    url: z.string().max(2000).optional().describe(urlDescription),
    settings: z
      .enum(resolutions)
      .nullable()
      .default(null)
      .describe('Lines of the picture; null keeps the input’s resolution.'),
  })
  .refine(({ type, url }) => problemWithUrl(type, url) === undefined, {
    path: ['url'],
    error: ({ input }) => {
      const { type, url } = input as z.infer<typeof Kind>
      return problemWithUrl(type, url)
    },
    // Also when other fields are missing: the answer lists all errors at once.
    when: ({ value }) => Kind.safeParse(value).success,
  })
export type NewOutput = z.infer<typeof NewOutput>

export const OutputRecord = z.object({
  output_uuid: z.uuid(),
  alias: z.string(),
  type: z.enum(outputTypes),
  url: z.string().nullable().describe('As registered; passwords and keys are masked, names of streams are not.'),
  settings: z.enum(resolutions).nullable(),
  process_uuid: z.uuid().nullable().describe('The process that it is attached to.'),
  created_at: z.string(),
})

export const AttachedOutput = z.object({
  output_uuid: z.uuid(),
  process_uuid: z.uuid(),
  url: z.string().describe('Where to play or connect, as it stands. For rtsp: encrypted where there is a certificate.'),
  plain_url: z
    .string()
    .optional()
    .describe('For rtsp, where `url` is encrypted and the plain port is open too: for players without TLS.'),
  hls_url: z.string().nullable().describe('For rtsp: plays as it stands.'),
  webrtc_url: z.string().nullable().describe('For rtsp: a page that plays it.'),
})

export const ByOutput = z.object({ output_uuid: z.uuid() })
export const ByProcessAndOutput = z.object({ process_uuid: z.uuid(), output_uuid: z.uuid() })
export const OutputsQuery = z.object({ ...PageQuery.shape, ...OwnerQuery.shape })
export const DeletedOutput = z.object({ output_uuid: z.uuid(), deleted: z.literal(true) })
export const DetachedOutput = z.object({ output_uuid: z.uuid(), process_uuid: z.uuid(), detached: z.literal(true) })

export function toOutputRecord(output: Output): z.infer<typeof OutputRecord> {
  return {
    output_uuid: output.id,
    alias: output.alias,
    type: output.type,
    url: output.url && maskSecrets(output.url),
    settings: output.settings,
    process_uuid: output.processId,
    created_at: toZulu(output.createdAt),
  }
}
