import { STATUS_CODES } from 'node:http'
import { type Socket } from 'node:net'
import { type FastifyError, type FastifyReply, type FastifyRequest } from 'fastify'
import { z } from 'zod'
import { MAX_INPUT_ERRORS } from '../core/check-input.ts'
import { AppError, titleOf } from '../core/errors.ts'
import { maskSecrets } from '../core/mask-secrets.ts'
import { isDatabaseAway, isDiskFull } from '../core/outages.ts'
import { shortened } from '../core/sentences.ts'

/** Errors as RFC 9457 problem details. */
export const Problem = z.object({
  type: z.string().describe('Where this kind of problem is explained.'),
  title: z.string(),
  status: z.number().int(),
  detail: z.string().describe('What is wrong and what to do about it.'),
  code: z.string().describe('Stable; made for programs.'),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
})

/** Sentences may quote what strangers sent. What is cut off first is too far behind for its secrets to begin in what is shown. */
const MAX_MASKED_LENGTH = 20_000
const MAX_SENTENCE_LENGTH = 2000

function problemOf(error: AppError): { status: number; body: z.infer<typeof Problem> } {
  const body = {
    type: `/errors#${error.code}`,
    title: titleOf(error.code),
    status: error.status,
    detail: shown(error.message),
    code: error.code,
    ...(error.errors && {
      errors: error.errors
        .slice(0, MAX_INPUT_ERRORS)
        .map(({ path, message }) => ({ path: shown(path), message: shown(message) })),
    }),
  }
  return { status: error.status, body }
}

const shown = (text: string) => shortened(maskSecrets(shortened(text, MAX_MASKED_LENGTH)), MAX_SENTENCE_LENGTH)

export function sendProblem(reply: FastifyReply, error: AppError): FastifyReply {
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', error.retryAfterSeconds)
  const { status, body } = problemOf(error)
  return reply.code(status).type('application/problem+json').serializer(JSON.stringify).send(body)
}

export const wantedTypeOf = ({ routeOptions }: FastifyRequest) => routeOptions.config.wantedType ?? 'application/json'

/** Says it on the bare connection, where no answer can be made, and closes that. */
export function endWithProblem(socket: Socket, error: AppError): void {
  const { status, body } = problemOf(error)
  const text = JSON.stringify(body)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/problem+json',
    `content-length: ${Buffer.byteLength(text)}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`, () => socket.destroy())
}

/** The caller's answer. Everything that is not ours to explain is `internal`, and the log has the rest. */
export function toAppError(error: FastifyError, request: FastifyRequest): AppError {
  if (error instanceof AppError) return error
  if (isDiskFull(error)) return new AppError('disk-full', {}, { cause: error })
  if (isDatabaseAway(error)) return new AppError('database-away', {}, { cause: error, retryAfterSeconds: 5 })
  // Nobody is there to be answered; it is not our fault either, as `internal` would have it.
  if (error.code === 'ECONNRESET' && request.raw.readableAborted)
    return new AppError('request-malformed', { reason: 'it was cut off before its end.' }, { cause: error })
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new AppError('body-too-large', { limit_bytes: request.routeOptions.bodyLimit }, { cause: error })
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new AppError(
        'media-type-unsupported',
        {
          media_type: request.headers['content-type']?.split(';')[0] ?? 'a body without a type',
          wanted: wantedTypeOf(request),
        },
        { cause: error },
      )
    default:
      if (error.statusCode && error.statusCode >= 400 && error.statusCode < 500) {
        const reason = frameworkReasons[error.code] ?? 'it is not written as HTTP wants it.'
        return new AppError('request-malformed', { reason }, { cause: error })
      }
      return new AppError('internal', { request_id: request.id }, { cause: error })
  }
}

/** Of what fails before a route's own checks; the framework's words are for programmers. */
const frameworkReasons: Readonly<Record<string, string>> = {
  FST_ERR_BAD_URL: 'its address has a % without two hexadecimal digits behind it; write a % itself as %25.',
  FST_ERR_MAX_PARAM_LENGTH: 'a part of its address is too long; /docs says what each is.',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'its body is shorter or longer than Content-Length says; send it again.',
}
