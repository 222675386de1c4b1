import { type Bus } from '../core/bus.ts'
import { type AppEvents } from '../core/events.ts'
import { type JobKind } from '../storage/job-runner.ts'

export const KEY_REVOKED = 'key-revoked'

/**
 * Tells the features that a key lost its rights. A job, since a crash must not lose it and since `aerie keys revoke`
 * revokes in another process than the one that runs things for the key.
 */
export function keyRevoked(bus: Bus<AppEvents>): JobKind {
  return { kind: KEY_REVOKED, handle: (job) => bus.deliver('key-revoked', job.payload as AppEvents['key-revoked']) }
}
