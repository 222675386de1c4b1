import { type FastifyRequest } from 'fastify'
import { type FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type KnownCredentials } from '../core/known-credentials.ts'
import { toMediaPath } from '../core/media-path.ts'
import { notFound } from '../core/refusals.ts'
import { TimeRangeQuery } from '../core/request-fields.ts'
import { textOf } from '../core/request-headers.ts'
import { goneSignal } from '../http/gone-signal.ts'
import { sendText } from '../http/send-text.ts'
import { type Hls } from './hls.service.ts'
import { type VodWatching } from './vod-watching.ts'
import { credentialsOf, rememberViewer } from './watch-credentials.ts'

export interface HlsRouteDeps {
  readonly hls: Pick<Hls, 'answer'>
  readonly vod: VodWatching
  /** Requests with credentials that were accepted before have turns beside those of strangers. */
  readonly knownCredentials: Pick<KnownCredentials, 'add'>
  /** Pages of other origins may play: Safari's own player fetches without CORS, and asks for this header instead. */
  readonly isForOtherOrigins: boolean
}

/** The names that our playlists give; everything else is nothing. */
const FILE = /^(index\.m3u8|stream\.m3u8|vod\.m3u8|init-\d{1,12}\.mp4|\d{1,12}(\.\d{1,4})?\.m4s)$/

const VOD = 'vod.m3u8'
const PLAYLIST = 'application/vnd.apple.mpegurl'

const Query = z.object({
  ...TimeRangeQuery.shape,
  container: z
    .enum(['mp4', 'ts'])
    .optional()
    .describe(
      'Of `vod.m3u8`: as what its pieces come. Without it: MP4, and MPEG-TS for FFmpeg before 7.1, which cannot seek in MP4.',
    ),
  api_key: z.string().max(200).optional().describe('For players that cannot send headers.'),
  token: z.string().max(200).optional().describe('A read token of the source.'),
  node: z.string().max(63).optional().describe('In the addresses of a playlist: the node that made it.'),
  _HLS_msn: z.string().max(20).optional(),
  _HLS_part: z.string().max(20).optional(),
})

const DESCRIPTION = `\`index.m3u8\` is low-latency HLS, made on demand. The addresses in its playlists are for this viewing only.

\`vod.m3u8?from=&to=\` plays what was recorded of the stream between two times, at most 24 hours, as one even line of time: gaps are left out, and
\`EXT-X-PROGRAM-DATE-TIME\` says when each part was. Without \`to\` until now, without \`from\` the hour before. The addresses in it work for 12 hours, for as long as
the caller may watch the stream.`

/** `/hls/<username>/<stream_path>/index.m3u8`: any live stream in a browser; `vod.m3u8` beside it: what was recorded of it. */
export function hlsRoutes({ hls, vod, knownCredentials, isForOtherOrigins }: HlsRouteDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/hls/*',
      {
        config: { isPublic: true, aboutNode: ({ query }) => textOf((query as { readonly node?: unknown }).node) },
        schema: {
          tags: ['Watching'],
          summary:
            'Watch a stream by HLS, live or recorded: /hls/<username>/<stream_path>/index.m3u8, …/vod.m3u8?from=&to=',
          description: DESCRIPTION,
          security: [],
          params: z.object({ '*': z.string().describe('<username>/<stream_path>/index.m3u8, or …/vod.m3u8') }),
          querystring: Query,
        },
      },
      async (request, reply) => {
        const { path, file } = split(request.params['*'], request)
        if (isForOtherOrigins) reply.header('cross-origin-resource-policy', 'cross-origin')
        const shown = credentialsOf(request)
        if (file === VOD) {
          const { from, to, container } = request.query
          const userAgent = textOf(request.headers['user-agent']) ?? ''
          const asked = { path, range: { from, to }, container, userAgent, address: request.ip }
          const playlist = await vod.playlist({ ...asked, credentials: shown.credentials })
          rememberViewer(knownCredentials, shown.credentials, path)
          return sendText(request, reply.header('cache-control', 'no-cache'), PLAYLIST, playlist)
        }
        const gone = goneSignal(reply)
        const answer = await hls
          .answer({
            path,
            file,
            search: searchOf(request.query),
            ...shown,
            isFirst: file === 'index.m3u8',
            address: request.ip,
            signal: gone,
          })
          .catch((error: unknown) => {
            // Nobody is there to hear of it.
            if (!gone.aborted) throw error
          })
        if (!answer) return reply.hijack()
        rememberViewer(knownCredentials, shown.credentials, path)
        return reply
          .header('content-length', answer.sizeBytes)
          .header('cache-control', answer.cacheControl)
          .type(answer.type)
          .send(answer.body)
      },
    )
  }
}

function split(wildcard: string, { method }: FastifyRequest): { path: string; file: string } {
  const at = wildcard.lastIndexOf('/')
  const file = wildcard.slice(at + 1)
  const path = toMediaPath(wildcard.slice(0, Math.max(0, at)))
  if (path === undefined || !FILE.test(file))
    throw notFound(method, '/hls/…', 'a stream is at /hls/<username>/<stream path>/index.m3u8.')
  return { path, file }
}

function searchOf({ _HLS_msn: sequence, _HLS_part: part }: z.infer<typeof Query>): string {
  const search = new URLSearchParams({
    ...(sequence !== undefined && { _HLS_msn: sequence }),
    ...(part !== undefined && { _HLS_part: part }),
  }).toString()
  return search === '' ? '' : `?${search}`
}
