import { type Clock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { type ReceivedTelemetry } from '../core/received-telemetry.ts'
import { type TelemetryCfg } from '../core/telemetry-cfg.ts'
import { type TelemetryStatus } from '../core/telemetry-status.ts'
import { type TelemetryPlan, type TelemetrySample } from '../core/telemetry.ts'
import { maxAgeOf } from './max-age.ts'
import { staticTelemetry } from './static-telemetry.ts'
import { openTelemetrySession, type TelemetrySession, type TelemetrySessionDeps } from './telemetry-session.ts'

export interface TelemetryDeps extends Pick<TelemetrySessionDeps, 'geoidHeightM' | 'extraLenses'> {
  /** The address to connect to for this account; rejects when it may not be called. */
  readonly dial: (accountId: string, hostname: string, port: number) => Promise<string>
  readonly clock: Clock
}

/** The process that telemetry is for. */
export interface TelemetrySubject {
  readonly processId: string
  readonly accountId: string
  /** Of its source. */
  readonly cfg: TelemetryCfg | null
  readonly onSample: (sample: TelemetrySample) => void
}

export interface TelemetryService {
  /** A process starts; null when its source has no telemetry. */
  begin(subject: TelemetrySubject): TelemetryPlan | null
  end(processId: string): Promise<void>
  cfgOf(processId: string): TelemetryCfg | null
  statusOf(processId: string): TelemetryStatus | null
  latestOf(processId: string): ReceivedTelemetry | null
  /** The session of a process; throws when its source has no telemetry, or (where given) none of this type. */
  session(processId: string, type?: TelemetryCfg['type']): TelemetrySession
  close(): Promise<void>
}

export function createTelemetryService({ dial, ...sessionDeps }: TelemetryDeps): TelemetryService {
  const sessions = new Map<string, TelemetrySession>()

  async function end(processId: string): Promise<void> {
    const session = sessions.get(processId)
    sessions.delete(processId)
    await session?.close()
  }

  return {
    begin({ processId, accountId, cfg, onSample }) {
      if (!cfg) return null
      const session = openTelemetrySession(cfg, {
        ...sessionDeps,
        processId,
        dial: (hostname, port) => dial(accountId, hostname, port),
        onSample,
      })
      sessions.set(processId, session)
      if (cfg.type === 'static') return { kind: 'fixed', values: staticTelemetry(cfg.parameters) }
      const { time_offset_ms: timeOffsetMs = 0, yaw_bias_deg: yawBiasDeg = 0 } = cfg.parameters
      return { kind: 'stream', maxAgeMs: maxAgeOf(cfg), timeOffsetMs, yawBiasDeg }
    },
    end,
    cfgOf: (processId) => sessions.get(processId)?.cfg ?? null,
    statusOf: (processId) => sessions.get(processId)?.status ?? null,
    latestOf: (processId) => sessions.get(processId)?.latest ?? null,
    session(processId, type) {
      const session = sessions.get(processId)
      if (!session || (type && session.cfg.type !== type))
        throw new AppError('telemetry-not-configured', { type: type ?? 'any type' })
      return session
    },
    async close() {
      await Promise.all([...sessions.keys()].map(end))
    },
  }
}
