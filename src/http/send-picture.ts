import { type FastifyReply } from 'fastify'
import { z } from 'zod'

/** What a route of a picture answers, for its documentation: pictures are sent as they are. */
export const pictureAnswers = {
  200: {
    description: 'The picture',
    content: { 'image/jpeg': { schema: z.string().meta({ format: 'binary' }) } },
  },
  202: z
    .object({ retry_after_seconds: z.number().int() })
    .describe('It may still come: ask again after the time of `Retry-After`.'),
}

const RETRY_AFTER_SECONDS = 1

/** Answers with a JPEG, or that it may still come. */
export function sendPicture(reply: FastifyReply, picture: Buffer | 'soon'): FastifyReply {
  if (picture === 'soon') {
    // Browsers, in which people open links, know `Refresh` only.
    const waiting = { 'retry-after': RETRY_AFTER_SECONDS, refresh: RETRY_AFTER_SECONDS }
    reply.code(202).headers({ ...waiting, 'cache-control': 'no-store' })
    return reply.send({ retry_after_seconds: RETRY_AFTER_SECONDS })
  }
  return reply.code(200).header('cache-control', 'private').type('image/jpeg').send(picture)
}
