import { type FastifyPluginAsync, type FastifyReply, type FastifyRequest } from 'fastify'
import { AppError } from '../core/errors.ts'
import { type KnownCredentials } from '../core/known-credentials.ts'
import { toMediaPath } from '../core/media-path.ts'
import { notFound } from '../core/refusals.ts'
import { trimEndSlashes } from '../core/url-text.ts'
import { MAX_OFFER_BYTES } from '../media/messages.ts'
import { credentialsOf, rememberViewer } from './watch-credentials.ts'
import { type Webrtc } from './webrtc.service.ts'

export interface WebrtcRouteDeps {
  readonly webrtc: Pick<Webrtc, 'answer' | 'end'>
  /** This node, where the service has several: it alone has the sessions that it gave. */
  readonly nodeId?: string | undefined
  /** Requests with credentials that were accepted before have turns beside those of strangers. */
  readonly knownCredentials: Pick<KnownCredentials, 'add'>
}

/** `<username>/<stream_path>/whep`, and a session of it, with its node where the service has several. */
const ENDPOINT = /^(.+)\/(whep|whip)(?:\/([A-Za-z0-9_-]{24})(?:\.([a-z0-9-]{1,63}))?)?$/

/**
 * `/webrtc/<username>/<stream_path>/whep` and `…/whip` (RFC 9725 and the WHEP draft): watch and publish from a browser.
 * Stream paths have any number of segments, hence the wildcards.
 */
export function webrtcRoutes({ webrtc, nodeId, knownCredentials }: WebrtcRouteDeps): FastifyPluginAsync {
  return async (app) => {
    const route = { config: { isPublic: true }, schema: { hide: true } as object, bodyLimit: MAX_OFFER_BYTES }
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('application/sdp', { parseAs: 'string' }, (_request, text, done) => done(null, text))
    app.addContentTypeParser('*', (request, _payload, done) => done(wrongType(request)))

    app.post('/webrtc/*', route, async (request, reply) => {
      const { path, kind, sessionId } = endpointOf(request)
      if (sessionId !== undefined) throw nothingThere(request)
      if (typeof request.body !== 'string') throw wrongType(request)
      const { credentials } = credentialsOf(request)
      const answer = await webrtc.answer({
        kind: kind === 'whep' ? 'watch' : 'publish',
        path,
        sdp: request.body,
        credentials,
        address: request.ip,
      })
      rememberViewer(knownCredentials, credentials, path)
      // Relative, because only the client knows by which address it reaches us.
      const name = trimEndSlashes(request.url.split('?')[0]!).split('/').at(-1)!
      const session = nodeId === undefined ? answer.sessionId : `${answer.sessionId}.${nodeId}`
      return exposing(reply)
        .code(201)
        .header('location', `${name}/${session}`)
        .header('cache-control', 'no-store')
        .type('application/sdp')
        .send(answer.sdp)
    })

    const ofSession = { ...route, config: { ...route.config, aboutNode: nodeOfSession } }
    app.delete('/webrtc/*', ofSession, async (request, reply) => {
      const { path, sessionId } = endpointOf(request)
      if (sessionId === undefined) throw nothingThere(request)
      await webrtc.end(sessionId, path)
      return reply.code(200).send()
    })

    app.patch('/webrtc/*', route, async (request, reply) => {
      endpointOf(request)
      reply.header('allow', 'DELETE, OPTIONS')
      throw new AppError('trickle-unsupported')
    })

    app.options('/webrtc/*', route, async (request, reply) => {
      const { sessionId } = endpointOf(request)
      reply.header('allow', sessionId === undefined ? 'POST, OPTIONS' : 'DELETE, OPTIONS')
      return reply.code(204).header('accept-post', 'application/sdp').send()
    })
  }
}

function nodeOfSession({ params }: FastifyRequest): string | undefined {
  return ENDPOINT.exec((params as { '*': string })['*'])?.[4]
}

function endpointOf(request: FastifyRequest): { path: string; kind: string; sessionId: string | undefined } {
  const [, rawPath = '', kind = '', sessionId] = ENDPOINT.exec((request.params as { '*': string })['*']) ?? []
  const path = toMediaPath(rawPath)
  if (path === undefined) throw nothingThere(request)
  return { path, kind, sessionId }
}

function nothingThere({ method, url }: FastifyRequest): AppError {
  return notFound(method, url.split('?')[0]!, 'streams are at /webrtc/<username>/<stream path>/whep and …/whip.')
}

function wrongType({ headers }: FastifyRequest): AppError {
  const given = headers['content-type'] ?? 'a body without a type'
  return new AppError('media-type-unsupported', { media_type: given, wanted: 'application/sdp' })
}

/** Pages of other origins must see where their session is, where they may call us at all. */
function exposing(reply: FastifyReply): FastifyReply {
  return reply.hasHeader('access-control-allow-origin')
    ? reply.header('access-control-expose-headers', 'location, link, retry-after')
    : reply
}
