import { z } from 'zod'
import { toZulu } from '../core/clock.ts'
import { maskSecrets } from '../core/mask-secrets.ts'
import { streamOfPreview, toMediaPath } from '../core/media-path.ts'
import { OwnerQuery } from '../core/owner-query.ts'
import { PageQuery } from '../core/page.ts'
import { type Output, outputTypes, resolutions } from './output.ts'

/** The wire's shapes of outputs. */

/** What the url depends on. */
const Kind = z.object({ type: z.enum(outputTypes), url: z.string().optional() })

export const NewOutput = z
  .strictObject({
    alias: z.string().trim().min(1).max(200).describe('A label of your choice.'),
    type: z.enum(outputTypes),
    url: z
      .string()
      .max(2000)
      .optional()
      .describe(
        'rtsp: `rtsp://<stream_path>`, which is then served at rtsp://<host>:8554/<username>/<stream_path>. rtmp: `rtmp://<host>:<port>/<stream_path>` of a server of yours. None for websockets.',
      ),
    settings: z
      .enum(resolutions)
      .nullable()
      .default(null)
      .describe('Lines of the picture; null keeps the input’s resolution.'),
  })
  .refine(({ type, url }) => problemWith(type, url) === undefined, {
    path: ['url'],
    error: ({ input }) => {
      const { type, url } = input as z.infer<typeof Kind>
      return problemWith(type, url)
    },
    // Also when other fields are missing: all of them are told at once.
    when: ({ value }) => Kind.safeParse(value).success,
  })
export type NewOutput = z.infer<typeof NewOutput>

function problemWith(type: z.infer<typeof Kind>['type'], url: string | undefined): string | undefined {
  if (type === 'detection_data' || type === 'drone_data') return undefined
  if (url === undefined) return 'It is missing: give an address, as in rtsp://yard/gate or rtmp://host:port/app/name.'
  return type === 'rtsp' ? problemWithRtsp(url) : problemWithRtmp(url)
}

function problemWithRtsp(url: string): string | undefined {
  if (!url.startsWith('rtsp://')) return 'Write a path behind rtsp://, as in rtsp://yard/gate.'
  const streamPath = url.slice('rtsp://'.length)
  if (/[:@]/.test(streamPath))
    return 'Write only a path behind rtsp://, no host and no port, as in rtsp://yard/gate: the service serves it itself.'
  if (/^(localhost|\d{1,3}(\.\d{1,3}){3})(\/|$)/.test(streamPath))
    return 'Write only a path behind rtsp://, no host, as in rtsp://yard/gate: the service serves it itself.'
  // The username that will stand before it is made of the same letters.
  if (toMediaPath(`x/${streamPath}`) === undefined)
    return 'Write a path of letters, digits and ._~- only, as in rtsp://yard/gate.'
  if (streamOfPreview(streamPath) !== undefined)
    return 'It ends with ~preview, which is for the previews that the service makes; choose another path.'
  return undefined
}

function problemWithRtmp(url: string): string | undefined {
  if (!/^rtmps?:\/\//.test(url))
    return 'Write an address that begins with rtmp:// or rtmps://, as in rtmp://host:port/app/name.'
  if (!URL.canParse(url)) return 'This is not a URL; write it as in rtmp://host:1935/app/name.'
  const { hostname, pathname } = new URL(url)
  if (!hostname) return 'It names no host; write it as in rtmp://host:port/app/name.'
  if (pathname.split('/').filter(Boolean).length === 0)
    return 'It names no stream; write it as in rtmp://host:port/app/name.'
  return undefined
}

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
  url: z.string().describe('Where to play or connect, as it stands.'),
  hls_url: z.string().nullable().describe('For rtsp: plays as it stands.'),
  webrtc_url: z.string().nullable().describe('For rtsp: a page that plays it.'),
})

export const ByOutput = z.object({ output_uuid: z.uuid() })
export const ByProcess = z.object({ process_uuid: z.uuid() })
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
