import { type AppError, type ErrorCode } from '../core/errors.ts'
import { type Log } from '../observe/log.ts'
import { createRefusalLog } from '../observe/refusal-log.ts'

/**
 * Logs a request that was answered by 5xx, or found the disk full. `error` is what was thrown, `answered` what the client got, unless it `hasLeft`:
 * then what was still being made for it is aborted, and nothing failed.
 */
export type LogFailure = (error: unknown, answered: AppError, requestId: string, hasLeft: boolean) => void

/** What a camera sends, or somebody else's files on the disk, is no failure of ours: where in the code it was found helps nobody. */
const NOT_OURS: ReadonlySet<ErrorCode> = new Set([
  'disk-full',
  'source-unreadable',
  'stream-not-watchable',
  'shutting-down',
])

/**
 * Where there is just no room now, which is what a time to come again says, nothing failed: anybody can have that answer
 * as often as they ask, so it is a warning without a stack, and few of them.
 */
export function createFailureLog(log: Pick<Log, 'warn' | 'error'>, now: () => number): LogFailure {
  const refusals = createRefusalLog({ info: (fields, text) => log.warn(fields, text) }, now)
  return (error, answered, requestId, hasLeft) => {
    if (hasLeft && (error as Partial<Error> | null)?.name === 'AbortError') return
    // Whoever asks now is answered so; that the database is away is logged once.
    if (answered.code === 'database-away') return
    const isOurs = answered.retryAfterSeconds === undefined && !NOT_OURS.has(answered.code)
    if (isOurs) log.error({ err: error, request_id: requestId }, 'request failed')
    else refusals.note({ request_id: requestId, code: answered.code }, `request refused: ${answered.message}`)
  }
}
