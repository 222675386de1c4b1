import { type LogFn, pino, type Logger } from 'pino'
import { maskSecrets } from '../core/mask-secrets.ts'
import { createOutageLines } from './outage-lines.ts'

export type Log = Logger

export interface LogOptions {
  readonly level: string
  /** Where lines go; standard error unless a test wants to read them. */
  readonly write?: (line: string) => void
}

/**
 * JSON lines. Whatever is written is masked as a whole, so that no caller can let a secret slip through; and an outage is few
 * lines, whoever is hit by it.
 */
export function createLog({ level, write }: LogOptions): Log {
  const outages = createOutageLines(() => performance.now())

  function logMethod(this: Logger, args: Parameters<LogFn>, method: LogFn): void {
    const [fields, text] = args as [unknown, ...unknown[]]
    if (typeof text !== 'string' || !outages.isOutage(fields)) return method.apply(this, args)
    const shortened = outages.shorten(fields, text)
    if (shortened) method.apply(this, [shortened, text])
  }

  const options = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    hooks: { streamWrite: maskSecrets, logMethod },
  }
  return write ? pino(options, { write }) : pino(options, pino.destination({ fd: 2, sync: true }))
}
