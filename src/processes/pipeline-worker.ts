import { type Clock } from '../core/clock.ts'
import { type Log } from '../observe/log.ts'
import { type FromWorker, type PipelineOrder, type ToWorker } from '../pipeline/messages.ts'
import { type Child, startChild } from '../supervise/child.ts'
import { createWorkerRestart } from './worker-restart.ts'

/** Somebody who does the work of one process. Where it runs is not told: here it is a child of ours. */
export type PipelineWorker = Pick<Child<ToWorker>, 'send' | 'stop' | 'kill' | 'relaunch'>

export interface WorkerEvents {
  /** Called at the start, and after every crash: what is to be done now. */
  readonly order: () => PipelineOrder
  readonly onMessage: (message: FromWorker) => void
  /** It crashed; `restart` says that another one is on its way. With a sentence where it is known why. */
  readonly onCrash: (verdict: 'restart' | 'give-up', sentence?: string) => void
}

export type LaunchWorker = (processId: string, events: WorkerEvents) => PipelineWorker

/** How long a worker that is to go may take to tell what it still holds back. */
const LAST_WORDS_MS = 1_500

const entry = new URL('../pipeline/worker.js', import.meta.url)

export interface WorkerLauncherOptions {
  readonly maxMemoryBytes: number
  readonly clock: Clock
  readonly log: Log
}

export function createWorkerLauncher({ maxMemoryBytes, clock, log }: WorkerLauncherOptions): LaunchWorker {
  const tooMuchMemory =
    `The process took more than the ${Math.round(maxMemoryBytes / 2 ** 20)} MB of memory that it may. Send smaller pictures, or with fewer ` +
    'reference frames; or have the operator raise AERIE_WORKER_MEMORY.'

  return (processId, { order, onMessage, onCrash }) => {
    let isOver = false
    let onOver = () => {}
    const child = startChild<ToWorker, FromWorker>({
      name: `pipeline ${processId}`,
      isForOne: true,
      entry,
      clock,
      log,
      restart: createWorkerRestart(clock),
      maxMemoryBytes,
      onStart: (send) => send({ type: 'start', order: order() }),
      onMessage(message) {
        onMessage(message)
        if (message.type === 'finished' || message.type === 'failed') over()
      },
      onExit({ isOverMemory }, verdict) {
        if (verdict === 'stopped') return
        if (isOverMemory && verdict === 'give-up')
          onMessage({ type: 'failed', reason: 'source-unreadable', sentence: tooMuchMemory })
        else if (verdict !== 'relaunch') onCrash(verdict, isOverMemory ? tooMuchMemory : undefined)
        onOver()
      },
    })

    function over(): void {
      isOver = true
      onOver()
    }

    /** Stopping closes the channel, so whatever is to be heard must be heard before. */
    async function hearLastWords(): Promise<void> {
      if (isOver || child.pid === undefined) return
      const timer = setTimeout(() => onOver(), LAST_WORDS_MS)
      await new Promise<void>((resolve) => {
        onOver = resolve
        child.send({ type: 'end' })
      })
      clearTimeout(timer)
    }

    return {
      send: (message) => child.send(message),
      kill: () => child.kill(),
      relaunch: () => child.relaunch(),
      async stop() {
        await hearLastWords()
        await child.stop()
      },
    }
  }
}
