import { shortened } from '../core/sentences.ts'
import { createLineLimit } from '../observe/line-limit.ts'

/** Says which name was asked for in vain, once: a forgotten one of the operator's own, or somebody who tries. */
export type UnknownHostLog = (name: string) => void

const HOUR_MS = 3_600_000
const MAX_LINES_PER_HOUR = 20
/** A client that makes up names fills neither the memory nor the log; after so many, no further one is logged. */
const MAX_NAMES = 1_000
/** The longest that DNS knows. */
const MAX_NAME_LENGTH = 253

export function createUnknownHostLog(
  log: { warn(fields: object, text: string): void },
  now: () => number,
): UnknownHostLog {
  const warned = new Set<string>()
  const limit = createLineLimit(now, MAX_LINES_PER_HOUR, HOUR_MS)
  return (name) => {
    const host = shortened(name, MAX_NAME_LENGTH)
    if (warned.size >= MAX_NAMES || warned.has(host) || !limit.take()) return
    warned.add(host)
    log.warn(
      { host },
      'a request for this name was refused (421): if people reach the service by it, list it in AERIE_HOSTS',
    )
  }
}
