import { type Bus } from '../core/bus.ts'
import { type Clock } from '../core/clock.ts'
import { type AppEvents } from '../core/events.ts'
import { type JobKind } from '../storage/job-kind.ts'

export const KEY_REVOKED = 'key-revoked'

export interface PurgedAccounts {
  markPurged(accountId: string, now: number): Promise<void>
}

/**
 * Notifies the features that a key lost its rights. A job, since a crash must not lose it and since `aerie keys revoke`
 * revokes in another process than the one that runs things for the key.
 */
export function keyRevoked(bus: Bus<AppEvents>, store: PurgedAccounts, clock: Clock): JobKind {
  return {
    kind: KEY_REVOKED,
    async handle(job) {
      const event = job.payload as AppEvents['key-revoked']
      await bus.deliver('key-revoked', event)
      if (!event.purge) return
      await store.markPurged(event.accountId, clock.now())
      bus.emit('key-purged', { accountId: event.accountId, username: event.username })
    },
  }
}
