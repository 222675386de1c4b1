import { latestFieldsOfView, type TelemetrySample } from '../core/telemetry.ts'
import { type HubPath, type VideoOutput } from '../core/video-output.ts'
import { type PipelineCommand } from '../pipeline/messages.ts'

/** What the next worker of a process starts with, of what its earlier ones were sent. */
export interface WorkerSettings {
  readonly outputs: readonly VideoOutput[]
  /** The feed has a viewer. */
  readonly isFeedWanted: boolean
  /** Where a preview is published, while it has a viewer. */
  readonly preview: HubPath | null
  /** Alerts may ask for pictures of whole scenes. */
  readonly areScenesWanted: boolean
  /** The machine is short of time. */
  readonly isCrowded: boolean
  /** Senders include them only when they change. */
  readonly fieldsOfView: TelemetrySample | undefined
}

export function initialSettings(outputs: readonly VideoOutput[]): WorkerSettings {
  return {
    outputs,
    isFeedWanted: false,
    preview: null,
    areScenesWanted: false,
    isCrowded: false,
    fieldsOfView: undefined,
  }
}

export function afterCommand(settings: WorkerSettings, command: PipelineCommand): WorkerSettings {
  const { outputs, fieldsOfView } = settings
  switch (command.type) {
    case 'attach':
      return { ...settings, outputs: [...without(outputs, command.output.id), command.output] }
    case 'detach':
      return { ...settings, outputs: without(outputs, command.outputId) }
    case 'feed':
      return { ...settings, isFeedWanted: command.isWanted }
    case 'preview':
      return { ...settings, preview: command.target }
    case 'scene-pictures':
      return { ...settings, areScenesWanted: command.isWanted }
    case 'crowded':
      return { ...settings, isCrowded: command.isCrowded }
    case 'telemetry':
      return { ...settings, fieldsOfView: latestFieldsOfView(fieldsOfView, command.sample) }
    default:
      return settings
  }
}

function without(outputs: readonly VideoOutput[], outputId: string): VideoOutput[] {
  return outputs.filter(({ id }) => id !== outputId)
}
