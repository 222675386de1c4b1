import { setTimeout as sleep } from 'node:timers/promises'
import { type Fault, type Goals } from '../fault.ts'
import { SIGNALS } from '../load.ts'

const all = (goalMs: number): Goals => Object.fromEntries(SIGNALS.map((name) => [name, goalMs]))

/** Far more than the machine can look at. */
const crowd = (count: number): Fault => ({
  name: `${count} more processes started at once, and stopped 20 s later`,
  goals: all(6_000),
  lasts: true,
  async inject({ rig, sources }) {
    const starts = await Promise.allSettled(Array.from({ length: count }, () => rig.start(sources.gate)))
    await sleep(20_000)
    for (const start of starts)
      if (start.status === 'fulfilled') await rig.ask('DELETE', `/process/${start.value.process_uuid}`)
  },
})

export const overloadFaults: readonly Fault[] = [crowd(12), crowd(24)]
