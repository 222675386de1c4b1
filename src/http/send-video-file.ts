import { basename, dirname } from 'node:path'
import { Readable } from 'node:stream'
import { send } from '@fastify/send'
import { type FastifyReply, type FastifyRequest } from 'fastify'
import { AppError } from '../core/errors.ts'
import { type KeptFile, type StoredFile } from '../core/kept-file.ts'
import { fileRefusal } from '../core/refusals.ts'
import { goneSignal } from './gone-signal.ts'

const VIDEO = 'video/mp4'
/** Of several ranges the whole file is the answer, as RFC 9110 §14.2 allows. */
const ONE_RANGE = /^bytes=(\d{1,15}-\d{0,15}|-\d{1,15})$/

/** Answers with a file of kept video, or with the range of it that is asked for, from the disk or else from the object store. */
export async function sendVideoFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: KeptFile,
  downloadName: string,
): Promise<FastifyReply> {
  const root = dirname(file.path)
  const sent = await send(request.raw, basename(file.path), { root, dotfiles: 'deny', cacheControl: false })
  if (sent.type === 'error') {
    const stored = sent.statusCode === 404 ? await file.inStore() : undefined
    if (stored) return sendStored(request, reply, stored, downloadName)
    const { 'Content-Range': length } = sent.headers as Record<string, string | undefined>
    if (length !== undefined) reply.header('content-range', length)
    throw fileRefusal(sent.statusCode, new AppError('recording-not-found'))
  }
  const headers = { ...sent.headers, ...shownHeaders(downloadName) }
  return reply.code(sent.statusCode).headers(headers).type(VIDEO).send(sent.stream)
}

async function sendStored(
  request: FastifyRequest,
  reply: FastifyReply,
  stored: StoredFile,
  downloadName: string,
): Promise<FastifyReply> {
  reply.headers({ ...shownHeaders(downloadName), 'accept-ranges': 'bytes' })
  // A link is signed for one method.
  if (request.method === 'HEAD')
    return reply.header('content-length', stored.sizeBytes).type(VIDEO).send(Readable.from([]))
  const link = await stored.link({ contentType: VIDEO, downloadName })
  if (link !== undefined) return reply.header('cache-control', 'no-store').redirect(link, 302)
  const { range, 'if-match': ifMatch } = request.headers
  const wanted = range !== undefined && ONE_RANGE.test(range) ? range : undefined
  const { status, headers, body } = await stored
    .open({ range: wanted, ifMatch, signal: goneSignal(reply) })
    .catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'range-not-satisfiable')
        reply.header('content-range', `bytes */${stored.sizeBytes}`)
      throw error
    })
  return reply.code(status).headers(headers).type(VIDEO).send(body)
}

function shownHeaders(downloadName: string) {
  return { 'content-disposition': `inline; filename="${downloadName}"`, 'cache-control': 'private' }
}
