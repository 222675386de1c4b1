import { type AppError } from '../core/errors.ts'
import { type Log } from '../observe/log.ts'
import { createRefusalLog } from '../observe/refusal-log.ts'

/** Logs a request that was answered by 5xx, or found the disk full. `error` is what was thrown, `answered` what the client got. */
export type LogFailure = (error: unknown, answered: AppError, requestId: string) => void

/**
 * Where there is just no room now, which is what a time to come again says, nothing failed: anybody can have that answer
 * as often as they ask, so it is a warning without a stack, and few of them.
 */
export function createFailureLog(log: Pick<Log, 'warn' | 'error'>, now: () => number): LogFailure {
  const refusals = createRefusalLog({ info: (fields, text) => log.warn(fields, text) }, now)
  return (error, answered, requestId) => {
    const isFull = answered.retryAfterSeconds !== undefined || answered.code === 'disk-full'
    if (!isFull) log.error({ err: error, request_id: requestId }, 'request failed')
    else refusals.note({ request_id: requestId, code: answered.code }, `request refused: ${answered.message}`)
  }
}
