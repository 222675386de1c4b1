import { appendFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Fault } from '../fault.ts'

const MB = 2 ** 20

/** Something else fills the disk, to the last byte. */
const full = (seconds: number): Fault => ({
  name: `disk full for ${seconds} s`,
  needs: 'a disk of its own, which only root can mount',
  // Detection and what is live go on; what must be kept waits for room.
  goals: { recording: 40_000, ready: 12_000, webhook: 15_000, MQTT: 15_000 },
  lasts: true,
  notReady: 'disk',
  async inject(load) {
    const filler = join(load.rig.installation.dataDir, 'filler')
    for (let bytes = MB; bytes >= 1; bytes = Math.floor(bytes / 2))
      try {
        for (;;) await appendFile(filler, Buffer.alloc(bytes))
      } catch {
        // As much as there was room for.
      }
    await sleep(seconds * 1_000)
    await rm(filler)
  },
})

export const diskFaults: readonly Fault[] = [full(20)]
