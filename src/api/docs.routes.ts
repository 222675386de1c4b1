import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, dirname } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type FastifyPluginAsync } from 'fastify'

// The page's settings stand in a data attribute, so that nothing inline has to run.
const configuration = {
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
}

const page = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Aerie API</title></head>
<body>
<script id="api-reference" data-url="/openapi.json" data-configuration='${JSON.stringify(configuration)}'></script>
<script src="/docs/reference.js"></script>
</body>
</html>`

/** Styles are set from scripts all over the reference's code; nothing may be loaded from elsewhere. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** `/docs`: the API page, drawn from `/openapi.json` by Scalar's reference. Its script comes from the package, not from a CDN. */
export const docsRoutes: FastifyPluginAsync = async (app) => {
  const options = { config: { isPublic: true }, schema: { hide: true } }
  let script: Buffer | undefined

  app.get('/docs', options, async (_request, reply) =>
    reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(page),
  )

  app.get('/docs/reference.js', options, async (_request, reply) => {
    script ??= gzipSync(readReference())
    return reply
      .header('content-encoding', 'gzip')
      .header('cache-control', 'public, max-age=3600')
      .type('text/javascript; charset=utf-8')
      .send(script)
  })
}

function readReference(): Buffer {
  const packageEntry = createRequire(import.meta.url).resolve('@scalar/fastify-api-reference')
  return readFileSync(join(dirname(packageEntry), 'js', 'standalone.js'))
}
