import { type Clock } from '../core/clock.ts'
import { type Capacity } from './capacity.ts'
import { type Supervisor } from './supervisor.ts'

/** Has the workers leave undone what nobody would miss, for as long as the machine is short of time. */
export interface Crowding {
  start(): void
  stop(): void
}

export interface CrowdingDeps {
  readonly capacity: Pick<Capacity, 'cores' | 'freeCores' | 'sparedCores'>
  readonly processes: Pick<Supervisor, 'listLiveIds' | 'send'>
  readonly clock: Pick<Clock, 'sleep'>
}

/** As often as the machine's use is measured. */
const LOOK_EVERY_MS = 3_000
/** So much of the machine must be left with everything done again, lest it be short of time at once. */
const RELIEF_SHARE = 0.15
/** One look sees a moment: so many after each other must agree that the machine is short of time, or no longer. */
const LOOKS_TO_AGREE = { crowded: 2, relieved: 5 }

export function createCrowding({ capacity, processes, clock }: CrowdingDeps): Crowding {
  const stopping = new AbortController()
  const { signal } = stopping
  let isCrowded = false
  /** How many of the last looks said otherwise. */
  let looksAgainst = 0
  /** Those that know it: every process begins without. */
  const crowdedIds = new Set<string>()

  function look(): void {
    const { cores, freeCores, sparedCores } = capacity
    const isOtherwise = isCrowded ? freeCores - sparedCores >= RELIEF_SHARE * cores : freeCores < 0
    looksAgainst = isOtherwise ? looksAgainst + 1 : 0
    if (looksAgainst >= (isCrowded ? LOOKS_TO_AGREE.relieved : LOOKS_TO_AGREE.crowded)) {
      isCrowded = !isCrowded
      looksAgainst = 0
    }
    const liveIds = processes.listLiveIds()
    for (const id of crowdedIds) if (!liveIds.includes(id)) crowdedIds.delete(id)
    for (const processId of liveIds) {
      if (crowdedIds.has(processId) === isCrowded) continue
      if (isCrowded) crowdedIds.add(processId)
      else crowdedIds.delete(processId)
      processes.send(processId, { type: 'crowded', isCrowded })
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      look()
      await clock.sleep(LOOK_EVERY_MS, signal)
    }
  }

  return { start: () => void run(), stop: () => stopping.abort() }
}
