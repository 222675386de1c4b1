import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { lockSqlite } from '../../support/sqlite-lock.ts'
import { type Fault } from '../fault.ts'

/** Another program takes the file for itself, as one does that copies it. */
const locked = (seconds: number, rest: Partial<Fault>): Fault => ({
  name: `SQLite locked for ${seconds} s`,
  // Live video and detection go on, requests that read are answered; notifications wait until they can be kept.
  // That it failed is said for ten seconds, and what waited last may fail a moment after the lock is gone.
  goals: { ready: 14_000, webhook: 8_000, MQTT: 8_000 },
  lasts: true,
  ...rest,
  async inject(load) {
    const lock = await lockSqlite(join(load.rig.installation.dataDir, 'aerie.db'))
    try {
      await sleep(seconds * 1_000)
    } finally {
      lock.release()
    }
  },
})

export const databaseFaults: readonly Fault[] = [locked(5, { isShort: true }), locked(20, { notReady: 'database' })]
