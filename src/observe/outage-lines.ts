import { isDatabaseAway, isDiskFull } from '../core/outages.ts'

/**
 * While the database is away or a disk is full, everything that needs it fails again and again, and where in the code that
 * was found helps nobody: each text then comes once a minute, with a reason in the place of the stack.
 */
export interface OutageLines {
  isOutage(fields: unknown): fields is OutageFields
  /** The fields to log; undefined where it is not to be logged again. */
  shorten(fields: OutageFields, text: string): object | undefined
}

export interface OutageFields {
  readonly err: Error
}

const EVERY_MS = 60_000

export function createOutageLines(now: () => number): OutageLines {
  /** By text, of which there are as many as in the code. */
  const lines = new Map<string, { readonly loggedAtMs: number; suppressed: number }>()

  return {
    isOutage(fields): fields is OutageFields {
      if (typeof fields !== 'object' || fields === null || !('err' in fields)) return false
      return isDatabaseAway(fields.err) || isDiskFull(fields.err)
    },
    shorten({ err, ...fields }, text) {
      const last = lines.get(text)
      if (last && now() - last.loggedAtMs < EVERY_MS) {
        last.suppressed += 1
        return undefined
      }
      lines.set(text, { loggedAtMs: now(), suppressed: 0 })
      return { ...fields, reason: err.message, ...(last && last.suppressed > 0 && { suppressed: last.suppressed }) }
    },
  }
}
