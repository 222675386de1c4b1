import { pino, type Logger } from 'pino'
import { maskSecrets } from '../core/mask-secrets.ts'

export type Log = Logger

export interface LogOptions {
  readonly level: string
  /** Where lines go; standard error unless a test wants to read them. */
  readonly write?: (line: string) => void
}

/** JSON lines. Whatever is written is masked as a whole, so that no caller can let a secret slip through. */
export function createLog({ level, write }: LogOptions): Log {
  const options = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    hooks: { streamWrite: maskSecrets },
  }
  return write ? pino(options, { write }) : pino(options, pino.destination({ fd: 2, sync: true }))
}
