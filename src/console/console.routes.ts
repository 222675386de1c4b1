import { send } from '@fastify/send'
import { type FastifyReply, type FastifyRequest } from 'fastify'
import { type FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { fileRefusal, notFound } from '../core/refusals.ts'
import { consoleFolder, isConsoleBuilt } from './console-files.ts'

export interface ConsoleRouteDeps {
  /** Where the map's tiles come from, as a template with {z}, {x} and {y}, and whose they are. */
  readonly mapTiles: { readonly url: string; readonly attribution: string | undefined } | undefined
  /** Where clients are sent for recordings, if they do not come from us. */
  readonly videoOrigin: string | undefined
  /** Where video can be published, while the media server is there. */
  readonly rtsp: () => { readonly scheme: string; readonly port: number }
}

const ConsoleSettings = z.object({
  map_tiles_url: z.string().nullable().describe('A template with {z}, {x} and {y}; null for a plain map.'),
  map_tiles_attribution: z.string().nullable().describe('Whose the tiles are; plain text.'),
  rtsp_port: z.number().int().describe('Of the media server, with the scheme `rtsp_scheme`.'),
  rtsp_scheme: z.string().describe('`rtsps` where the service has a certificate, otherwise `rtsp`.'),
})

const APP_FILES = ['sw.js', 'manifest.webmanifest', 'icon-192.png', 'icon-512.png'] as const

/** `/`: the web console. It is one page; where one is within it stands behind the address’s `#`. */
export function consoleRoutes({ mapTiles, videoOrigin, rtsp }: ConsoleRouteDeps): FastifyPluginAsyncZod {
  const policy = consolePolicy(mapTiles?.url, videoOrigin)

  return async (app) => {
    const route = { config: { isPublic: true }, schema: { hide: true } as object }

    app.get('/', route, async (request, reply) => {
      if (!isConsoleBuilt()) return reply.redirect('/docs')
      reply.header('content-security-policy', policy).header('referrer-policy', 'no-referrer')
      return sendFile(request, reply, 'index.html', 'no-store')
    })

    // Their names change with their content.
    app.get('/assets/*', route, async (request, reply) => {
      const { '*': name } = request.params as { '*': string }
      return sendFile(request, reply, `assets/${name}`, 'public, max-age=31536000, immutable')
    })

    // What makes the console an app that is installed and notifies. The names are fixed: browsers ask for them again.
    for (const name of APP_FILES)
      app.get(`/${name}`, route, (request, reply) => sendFile(request, reply, name, 'no-cache'))

    app.get(
      '/console/settings',
      { schema: { tags: ['Console'], summary: 'What the console must know', response: { 200: ConsoleSettings } } },
      async () => ({
        map_tiles_url: mapTiles?.url ?? null,
        map_tiles_attribution: mapTiles?.attribution ?? null,
        rtsp_port: rtsp().port,
        rtsp_scheme: rtsp().scheme,
      }),
    )
  }
}

async function sendFile(request: FastifyRequest, reply: FastifyReply, name: string, cacheControl: string) {
  const sent = await send(request.raw, name, {
    root: consoleFolder,
    dotfiles: 'deny',
    cacheControl: false,
    index: false,
  })
  if (sent.type !== 'file') throw fileRefusal(sent.statusCode, notFound('GET', request.url.split('?')[0]!))
  return reply.code(sent.statusCode).headers(sent.headers).header('cache-control', cacheControl).send(sent.stream)
}

/**
 * The Content-Security-Policy of the console: nothing runs or is styled that we did not send, nothing is loaded from elsewhere but
 * the map's tiles and recordings, where the operator has named servers for them. hls.js makes its video and worker from blobs.
 */
export function consolePolicy(mapTilesUrl: string | undefined, videoOrigin?: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    ["media-src 'self' blob:", ...(videoOrigin ? [videoOrigin] : [])].join(' '),
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    ["img-src 'self' data: blob:", ...(mapTilesUrl ? [tileOrigin(mapTilesUrl)] : [])].join(' '),
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** `https://{s}.tiles.example.org/{z}/{x}/{y}.png` → `https://*.tiles.example.org` */
function tileOrigin(template: string): string {
  const [, origin = ''] = /^(https?:\/\/[^/]+)/.exec(template) ?? []
  return origin.replace('{s}', '*')
}
