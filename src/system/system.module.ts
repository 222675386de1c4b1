import { type Metrics } from '../observe/metrics.ts'
import { type DiskBudget } from '../storage/disk-budget.ts'
import { createSystemReport, type SystemReportDeps } from './system-report.ts'
import { addSystemMetrics } from './system-metrics.ts'
import { systemRoutes } from './system.routes.ts'
import { type UsageMeter } from '../supervise/usage-meter.ts'

export interface SystemDeps extends SystemReportDeps {
  readonly budget: DiskBudget
  readonly usage: UsageMeter
  readonly metrics: Metrics
}

/** The machine: what takes how much of it, and how much more fits. */
export function createSystem(deps: SystemDeps) {
  const { usage } = deps
  addSystemMetrics(deps)
  return {
    routes: [systemRoutes({ report: createSystemReport(deps) })],
    start: async () => usage.start(),
    stop: async () => usage.stop(),
  }
}
