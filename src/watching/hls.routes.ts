import { type FastifyRequest } from 'fastify'
import { type FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type KnownCredentials } from '../core/known-credentials.ts'
import { toMediaPath } from '../core/media-path.ts'
import { notFound } from '../core/refusals.ts'
import { textOf } from '../core/request-headers.ts'
import { goneSignal } from '../http/gone-signal.ts'
import { type Hls } from './hls.service.ts'
import { credentialsOf, rememberViewer } from './watch-credentials.ts'

export interface HlsRouteDeps {
  readonly hls: Pick<Hls, 'answer'>
  /** Requests with credentials that were accepted before have turns beside those of strangers. */
  readonly knownCredentials: Pick<KnownCredentials, 'add'>
  /** Pages of other origins may play: Safari's own player fetches without CORS, and asks for this header instead. */
  readonly isForOtherOrigins: boolean
}

/** The names that our playlists give; everything else is nothing. */
const FILE = /^(index\.m3u8|stream\.m3u8|init-\d{1,12}\.mp4|\d{1,12}(\.\d{1,4})?\.m4s)$/

const Query = z.object({
  api_key: z.string().max(200).optional().describe('For players that cannot send headers.'),
  token: z.string().max(200).optional().describe('A read token of the source.'),
  node: z.string().max(63).optional().describe('In the addresses of a playlist: the node that made it.'),
  _HLS_msn: z.string().max(20).optional(),
  _HLS_part: z.string().max(20).optional(),
})

/** `/hls/<username>/<stream_path>/index.m3u8`: any live stream in a browser. */
export function hlsRoutes({ hls, knownCredentials, isForOtherOrigins }: HlsRouteDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/hls/*',
      {
        config: { isPublic: true, aboutNode: ({ query }) => textOf((query as { readonly node?: unknown }).node) },
        schema: {
          tags: ['Watching'],
          summary: 'Watch a live stream by HLS: /hls/<username>/<stream_path>/index.m3u8',
          description: 'Low-latency HLS, made on demand. The addresses in its playlists are for this viewing only.',
          security: [],
          params: z.object({ '*': z.string().describe('<username>/<stream_path>/index.m3u8') }),
          querystring: Query,
        },
      },
      async (request, reply) => {
        const { path, file } = split(request.params['*'], request)
        if (isForOtherOrigins) reply.header('cross-origin-resource-policy', 'cross-origin')
        const shown = credentialsOf(request)
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
