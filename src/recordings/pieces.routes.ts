import { type FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { textOf } from '../core/request-headers.ts'
import { goneSignal } from '../http/gone-signal.ts'
import { readPieceName } from './piece-name.ts'
import { type Pieces } from './pieces.ts'

const ByPiece = z.object({
  piece: z
    .string()
    .max(100)
    .refine((name) => readPieceName(name) !== undefined, 'This is none of the names that a playlist gives.')
    .describe('As a playlist names it.'),
})
const PieceQuery = z.object({ token: z.string().max(300).default('').describe('Comes with the playlist.') })

export interface PieceRouteDeps {
  readonly pieces: Pieces
  /** Pages of other origins may play. */
  readonly isForOtherOrigins: boolean
}

/** `/recorded/…`: the pieces of what was recorded, as `/hls/<path>/vod.m3u8` lists them. */
export function pieceRoutes({ pieces, isForOtherOrigins }: PieceRouteDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/recorded/:piece',
      {
        config: {
          isPublic: true,
          // Nobody has looked at the parameters by then.
          aboutNode({ params, query }) {
            const piece = readPieceName((params as { readonly piece: string }).piece)
            return piece && pieces.nodeOf(piece, textOf((query as { readonly token?: unknown }).token) ?? '')
          },
        },
        schema: {
          tags: ['Sources'],
          summary: 'A piece of a recording, by its address in a playlist',
          description:
            'What `/hls/<username>/<stream_path>/vod.m3u8` lists. The address works for whoever plays that playlist, for 12 hours and for as long as it may watch the stream.',
          security: [],
          params: ByPiece,
          querystring: PieceQuery,
        },
      },
      async (request, reply) => {
        if (isForOtherOrigins) reply.header('cross-origin-resource-policy', 'cross-origin')
        const { type, body } = await pieces.open({
          piece: readPieceName(request.params.piece)!,
          token: request.query.token,
          address: request.ip,
          signal: goneSignal(reply),
        })
        return reply.header('cache-control', 'private, max-age=3600, immutable').type(type).send(body)
      },
    )
  }
}
