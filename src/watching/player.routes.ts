import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type FastifyPluginAsync, type FastifyReply } from 'fastify'
import { toMediaPath } from '../core/media-path.ts'
import { notFound } from '../core/refusals.ts'

/** Nothing runs that we did not send, nothing is loaded from elsewhere; hls.js makes its video and worker from blobs. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "media-src 'self' blob:",
  'worker-src blob:',
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ')

const require = createRequire(import.meta.url)
/** Beside src and dist alike. */
const folder = new URL('../../player/', import.meta.url)

export interface PlayerRouteDeps {
  /** Origins whose pages may show ours in a frame. */
  readonly corsOrigins: readonly string[]
}

/** `/webrtc/<username>/<stream_path>`: a page that plays the stream, and the files that it needs. */
export function playerRoutes({ corsOrigins }: PlayerRouteDeps): FastifyPluginAsync {
  const page = readFileSync(new URL('player.html', folder), 'utf8')
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'))
  const style = readFileSync(new URL('player.css', folder))
  const hlsJs = readFileSync(require.resolve('hls.js/dist/hls.light.min.js'))

  return async (app) => {
    const route = { config: { isPublic: true }, schema: { hide: true } as object }
    const send = (reply: FastifyReply, type: string, content: Buffer) =>
      reply.header('cache-control', 'public, max-age=300').type(type).send(content)

    // The right to see the stream is checked when it is played: the page itself says nothing of it.
    app.get('/webrtc/*', route, async (request, reply) => {
      const [address] = request.url.split('?')
      const path = toMediaPath((request.params as { '*': string })['*'])
      if (path === undefined) throw notFound('GET', address!, 'a stream is at /webrtc/<username>/<stream path>.')
      return (
        reply
          .header('content-security-policy', [policy, ...corsOrigins].join(' '))
          // What the policy says of frames is finer.
          .removeHeader('x-frame-options')
          .header('referrer-policy', 'no-referrer')
          .header('cache-control', 'no-store')
          .type('text/html; charset=utf-8')
          .send(renderPlayerPage(page, path, address!))
      )
    })
    for (const name of scripts) {
      const script = readFileSync(new URL(name, folder))
      app.get(`/watch/${name}`, route, (_request, reply) => send(reply, 'text/javascript; charset=utf-8', script))
    }
    app.get('/watch/player.css', route, (_request, reply) => send(reply, 'text/css; charset=utf-8', style))
    app.get('/hls.js', route, (_request, reply) => send(reply, 'text/javascript; charset=utf-8', hlsJs))
  }
}

/**
 * The page with the stream's name in it. Its links are relative, as many steps up as the address has below the
 * service's root, so that the page works below any prefix that a proxy gives the service.
 */
export function renderPlayerPage(template: string, path: string, address: string): string {
  const below = address.slice(address.indexOf('/webrtc/') + 1)
  const root = '../'.repeat(below.split('/').length - 1)
  // A media path has no character that means anything in HTML.
  return template.replaceAll('{{root}}', root).replaceAll('{{path}}', path)
}
