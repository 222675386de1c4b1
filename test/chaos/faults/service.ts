import { setTimeout as sleep } from 'node:timers/promises'
import { all, type Fault } from '../fault.ts'

const stopped = (seconds: number): Fault => ({
  name: `service SIGSTOP for ${seconds} s`,
  // That it stood still is said for ten seconds.
  goals: { ...all(3_000), ready: 13_000 },
  lasts: true,
  notReady: 'event loop',
  // Both of them go on.
  unseenSeconds: 2 * seconds,
  async inject(load) {
    const { pid } = load.rig.service.process
    process.kill(pid!, 'SIGSTOP')
    await sleep(seconds * 1_000)
    process.kill(pid!, 'SIGCONT')
  },
})

export const serviceFaults: readonly Fault[] = [
  stopped(5),
  stopped(20),
  {
    name: 'kill -9 of everything, and started again',
    // The start itself, then cameras and viewers come back to it.
    goals: { ...all(15_000), API: 8_000, ready: 8_000 },
    isKill: true,
    isShort: true,
    inject: (load) => load.restart(),
  },
]
