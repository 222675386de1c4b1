import { AppError } from '../core/errors.ts'
import { type TelemetryCfg } from '../core/telemetry-cfg.ts'
import { type TelemetryPlan, type TelemetrySample } from '../core/telemetry.ts'
import { type VideoOutput } from '../core/video-output.ts'
import { type OutboundRules } from '../outbound/rules.ts'
import { type VideoInput } from '../pipeline/messages.ts'
import { type Streams } from '../streams/streams.module.ts'
import { type LiveProcess } from './live-process.ts'
import { type Process } from './process.ts'
import { type ProcessSource, type ProcessSources } from './process-source.ts'
import { type Supervisor } from './supervisor.ts'

/** Starts the work of a process on its source: its telemetry, and its worker. */
export interface ProcessLauncher {
  /** Whatever has to be waited for. Throws when there is nothing to read. */
  prepare(accountId: string, source: ProcessSource): Promise<PreparedLaunch>
  /** At once, so that no request meanwhile finds the row of a process that the supervisor does not run. */
  launch(process: Process, prepared: PreparedLaunch, attached?: readonly VideoOutput[]): LiveProcess
}

export interface PreparedLaunch {
  readonly input: VideoInput
  readonly telemetryCfg: TelemetryCfg | null
  readonly outbound: OutboundRules
}

export interface ProcessLauncherDeps {
  readonly sources: Pick<ProcessSources, 'fileOf' | 'pathToRead'>
  readonly streams: { readonly pulledPaths: Pick<Streams['pulledPaths'], 'hold'> }
  readonly supervisor: Pick<Supervisor, 'launch' | 'send'>
  readonly telemetry: {
    begin(subject: {
      readonly processId: string
      readonly accountId: string
      readonly cfg: TelemetryCfg | null
      readonly onSample: (sample: TelemetrySample) => void
    }): TelemetryPlan | null
    end(processId: string): Promise<void>
  }
  /** What may be dialled for this account. */
  readonly outboundOf: (accountId: string) => Promise<OutboundRules>
  /** The outputs that keep the processed video of a process. */
  readonly recordingsOf: (process: Process) => VideoOutput[]
}

export function createProcessLauncher(deps: ProcessLauncherDeps): ProcessLauncher {
  const { sources, streams, supervisor, telemetry, outboundOf, recordingsOf } = deps

  async function inputOf({ id, type }: ProcessSource): Promise<VideoInput> {
    if (type === 'file') {
      const path = await sources.fileOf(id)
      if (path === undefined) throw new AppError('source-file-missing', { source_uuid: id })
      return { kind: 'file', path }
    }
    const path = await sources.pathToRead(id)
    // It was removed meanwhile.
    if (path === null) throw new AppError('source-not-found', { source_uuid: id })
    return { kind: 'hub', path }
  }

  return {
    async prepare(accountId, source) {
      const input = await inputOf(source)
      return { input, telemetryCfg: source.telemetryCfg, outbound: await outboundOf(accountId) }
    },
    launch(process, { input, telemetryCfg, outbound }, attached = []) {
      const { id, accountId } = process
      const plan = telemetry.begin({
        processId: id,
        accountId,
        cfg: telemetryCfg,
        onSample: (sample) => supervisor.send(id, { type: 'telemetry', sample }),
      })
      const outputs = [...recordingsOf(process), ...attached]
      const live = supervisor.launch(process, { input, telemetry: plan, outbound }, outputs)
      // Somebody has to call a camera for its video to come.
      const release =
        process.options.begins !== 'now' && input.kind === 'hub' ? streams.pulledPaths.hold(input.path) : () => {}
      void live.gone.then(() => {
        release()
        return telemetry.end(id)
      })
      return live
    },
  }
}
