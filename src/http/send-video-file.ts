import { basename, dirname } from 'node:path'
import { send } from '@fastify/send'
import { type FastifyReply, type FastifyRequest } from 'fastify'
import { AppError } from '../core/errors.ts'
import { fileRefusal } from '../core/refusals.ts'

/** Answers with a file of kept video, or with the range of it that is asked for. */
export async function sendVideoFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: string,
  downloadName: string,
): Promise<FastifyReply> {
  const sent = await send(request.raw, basename(file), { root: dirname(file), dotfiles: 'deny', cacheControl: false })
  if (sent.type === 'error') {
    const { 'Content-Range': length } = sent.headers as Record<string, string | undefined>
    if (length !== undefined) reply.header('content-range', length)
    throw fileRefusal(sent.statusCode, new AppError('recording-not-found'))
  }
  const headers = {
    ...sent.headers,
    'content-disposition': `inline; filename="${downloadName}"`,
    'cache-control': 'private',
  }
  return reply.code(sent.statusCode).headers(headers).type('video/mp4').send(sent.stream)
}
