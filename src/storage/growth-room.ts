import { type Clock } from '../core/clock.ts'
import { type Log } from '../observe/log.ts'
import { type DiskBudget } from './disk-budget.ts'
import { type DiskState, mayGrow } from './disk-shares.ts'

/** Whether more of an account may be written, for what does without where there is no room. */
export interface GrowthRoom {
  /** As it was a moment ago. That there is none is logged once, until there is some again. */
  hasRoom(accountId: string): Promise<boolean>
}

export interface GrowthRoomDeps {
  readonly budget: Pick<DiskBudget, 'state'>
  /** What is logged. */
  readonly sentence: string
  readonly clock: Clock
  readonly log: Log
}

/** Counting what is kept takes a while. */
const LOOK_EVERY_MS = 10_000

export function createGrowthRoom({ budget, sentence, clock, log }: GrowthRoomDeps): GrowthRoom {
  const withoutRoom = new Set<string>()
  let latest: { readonly state: DiskState; readonly at: number } | undefined

  async function look(): Promise<DiskState> {
    if (!latest || clock.steady() - latest.at >= LOOK_EVERY_MS)
      latest = { at: clock.steady(), state: await budget.state() }
    return latest.state
  }

  return {
    async hasRoom(accountId) {
      if (mayGrow(await look(), accountId)) {
        withoutRoom.delete(accountId)
        return true
      }
      if (!withoutRoom.has(accountId)) log.warn({ account: accountId }, sentence)
      withoutRoom.add(accountId)
      return false
    },
  }
}
