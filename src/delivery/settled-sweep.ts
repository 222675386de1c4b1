import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Clock } from '../core/clock.ts'
import { type EntryStore } from './entries.store.ts'

/** Removes what was settled longer ago, or is more of a channel, than is listed. */
export interface SettledSweep {
  /** Something in this channel was delivered or given up. */
  onSettled(channel: string): void
  /** What fails is tried again at the next run. */
  run(): Promise<void>
}

const DAY_MS = 86_400_000
/** What is settled stays listed for this long, and of each channel only so many. */
const KEEP_MS = 7 * DAY_MS
const KEEP = { delivered: 100, dead: 1_000, dropped: 100 } as const

export function createSettledSweep(
  entries: Pick<EntryStore, 'trim' | 'removeSettledBefore' | 'settledChannels'>,
  clock: Pick<Clock, 'now'>,
): SettledSweep {
  /** Channels that were not trimmed since something was settled in them. */
  const untrimmed = new Set<string>()
  let hasListed = false

  /** Those in which something was settled before the service started. */
  async function addEarlier(): Promise<void> {
    for (const channel of await entries.settledChannels()) untrimmed.add(channel)
    hasListed = true
  }

  async function trim(channel: string): Promise<void> {
    // Before the trim, which may miss what is settled meanwhile.
    untrimmed.delete(channel)
    try {
      await entries.trim(channel, KEEP)
    } catch (error) {
      untrimmed.add(channel)
      throw error
    }
  }

  return {
    onSettled: (channel) => void untrimmed.add(channel),
    async run() {
      if (!hasListed) await addEarlier()
      for (const channel of [...untrimmed]) {
        await trim(channel)
        // SQLite never waits by itself; others want their turn.
        await nextTurn()
      }
      await entries.removeSettledBefore(clock.now() - KEEP_MS)
    },
  }
}
