import { type Socket } from 'node:net'
import { AppError, type ErrorCode } from '../core/errors.ts'
import { endWithProblem } from './problem.ts'

/** Answers on the bare connection what could not be read as HTTP, and closes it. */
export function answerMalformed(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const code = malformedCodes[error.code ?? ''] ?? 'request-malformed'
  endWithProblem(socket, new AppError(code, { reason: 'this is not HTTP.' }))
}

const malformedCodes: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'header-too-large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request-timeout',
}
