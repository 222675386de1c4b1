import { type Account } from '../core/account.ts'
import { type Clock } from '../core/clock.ts'
import { type AppError } from '../core/errors.ts'
import { type PathHolder, pathInUse } from '../core/refusals.ts'
import { type OutputStore } from './outputs.store.ts'

/** Paths of our media server that outputs publish to: each is one publisher's at a time. */
export interface OutputPaths {
  /** Throws when something else publishes there, or is registered for it. */
  checkFree(account: Account, path: string): Promise<void>
  /** Says what has the path. */
  refusal(account: Account, path: string): Promise<AppError>
  /** Says which other output has the path. */
  refusalByOutput(account: Account, path: string): Promise<AppError>
  /** The worker's connection ends a moment after the command to it; the next attachment shall find the path free. */
  untilFree(path: string): Promise<void>
}

export interface OutputPathsDeps {
  readonly store: Pick<OutputStore, 'findAtPath'>
  readonly paths: {
    /** The publisher there, or the source that is registered for it. */
    holderOf(path: string): Promise<PathHolder | undefined>
  }
  readonly clock: Pick<Clock, 'steady' | 'sleep'>
}

const FREE_TIMEOUT_MS = 2_000
const LOOK_EVERY_MS = 20

export function createOutputPaths({ store, paths, clock }: OutputPathsDeps): OutputPaths {
  return {
    async checkFree(account, path) {
      const holder = await paths.holderOf(path)
      if (holder) throw pathInUse(account, path, holder)
    },
    async refusal(account, path) {
      return pathInUse(account, path, await paths.holderOf(path))
    },
    async refusalByOutput(account, path) {
      const output = await store.findAtPath(path)
      return pathInUse(account, path, output && { kind: 'output', accountId: output.accountId, alias: output.alias })
    },
    async untilFree(path) {
      const deadlineMs = clock.steady() + FREE_TIMEOUT_MS
      while ((await paths.holderOf(path)) && clock.steady() < deadlineMs) await clock.sleep(LOOK_EVERY_MS)
    },
  }
}
