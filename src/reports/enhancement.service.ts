import { type Account } from '../core/account.ts'
import { type Clock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { type EnhancementDraftStore } from './enhancement-drafts.store.ts'
import { type BeginOutcome, ENHANCEMENT_JOB, type EnhancementRunStore } from './enhancement-runs.store.ts'
import { type EnhancementWorker, WorkerDied, WorkerUnusable } from './enhancement-worker.ts'
import { type Enhancement, type Report } from './report.ts'

export interface EnhancementServiceDeps {
  readonly runs: Pick<EnhancementRunStore, 'begin' | 'check'>
  readonly drafts: Pick<EnhancementDraftStore, 'progress'>
  /** Throws when the account has no such report. */
  readonly findReport: (account: Account, processId: string) => Promise<Report>
  readonly worker: Pick<EnhancementWorker, 'start'>
  readonly wakeJobs: (kind: string) => void
  readonly clock: Clock
}

export interface EnhancementProgress extends Enhancement {
  readonly done: number
  readonly total: number
}

export type EnhancementService = ReturnType<typeof createEnhancementService>

export function createEnhancementService({
  runs,
  drafts,
  findReport,
  worker,
  wakeJobs,
  clock,
}: EnhancementServiceDeps) {
  async function checkWorker(): Promise<void> {
    try {
      await worker.start()
    } catch (error) {
      if (error instanceof WorkerUnusable || error instanceof WorkerDied)
        throw new AppError('enhancement-unavailable', { reason: error.message }, { cause: error })
      throw error
    }
  }

  return {
    /** Does nothing when it runs, or has been done; `isAgain` redoes it. */
    async start(account: Account, processId: string, isAgain: boolean): Promise<void> {
      const report = await findReport(account, processId)
      if (!account.features.enhancement) throw new AppError('enhancement-disabled')
      if (report.isLive) throw new AppError('process-not-ended', { process_uuid: processId, state: report.state })
      // An account that may not is refused before a worker is started for it.
      if (!isAllowed(account, await runs.check(account, processId, isAgain))) return

      await checkWorker()
      const run = { processId, startedAt: clock.now() }
      if (isAllowed(account, await runs.begin(account, run, isAgain))) wakeJobs(ENHANCEMENT_JOB)
    },

    async status(account: Account, processId: string): Promise<EnhancementProgress> {
      const { enhancement } = await findReport(account, processId)
      if (!enhancement) throw new AppError('enhancement-not-found', { process_uuid: processId })
      return { ...enhancement, ...(await drafts.progress(processId, enhancement.status === 'RUNNING')) }
    },
  }
}

/** False when there is nothing to do. Throws when there is, but this account may not. */
function isAllowed({ limits }: Account, outcome: BeginOutcome): boolean {
  if (outcome === 'process-limit-reached') throw new AppError(outcome, { limit: limits.maxProcesses })
  if (outcome === 'usage-limit-reached') throw new AppError(outcome)
  return outcome === 'begun'
}
