import { type PermissionViolationError } from '@nats-io/nats-core'
import { type Log } from '../observe/log.ts'
import { familyOf } from './subjects.ts'

/** Logs what NATS does not let us do: of each right that is missing one line in a minute, however often it is missed. */
export interface PermissionLog {
  onViolation(violation: Pick<PermissionViolationError, 'operation' | 'subject'>): void
}

const LINE_EVERY_MS = 60_000
/** Inboxes have a subject of their own for each connection. */
const MAX_RIGHTS = 100

export function createPermissionLog(log: Pick<Log, 'error'>, now: () => number): PermissionLog {
  const rights = new Map<string, { loggedAtMs: number; suppressed: number }>()

  return {
    onViolation({ operation, subject }) {
      const family = familyOf(subject)
      const key = `${operation} ${family}`
      const known = rights.get(key)
      if (known && now() - known.loggedAtMs < LINE_EVERY_MS) return void (known.suppressed += 1)
      if (!known && rights.size >= MAX_RIGHTS) return
      rights.set(key, { loggedAtMs: now(), suppressed: 0 })
      log.error(
        { subject, ...(known && known.suppressed > 0 && { suppressed: known.suppressed }) },
        `NATS does not let this node ${operation === 'publish' ? 'publish' : 'subscribe'} to ${family}; give its user the right to (docs/nats.md)`,
      )
    },
  }
}
