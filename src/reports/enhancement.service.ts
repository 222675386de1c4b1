import { type Clock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { type Account } from '../core/words.ts'
import { ENHANCEMENT_JOB, type EnhancementStore } from './enhancement.store.ts'
import { type Enhancer, EnhancerDied, EnhancerUnusable } from './enhancer.ts'
import { type Enhancement, type Report } from './report.ts'

export interface EnhancementServiceDeps {
  readonly store: Pick<EnhancementStore, 'begin' | 'progress'>
  /** Throws when the account has no such report. */
  readonly findReport: (account: Account, processId: string) => Promise<Report>
  readonly enhancer: Pick<Enhancer, 'start'>
  readonly wakeJobs: (kind: string) => void
  readonly clock: Clock
}

export interface EnhancementProgress extends Enhancement {
  readonly done: number
  readonly total: number
}

export type EnhancementService = ReturnType<typeof createEnhancementService>

export function createEnhancementService({ store, findReport, enhancer, wakeJobs, clock }: EnhancementServiceDeps) {
  async function checkWorker(): Promise<void> {
    try {
      await enhancer.start()
    } catch (error) {
      if (error instanceof EnhancerUnusable || error instanceof EnhancerDied)
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
      const status = report.enhancement?.status
      if (status === 'RUNNING' || (status === 'FINISHED' && !isAgain)) return

      await checkWorker()
      const outcome = await store.begin(account, { processId, startedAt: clock.now() }, isAgain)
      if (outcome === 'process-limit-reached') throw new AppError(outcome, { limit: account.limits.maxProcesses })
      if (outcome === 'usage-limit-reached') throw new AppError(outcome)
      wakeJobs(ENHANCEMENT_JOB)
    },

    async status(account: Account, processId: string): Promise<EnhancementProgress> {
      const { enhancement } = await findReport(account, processId)
      if (!enhancement) throw new AppError('enhancement-not-found', { process_uuid: processId })
      return { ...enhancement, ...(await store.progress(processId)) }
    },
  }
}
