import { z } from 'zod'
import { toZulu } from '../core/clock.ts'
import { maskSecrets } from '../core/mask-secrets.ts'
import { OwnerQuery } from '../core/owner-query.ts'
import { PageQuery } from '../core/page.ts'
import { maskTelemetryCfg, TelemetryCfg } from '../core/telemetry-cfg.ts'
import { type Source, type VideoInfo } from './source.ts'
import { type SourceToken } from './source-tokens.store.ts'

/** The wire's shapes of sources and tokens. */

export const Alias = z
  .string()
  .trim()
  .min(1)
  .max(200)

  .regex(/^[^\u0000-\u001f\u007f]*$/, 'It has characters that cannot be shown; leave them out.')
  .describe('A label of your choice.')

const STREAM_URL = /^rt(mp|sp)s?:\/\/[^\s/]+/i
const NOT_A_URL = 'This is not a URL; write host, port and path as in rtsp://camera.local:554/1.'
const InputUrl = z
  .string()
  .max(2000)
  .regex(
    STREAM_URL,
    'Write an address that begins with rtsp:// or rtmp://, as in rtsp://camera.local/1 or rtmp://camera.local/live/1.',
  )

export const NewStream = z
  .strictObject({
    alias: Alias,
    input_url: InputUrl,
    stream_type: z.enum(['rtmp', 'rtsp']),
    telemetry_cfg: TelemetryCfg.nullish(),
  })
  .superRefine(({ input_url, stream_type }, context) => {
    // Of an address that is no stream's that is said already.
    if (!STREAM_URL.test(input_url)) return
    if (!URL.canParse(input_url)) context.addIssue({ code: 'custom', path: ['input_url'], message: NOT_A_URL })
    if (/@.*@|#/.test(input_url)) {
      const message = 'Write an @ or # of its password as %40 or %23.'
      context.addIssue({ code: 'custom', path: ['input_url'], message })
    }
    const [, type] = /^(rt[ms]p)/.exec(input_url.toLowerCase())!
    if (type !== stream_type) {
      const message = `The address in input_url begins with ${type}: write ${type} here, or give an address that begins with ${stream_type}.`
      context.addIssue({ code: 'custom', path: ['stream_type'], message })
    }
  })
export type NewStream = z.infer<typeof NewStream>

/** An address to be looked at before it is registered. */
export const ProbedStream = z.strictObject({
  input_url: InputUrl.refine((url) => URL.canParse(url) || !STREAM_URL.test(url), NOT_A_URL),
})
const Video = z.object({
  codec: z.string(),
  width: z.number(),
  height: z.number(),
  fps: z.number(),
  has_b_frames: z.boolean().optional().describe('WebRTC can’t carry them. Left out while it isn’t known.'),
})
export const StreamLook = z.object({
  is_readable: z.boolean().describe('A picture could be decoded.'),
  video: Video.nullable(),
  problems: z.array(z.string()).describe('What is wrong with it, and what to do.'),
})
export type StreamLook = z.infer<typeof StreamLook>

export const SourceStatus = z.enum(['offline', 'streaming', 'processing', 'unknown'])
export type SourceStatus = z.infer<typeof SourceStatus>

export const SourceRecord = z.object({
  source_uuid: z.uuid(),
  alias: z.string(),
  type: z.enum(['file', 'stream']),
  input_url: z.string().describe('Passwords and keys are masked; the file’s name for files.'),
  stream_type: z.enum(['rtmp', 'rtsp']).nullable(),
  status: SourceStatus,
  recording: z.enum(['on', 'off', 'stopped-disk-full']).nullable().describe('For sources on this media server.'),
  hls_url: z
    .string()
    .nullable()
    .describe('For sources on this media server; needs a key or a read token, as `?api_key=` or `?token=`.'),
  webrtc_url: z.string().nullable().describe('A page that plays it; WHEP and WHIP are at /whep and /whip below it.'),
  telemetry_cfg: z.unknown().nullable(),
  created_at: z.string(),
  video: Video.optional(),
})

export const BySource = z.object({ source_id: z.uuid() })
export const SourcesQuery = z.object({ ...PageQuery.shape, ...OwnerQuery.shape })

export const DeletedSource = z.object({ source_uuid: z.uuid(), deleted: z.literal(true) })

export const NewToken = z.strictObject({
  action: z.enum(['publish', 'read']),
  expires_in_seconds: z.number().int().min(1).max(315_360_000).optional().describe('Default: never.'),
})
export type NewToken = z.infer<typeof NewToken>

export const TokenRecord = z.object({
  token_uuid: z.uuid(),
  source_uuid: z.uuid(),
  action: z.enum(['publish', 'read']),
  expires_at: z.string().nullable(),
  created_at: z.string(),
})
export const IssuedToken = TokenRecord.extend({
  token: z.string().describe('Shown only here.'),
  urls: z
    .object({
      rtsp: z.string(),
      rtmp: z.string(),
      hls: z.string().optional().describe('To read it.'),
      webrtc: z.string().describe('To read it, a page that plays it; to publish, the WHIP endpoint.'),
    })
    .describe('Ready to be put into a drone, an encoder, a player or a browser.'),
})

export function toSourceRecord(
  source: Source,
  baseUrl: string,
  live: { status: SourceStatus; recording: z.infer<typeof SourceRecord>['recording'] },
): z.infer<typeof SourceRecord> {
  return {
    source_uuid: source.id,
    alias: source.alias,
    type: source.type,
    input_url: maskSecrets(source.inputUrl),
    stream_type: source.streamType,
    status: live.status,
    recording: live.recording,
    hls_url: source.mediaPath && `${baseUrl}/hls/${source.mediaPath}/index.m3u8`,
    webrtc_url: source.mediaPath && `${baseUrl}/webrtc/${source.mediaPath}`,
    telemetry_cfg: source.telemetryCfg && maskTelemetryCfg(source.telemetryCfg),
    created_at: toZulu(source.createdAt),
    ...(source.video && { video: toVideo(source.video) }),
  }
}

function toVideo({ hasBFrames, ...video }: VideoInfo): z.infer<typeof Video> {
  return { ...video, ...(hasBFrames !== undefined && { has_b_frames: hasBFrames }) }
}

/** Where browsers watch or publish with a token. */
export function browserUrls(mediaPath: string, { action }: SourceToken, token: string, baseUrl: string) {
  const [page, query] = [`${baseUrl}/webrtc/${mediaPath}`, `?token=${token}`]
  if (action === 'publish') return { webrtc: `${page}/whip${query}` }
  return { hls: `${baseUrl}/hls/${mediaPath}/index.m3u8${query}`, webrtc: `${page}${query}` }
}

export function toTokenRecord(token: SourceToken): z.infer<typeof TokenRecord> {
  return {
    token_uuid: token.id,
    source_uuid: token.sourceId,
    action: token.action,
    expires_at: token.expiresAt === null ? null : toZulu(token.expiresAt),
    created_at: toZulu(token.createdAt),
  }
}
