import { isLive } from '../core/process-facts.ts'
import { type TelemetryCfg } from '../core/telemetry-cfg.ts'
import { type LastSeen } from '../core/last-seen.ts'
import { type TelemetryStatus } from '../core/telemetry-status.ts'
import { type LiveProcess } from './live-process.ts'
import { problemOf, type ProcessProblem } from './process-problem.ts'
import { type ProcessSources } from './process-source.ts'
import { type Process } from './process.ts'

/** How it goes with a process now: how old what it has is, and what is wrong. */
export interface ProcessHealth {
  readonly lastFrameAtMs: number | null
  /** Null before the first picture, and of a process that has ended: none is missed. */
  readonly lastFrameAgeMs: number | null
  readonly lastTelemetry: LastSeen | null
  /** What is wrong with it while the process runs; null when nothing is. */
  readonly telemetryError: string | null
  /** Its source was given other telemetry since it began. */
  readonly hasOldTelemetry: boolean
  readonly problem: ProcessProblem | null
}

export interface ProcessHealthDeps {
  readonly findLive: (processId: string) => Pick<LiveProcess, 'vitals'> | undefined
  readonly telemetry: {
    statusOf(processId: string): TelemetryStatus | null
    cfgOf(processId: string): TelemetryCfg | null
  }
  readonly sources: Pick<ProcessSources, 'hasTelemetry' | 'streamProblemOf'>
}

export type HealthOf = (process: Process) => ProcessHealth

export function createHealthOf({ findLive, telemetry, sources }: ProcessHealthDeps): HealthOf {
  return (process) => {
    const vitals = isLive(process.state) ? findLive(process.id)?.vitals() : undefined
    const status = vitals ? telemetry.statusOf(process.id) : null
    const lastFrameAgeMs = vitals?.lastFrame?.ageMs ?? null
    const outputError = vitals?.outputError ?? null
    const hasOldTelemetry = vitals !== undefined && !sources.hasTelemetry(process.sourceId, telemetry.cfgOf(process.id))
    const streamProblem = process.state === 'waiting' ? sources.streamProblemOf(process.sourceId) : null
    return {
      lastFrameAtMs: vitals?.lastFrame?.atMs ?? process.stats?.lastFrameAtMs ?? null,
      lastFrameAgeMs,
      lastTelemetry: status?.last ?? null,
      telemetryError: process.state === 'running' ? (status?.error ?? null) : null,
      hasOldTelemetry,
      problem: problemOf({
        process,
        streamProblem,
        lastFrameAgeMs,
        lossShare: process.stats?.lossShare ?? 0,
        hasOldTelemetry,
        telemetry: status,
        outputError,
      }),
    }
  }
}
