import { z } from 'zod'
import { toZulu, toZuluOrNull } from '../core/clock.ts'
import { hlsUrl, webrtcUrl } from '../core/media-path.ts'
import { type SourceToken } from './source-tokens.store.ts'

/** The wire's shapes of tokens of sources. */

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
      rtsp: z.string().describe('Begins with `rtsps` where there is a certificate.'),
      rtmp: z.string().describe('Likewise with `rtmps`.'),
      rtsp_plain: z.string().optional().describe('Not encrypted, where that port is open beside the encrypted one.'),
      rtmp_plain: z.string().optional().describe('Likewise.'),
      hls: z.string().optional().describe('To read it.'),
      webrtc: z.string().describe('To read it, a page that plays it; to publish, the WHIP endpoint.'),
    })
    .describe('Ready to be put into a drone, an encoder, a player or a browser.'),
})

/** Where browsers watch or publish with a token. */
export function browserUrls(mediaPath: string, { action }: SourceToken, token: string, baseUrl: string) {
  const [page, query] = [webrtcUrl(baseUrl, mediaPath), `?token=${token}`]
  if (action === 'publish') return { webrtc: `${page}/whip${query}` }
  return { hls: hlsUrl(baseUrl, mediaPath) + query, webrtc: page + query }
}

export function toTokenRecord(token: SourceToken): z.infer<typeof TokenRecord> {
  return {
    token_uuid: token.id,
    source_uuid: token.sourceId,
    action: token.action,
    expires_at: toZuluOrNull(token.expiresAt),
    created_at: toZulu(token.createdAt),
  }
}
