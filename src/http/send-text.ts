import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import { type FastifyReply, type FastifyRequest } from 'fastify'
import { textOf } from '../core/request-headers.ts'

const compress = promisify(gzip)
/** Shorter texts gain nothing. */
const MIN_BYTES = 1_400

/** Answers with a text that may be large and says much the same in every line: packed, where the client takes that (RFC 9110 §12.5.3). */
export async function sendText(
  request: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
  type: string,
  text: string,
): Promise<FastifyReply> {
  reply.header('vary', 'accept-encoding').type(type)
  const plain = Buffer.from(text)
  if (plain.length < MIN_BYTES || !takesGzip(textOf(request.headers['accept-encoding']) ?? '')) return reply.send(plain)
  // The fastest level: lines that differ in a few digits pack well enough.
  const packed = await compress(plain, { level: constants.Z_BEST_SPEED })
  return reply.header('content-encoding', 'gzip').send(packed)
}

export function takesGzip(accepted: string): boolean {
  return accepted.split(',').some((coding) => {
    const [name, ...parameters] = coding.split(';').map((part) => part.trim().toLowerCase())
    const isRefused = parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
    return (name === 'gzip' || name === '*') && !isRefused
  })
}
