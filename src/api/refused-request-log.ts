import { type Clock } from '../core/clock.ts'
import { type Log } from '../observe/log.ts'

/**
 * Keeps strangers from filling the log: of what each address was refused, the first lines of a minute are written, and the
 * rest is counted and said once when the minute is over.
 */
export interface RefusedRequestLog {
  /** Whether what this address was refused gets a line of its own. */
  takesLine(address: string): boolean
  close(): void
}

export interface RefusedRequestLimits {
  readonly linesPerAddress: number
  /** Of all addresses together, since somebody may have many. */
  readonly lines: number
}

const WINDOW_MS = 60_000
/** Named in the line that says what was left out, those with most first. */
const MAX_NAMED = 10
/** A caller with more addresses than that is not distinguished by them. */
const MAX_ADDRESSES = 10_000

export function createRefusedRequestLog(
  log: Pick<Log, 'warn'>,
  clock: Pick<Clock, 'sleep'>,
  limits: RefusedRequestLimits = { linesPerAddress: 60, lines: 600 },
): RefusedRequestLog {
  const closing = new AbortController()
  const refused = new Map<string, number>()
  const leftOut = new Map<string, number>()
  let lines = 0

  async function openWindow(): Promise<void> {
    await clock.sleep(WINDOW_MS, closing.signal)
    const requests = [...leftOut.values()].reduce((sum, count) => sum + count, 0)
    const named = [...leftOut].sort(([, a], [, b]) => b - a).slice(0, MAX_NAMED)
    if (requests > 0)
      log.warn(
        { requests, addresses: Object.fromEntries(named) },
        'so many requests of the last minute that were refused or cut off have no line of their own, most of them from these addresses',
      )
    refused.clear()
    leftOut.clear()
    lines = 0
  }

  return {
    takesLine(address) {
      if (refused.size === 0) void openWindow()
      const known = refused.has(address) || refused.size < MAX_ADDRESSES ? address : 'others'
      const count = (refused.get(known) ?? 0) + 1
      refused.set(known, count)
      if (count <= limits.linesPerAddress && lines < limits.lines) {
        lines++
        return true
      }
      leftOut.set(known, (leftOut.get(known) ?? 0) + 1)
      return false
    },
    close: () => closing.abort(),
  }
}
