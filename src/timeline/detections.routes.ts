import { pipeline, Readable } from 'node:stream'
import { constants, createGzip } from 'node:zlib'
import { type FastifyReply, type FastifyRequest } from 'fastify'
import { type FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { textOf } from '../core/request-headers.ts'
import { AppError } from '../core/errors.ts'
import { createSharedPlaces } from '../core/shared-places.ts'
import { type SourceRights } from '../core/source-rights.ts'
import { goneSignal } from '../http/gone-signal.ts'
import { takesGzip } from '../http/send-text.ts'
import { type DetectionReader, type ReadDetections } from './detection-reader.ts'
import {
  ByDetectionFile,
  BySource,
  DetectionFileQuery,
  DetectionsQuery,
  RecordedDetection,
  toRecordedDetection,
} from './detections.schema.ts'
import { type DetectionService } from './detections.service.ts'

export interface DetectionRouteDeps {
  readonly detections: DetectionService
  readonly reader: Pick<DetectionReader, 'readFile'>
  readonly rights: Pick<SourceRights, 'ownerFor'>
}

/** Of all keys, and of one: more than a page of many cameras asks for, each of which may hold an hour of a file in memory. */
const MAX_AT_ONCE = 64
export const MAX_AT_ONCE_OF_ONE = 16
const RETRY_AFTER_SECONDS = 1

/** Only documented: they are streamed. */
const streamed = {
  description: 'What was seen, the oldest first; an empty list where nothing was',
  headers: z.object({
    'x-aerie-missing-nodes': z.string().optional().describe('Nodes that could not be asked for what they have of it.'),
  }),
  content: { 'application/json': { schema: z.array(RecordedDetection) } },
}

/** `/source/…/detections`: what processes saw of a stream, look by look. */
export function detectionRoutes({ detections, reader, rights }: DetectionRouteDeps): FastifyPluginAsyncZod {
  const places = createSharedPlaces(MAX_AT_ONCE, MAX_AT_ONCE_OF_ONE)

  /** Held until the answer is over, whichever way. */
  function takePlace({ account }: FastifyRequest, { raw }: FastifyReply): void {
    const giveBack = places.take(account.id)
    const fields = { retry_after_seconds: RETRY_AFTER_SECONDS }
    if (!giveBack) throw new AppError('detection-streams-used-up', fields, { retryAfterSeconds: RETRY_AFTER_SECONDS })
    // The client may have left while its right was looked up.
    if (raw.destroyed) giveBack()
    else raw.once('close', giveBack)
  }

  return async (app) => {
    app.get(
      '/source/:source_uuid/detections',
      {
        schema: {
          tags: ['Sources'],
          summary: 'What was seen in a stream, as it was live',
          description:
            'Kept beside the recordings of every stream that is recorded, for as long as `alert_retention_days` of the key. A process that reads it must have been running.',
          params: BySource,
          querystring: DetectionsQuery,
          response: { 200: streamed },
        },
      },
      async (request, reply) => {
        const { username, from, to, process_uuid: processId, every_seconds: everySeconds, tracks } = request.query
        const { source_uuid: sourceId } = request.params
        const owner = await rights.ownerFor(request.account, sourceId, 'events', username)
        const signal = goneSignal(reply)
        takePlace(request, reply)
        const asked = { sourceId, processId, range: { from, to }, everySeconds, signal }
        return sendDetections(request, reply, await detections.open(owner, asked), tracks)
      },
    )

    app.get(
      '/recorded_detections/:detection_file_uuid',
      {
        config: { isPublic: true },
        schema: { hide: true, params: ByDetectionFile, querystring: DetectionFileQuery },
      },
      async (request, reply) => {
        const file = await reader.readFile(request.params.detection_file_uuid, request.query.token)
        // Another node asks, and knows what no file means.
        if (!file) throw new AppError('recording-not-found')
        return reply.type('application/octet-stream').send(file)
      },
    )
  }
}

/** Read only as fast as the client takes it. */
function sendDetections(
  request: FastifyRequest,
  reply: FastifyReply,
  found: ReadDetections,
  withTracks: boolean,
): FastifyReply {
  if (found.missingNodes.length > 0) reply.header('x-aerie-missing-nodes', found.missingNodes.join(', '))
  reply.header('cache-control', 'no-store').header('vary', 'accept-encoding').type('application/json')
  const text = Readable.from(toJson(found, withTracks), { objectMode: false })
  if (!takesGzip(textOf(request.headers['accept-encoding']) ?? '')) return reply.send(text)
  // What fails ends the answer, and so does a client that has left.
  const packed = pipeline(text, createGzip({ level: constants.Z_BEST_SPEED }), () => {})
  return reply.header('content-encoding', 'gzip').send(packed)
}

async function* toJson({ looks }: ReadDetections, withTracks: boolean): AsyncGenerator<string, void> {
  let before = '['
  for await (const some of looks) {
    for (const one of some) {
      const shown = withTracks ? one : { ...one, look: { ...one.look, tracks: [] } }
      yield before + JSON.stringify(toRecordedDetection(shown))
      before = ',\n'
    }
  }
  yield before === '[' ? '[]' : ']'
}
