import { type LastSeen } from '../core/last-seen.ts'
import { isLive } from '../core/process-states.ts'
import { type TelemetryStatus } from '../core/telemetry-status.ts'
import { type LiveProcess } from './live-process.ts'
import { type Process } from './process.ts'
import { problemOf, type ProcessProblem } from './process-problem.ts'

/** How it goes with a process now: how old what it has is, and what is wrong. */
export interface ProcessHealth {
  readonly lastFrameAtMs: number | null
  /** Null before the first picture, and of a process that has ended: none is missed. */
  readonly lastFrameAgeMs: number | null
  readonly lastTelemetry: LastSeen | null
  readonly problem: ProcessProblem | null
}

export interface ProcessHealthDeps {
  readonly findLive: (processId: string) => Pick<LiveProcess, 'vitals'> | undefined
  readonly telemetry: { statusOf(processId: string): TelemetryStatus | null }
}

export type HealthOf = (process: Process) => ProcessHealth

export function createHealthOf({ findLive, telemetry }: ProcessHealthDeps): HealthOf {
  return (process) => {
    const vitals = isLive(process.state) ? findLive(process.id)?.vitals() : undefined
    const status = vitals ? telemetry.statusOf(process.id) : null
    const lastFrameAgeMs = vitals?.lastFrame?.ageMs ?? null
    return {
      lastFrameAtMs: vitals?.lastFrame?.atMs ?? process.stats?.lastFrameAtMs ?? null,
      lastFrameAgeMs,
      lastTelemetry: status?.last ?? null,
      problem: problemOf({ process, lastFrameAgeMs, telemetry: status, outputError: vitals?.outputError ?? null }),
    }
  }
}
