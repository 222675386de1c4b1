/** Logs what was refused, at most `maxLines` in each `windowMs`; the rest is counted and told with the next line. */
export interface RefusalLog {
  note(fields: object, text: string): void
}

export function createRefusalLog(
  log: { info(fields: object, text: string): void },
  now: () => number,
  maxLines = 20,
  windowMs = 10_000,
): RefusalLog {
  let windowStartMs = now()
  let lines = 0
  let unsaid = 0
  return {
    note(fields, text) {
      if (now() - windowStartMs >= windowMs) {
        windowStartMs = now()
        lines = 0
      }
      if (lines >= maxLines) {
        unsaid++
        return
      }
      lines++
      log.info(unsaid > 0 ? { ...fields, unsaidBefore: unsaid } : fields, text)
      unsaid = 0
    },
  }
}
