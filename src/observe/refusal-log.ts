import { createLineLimit } from './line-limit.ts'

/** Logs what was refused, at most `maxLines` in each `windowMs`; the rest is counted and logged with the next line. */
export interface RefusalLog {
  note(fields: object, text: string): void
}

export function createRefusalLog(
  log: { info(fields: object, text: string): void },
  now: () => number,
  maxLines = 20,
  windowMs = 10_000,
): RefusalLog {
  const limit = createLineLimit(now, maxLines, windowMs)
  let suppressed = 0
  return {
    note(fields, text) {
      if (!limit.take()) {
        suppressed++
        return
      }
      log.info(suppressed > 0 ? { ...fields, suppressed } : fields, text)
      suppressed = 0
    },
  }
}
