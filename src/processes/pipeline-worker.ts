import { type Clock } from '../core/clock.ts'
import { type Log } from '../observe/log.ts'
import { type FromWorker, type PipelineOrder, type ToWorker } from '../pipeline/messages.ts'
import { type Child, startChild } from '../supervise/child.ts'
import { restartWorker } from './worker-restart.ts'

/** Somebody who does the work of one process. Where it runs is not told: here it is a child of ours. */
export type PipelineWorker = Pick<Child<ToWorker>, 'send' | 'stop' | 'kill'>

export interface WorkerEvents {
  /** Called at the start, and after every crash: what is to be done now. */
  readonly order: () => PipelineOrder
  readonly onMessage: (message: FromWorker) => void
  /** It crashed; `restart` says that another one is on its way. */
  readonly onCrash: (verdict: 'restart' | 'give-up') => void
}

export type LaunchWorker = (processId: string, events: WorkerEvents) => PipelineWorker

const entry = new URL('../pipeline/worker.js', import.meta.url)

export function createWorkerLauncher({ clock, log }: { clock: Clock; log: Log }): LaunchWorker {
  return (processId, { order, onMessage, onCrash }) =>
    startChild<ToWorker, FromWorker>({
      name: `pipeline ${processId}`,
      entry,
      clock,
      log,
      restart: restartWorker,
      onStart: (send) => send({ type: 'start', order: order() }),
      onMessage,
      onExit: (_exit, verdict) => verdict !== 'stopped' && onCrash(verdict),
    })
}
