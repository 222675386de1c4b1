import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'libsql'
import { type Fault } from '../fault.ts'

/** Another program takes the file for itself, as one does that copies it. */
const locked = (seconds: number, isShort?: true): Fault => ({
  name: `SQLite locked for ${seconds} s`,
  // Live video and detection go on, requests that read are answered; notifications wait until they can be kept.
  goals: { ready: 11_000, webhook: 8_000, MQTT: 8_000 },
  lasts: true,
  ...(isShort && { isShort }),
  async inject(load) {
    const database = new Sqlite(join(load.rig.installation.dataDir, 'aerie.db'))
    database.exec('pragma busy_timeout = 5000')
    database.exec('begin exclusive')
    await sleep(seconds * 1_000)
    database.exec('rollback')
    database.close()
  },
})

export const databaseFaults: readonly Fault[] = [locked(5, true), locked(20)]
