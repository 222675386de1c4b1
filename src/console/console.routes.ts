import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { send } from '@fastify/send'
import { type FastifyReply, type FastifyRequest } from 'fastify'
import { type FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { fileRefusal } from '../core/file-refusal.ts'
import { notFound } from '../core/not-found.ts'
import { consolePolicy } from './console-policy.ts'

export interface ConsoleRouteDeps {
  /** Where the map's tiles come from, as a template with {z}, {x} and {y}, and whose they are. */
  readonly mapTiles: { readonly url: string; readonly attribution: string | undefined } | undefined
  /** Where video can be published, while the media server is there. */
  readonly rtspPort: () => number
}

/** Beside src and dist alike; built by `scripts/setup.js`. */
const folder = fileURLToPath(new URL('../../console/dist/', import.meta.url))
const ConsoleSettings = z.object({
  map_tiles_url: z.string().nullable().describe('A template with {z}, {x} and {y}; null for a plain map.'),
  map_tiles_attribution: z.string().nullable().describe('Whose the tiles are; plain text.'),
  rtsp_port: z.number().int().describe('Of the media server.'),
})

/** `/`: the web console. It is one page; where one is within it stands behind the address’s `#`. */
export function consoleRoutes({ mapTiles, rtspPort }: ConsoleRouteDeps): FastifyPluginAsyncZod {
  const policy = consolePolicy(mapTiles?.url)

  return async (app) => {
    const route = { config: { isPublic: true }, schema: { hide: true } as object }

    app.get('/', route, async (request, reply) => {
      if (!existsSync(`${folder}index.html`)) return reply.redirect('/docs')
      reply.header('content-security-policy', policy).header('referrer-policy', 'no-referrer')
      return sendFile(request, reply, 'index.html', 'no-store')
    })

    // Their names change with their content.
    app.get('/assets/*', route, async (request, reply) => {
      const { '*': name } = request.params as { '*': string }
      return sendFile(request, reply, `assets/${name}`, 'public, max-age=31536000, immutable')
    })

    app.get(
      '/console/settings',
      { schema: { tags: ['Console'], summary: 'What the console must know', response: { 200: ConsoleSettings } } },
      async () => ({
        map_tiles_url: mapTiles?.url ?? null,
        map_tiles_attribution: mapTiles?.attribution ?? null,
        rtsp_port: rtspPort(),
      }),
    )
  }
}

async function sendFile(request: FastifyRequest, reply: FastifyReply, name: string, cacheControl: string) {
  const sent = await send(request.raw, name, { root: folder, dotfiles: 'deny', cacheControl: false, index: false })
  if (sent.type !== 'file') throw fileRefusal(sent.statusCode, notFound('GET', request.url.split('?')[0]!))
  return reply.code(sent.statusCode).headers(sent.headers).header('cache-control', cacheControl).send(sent.stream)
}
