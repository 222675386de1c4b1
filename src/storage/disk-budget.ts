import { type Clock } from '../core/clock.ts'
import { createTurns } from '../core/turns.ts'
import { type Log } from '../observe/log.ts'
import { type Db } from './database.ts'
import { type DiskState } from './disk-shares.ts'
import { createDiskUsage } from './disk-usage.ts'
import { type JobKind } from './job-kind.ts'
import { type KeptFiles, type SpareFiles } from './kept-files.ts'
import { removeExcess } from './remove-excess.ts'

/** How much disk all that is kept may take, together, and who holds how much of it. */
export interface DiskBudget {
  /** Adds something that takes room, so that its bytes are counted. */
  count(kept: KeptFiles): void
  /** Adds what goes before anything is lost. */
  addSpare(spare: SpareFiles): void
  /** The one pass every few seconds, for all that is kept. */
  readonly job: JobKind
  /** Is called with how the disk stands after each pass of the job; undefined while there is more to remove. */
  onPass(handler: (state: DiskState | undefined) => void | Promise<void>): void
  state(): Promise<DiskState>
  /**
   * Removes what is too much of accounts that exceed their share, the least important and oldest first, as far as there is something
   * that may be removed. Undefined when that is more than one pass does.
   */
  trim(signal?: AbortSignal): Promise<DiskState | undefined>
}

export interface DiskBudgetDeps {
  readonly folder: string
  /** Undefined for a share of the disk. */
  readonly fixedBytes: number | undefined
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
}

/** In which recordings overrun the budget by what they bring. */
const PASS_EVERY_MS = 10_000

export function createDiskBudget({ folder, fixedBytes, db, clock, log }: DiskBudgetDeps): DiskBudget {
  const kinds: KeptFiles[] = []
  const spares: SpareFiles[] = []
  const handlers: Parameters<DiskBudget['onPass']>[0][] = []
  const usage = createDiskUsage({ folder, fixedBytes, kinds, db, clock })
  const turns = createTurns()

  /** Two passes at once would both remove what is too much. */
  const trim = (signal?: AbortSignal): Promise<DiskState | undefined> =>
    turns.take('pass', async () => removeExcess(await measureWithoutSpares(), { kinds, log, signal }))

  async function measureWithoutSpares(): Promise<DiskState> {
    let state = await usage.measure()
    for (const spare of spares) {
      if (state.leftBytes >= 0) break
      await spare.drop(-state.leftBytes)
      state = await usage.measure()
    }
    return state
  }

  return {
    count: (kept) => void kinds.push(kept),
    addSpare: (spare) => void spares.push(spare),
    state: () => usage.measureRecent(),
    trim,
    onPass: (handler) => void handlers.push(handler),
    job: {
      kind: 'disk-budget',
      everyMs: PASS_EVERY_MS,
      runsOnFullDisk: true,
      async handle(_job, signal) {
        const state = await trim(signal)
        // One that fails keeps the others from nothing; the job says so then.
        const outcomes = await Promise.allSettled(handlers.map(async (handler) => handler(state)))
        for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
      },
    },
  }
}
