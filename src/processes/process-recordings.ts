import { type VideoOutput } from '../core/video-output.ts'
import { type Process } from './process.ts'
import { type Supervisor } from './supervisor.ts'

/** The output of each process that keeps its processed video. */
export interface ProcessRecordings {
  /** What a process starts with; nothing where its video is not kept. */
  outputsOf(process: Process): VideoOutput[]
  list(): { processId: string; accountId: string }[]
  stop(processId: string): void
  resume(processId: string): void
}

/** The name of that output. */
const RECORDING = 'recording'

export function createProcessRecordings(
  supervisor: Pick<Supervisor, 'find' | 'list' | 'send'>,
  folderOf: (processId: string) => string,
): ProcessRecordings {
  function outputsOf({ id, options }: Process): VideoOutput[] {
    if (!options.isRecorded) return []
    return [{ id: RECORDING, lines: null, target: { kind: 'recording', folder: folderOf(id) } }]
  }

  return {
    outputsOf,
    list: () =>
      supervisor
        .list()
        .flatMap(({ process: { id, accountId, options } }) =>
          options.isRecorded ? [{ processId: id, accountId }] : [],
        ),
    stop: (processId) => supervisor.send(processId, { type: 'detach', outputId: RECORDING }),
    resume(processId) {
      const live = supervisor.find(processId)
      for (const output of live ? outputsOf(live.process) : []) supervisor.send(processId, { type: 'attach', output })
    },
  }
}
