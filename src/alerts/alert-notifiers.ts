import { type ProcessRef } from '../core/process-facts.ts'
import { type AlertNotifier, type AlertNotifierDeps, createAlertNotifier } from './alert-notifier.ts'
import { type Progress } from './progress.ts'
import { createSendBudget } from './send-budget.ts'

/** The notifiers of all alerts at all processes. One outlives a change of its alert, so that numbers and order go on. */
export interface AlertNotifiers {
  /** Made when it is first asked for. */
  of(process: ProcessRef, alertId: string): AlertNotifier
  /** Before processes come back: what went on when the service crashed is over, ahead of anything new. */
  restore(alertId: string, progress: Progress): void
  /** The process has come back: what was restored of it belongs to it. */
  claim(processId: string): void
  /** After processes have come back. Resolves when all is on disk that was restored of those that did not. */
  flushUnclaimed(): Promise<void>
  /** Once this has resolved, nothing more of the alert is handed over. */
  discard(processId: string, alertId: string): Promise<void>
  /** The process has ended. Resolves when its last notifications are on disk. */
  release(processId: string): Promise<void>
  /** The process goes on elsewhere. Resolves when all of it is on disk, and rejects when it can't be. */
  handOver(processId: string): Promise<void>
  closeAll(): Promise<void>
}

export type AlertNotifiersDeps = Omit<AlertNotifierDeps, 'budget' | 'progressBudget'>

export function createAlertNotifiers(deps: AlertNotifiersDeps): AlertNotifiers {
  const budgets = { budget: createSendBudget(deps.clock), progressBudget: createSendBudget(deps.clock) }
  /** By process, then by alert. */
  const byProcess = new Map<string, Map<string, AlertNotifier>>()
  /** Processes of which something was restored, and that have not come back. */
  const unclaimed = new Set<string>()
  /** Of processes that have ended and whose last notifications are not on disk yet. */
  const leaving = new Set<AlertNotifier>()

  function notifierOf(process: ProcessRef, alertId: string): AlertNotifier {
    const own = byProcess.get(process.processId) ?? new Map<string, AlertNotifier>()
    byProcess.set(process.processId, own)
    const notifier = own.get(alertId) ?? createAlertNotifier(alertId, process, { ...deps, ...budgets })
    own.set(alertId, notifier)
    return notifier
  }

  async function release(processId: string): Promise<void> {
    const own = [...(byProcess.get(processId)?.values() ?? [])]
    byProcess.delete(processId)
    await Promise.all(
      own.map(async (notifier) => {
        leaving.add(notifier)
        await notifier.flush()
        leaving.delete(notifier)
      }),
    )
  }

  return {
    of: notifierOf,
    restore(alertId, progress) {
      const { processId } = progress.process
      // It was restored before what came after it failed.
      if (byProcess.get(processId)?.has(alertId)) return
      unclaimed.add(processId)
      notifierOf(progress.process, alertId).restore(progress)
    },
    claim: (processId) => void unclaimed.delete(processId),
    async flushUnclaimed() {
      const left = [...unclaimed]
      unclaimed.clear()
      await Promise.all(left.map(release))
    },
    async discard(processId, alertId) {
      await byProcess.get(processId)?.get(alertId)?.discard()
      byProcess.get(processId)?.delete(alertId)
    },
    release,
    async handOver(processId) {
      const own = [...(byProcess.get(processId)?.values() ?? [])]
      byProcess.delete(processId)
      for (const notifier of own) await notifier.handOver()
    },
    async closeAll() {
      const all = [...leaving, ...[...byProcess.values()].flatMap((own) => [...own.values()])]
      await Promise.all(all.map((notifier) => notifier.close()))
    },
  }
}
