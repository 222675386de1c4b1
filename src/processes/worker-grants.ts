import { type HubPath, type VideoOutput } from '../core/video-output.ts'
import { type PipelineCommand, type VideoInput } from '../pipeline/messages.ts'
import { type Grant, type GrantAccess } from '../streams/grants.ts'

/** Access to our own media server for the worker of one process: it gets addresses where everybody else knows only paths. */
export interface WorkerGrants {
  forInput(input: VideoInput): VideoInput
  forOutput(output: VideoOutput): VideoOutput
  /** Also takes back what was granted for what ends with this command. */
  forCommand(command: PipelineCommand): PipelineCommand
  revokeAll(): void
}

const INPUT = 'input'
const PREVIEW = 'preview'

export function createWorkerGrants(grant: GrantAccess): WorkerGrants {
  /** By output; for the input and the preview under their own names. */
  const grants = new Map<string, Grant>()

  function revoke(name: string): void {
    grants.get(name)?.revoke()
    grants.delete(name)
  }

  function withUrl(name: string, action: 'read' | 'publish', { kind, path }: HubPath): HubPath {
    const granted = grant(action, path)
    grants.set(name, granted)
    return { kind, path, url: granted.url }
  }

  function forOutput(output: VideoOutput): VideoOutput {
    const { id, target } = output
    return target.kind === 'hub' ? { ...output, target: withUrl(id, 'publish', target) } : output
  }

  return {
    forInput: (input) => (input.kind === 'hub' ? withUrl(INPUT, 'read', input) : input),
    forOutput,
    forCommand(command) {
      switch (command.type) {
        case 'attach':
          return { ...command, output: forOutput(command.output) }
        case 'detach':
          revoke(command.outputId)
          return command
        case 'preview':
          revoke(PREVIEW)
          return { ...command, target: command.target && withUrl(PREVIEW, 'publish', command.target) }
        default:
          return command
      }
    },
    revokeAll() {
      for (const name of [...grants.keys()]) revoke(name)
    },
  }
}
