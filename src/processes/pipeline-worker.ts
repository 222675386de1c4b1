import { type Clock } from '../core/clock.ts'
import { type Log } from '../observe/log.ts'
import { type FromWorker, type PipelineOrder, type PipelineReport, type ToWorker } from '../pipeline/messages.ts'
import { type Child, startChild } from '../supervise/child.ts'
import { type InferenceTurns, type TurnTaker } from './inference-turns.ts'
import { type Process } from './process.ts'
import { isAnsweredAtOnce, isHealthy, type RestartPolicy } from '../supervise/restart-policy.ts'

/** Does the work of one process. Where it runs is left open: here it is a child process of ours. */
export type PipelineWorker = Pick<Child<ToWorker>, 'send' | 'stop' | 'relaunch'>

export interface WorkerEvents {
  /** Called at the start, and after every crash: what is to be done now. */
  readonly order: () => PipelineOrder
  readonly onMessage: (message: PipelineReport) => void
  /** It crashed; `restart` says that another one is on its way. With a sentence where it is known why. */
  readonly onCrash: (verdict: 'restart' | 'give-up', sentence?: string) => void
}

export type LaunchWorker = (
  process: Pick<Process, 'id' | 'accountId' | 'options'>,
  events: WorkerEvents,
) => PipelineWorker

/** It does more at once than others: it decodes, tracks and draws. */
const MAX_SILENCE_MS = 5_000

/** How long a worker may take to send what it still holds back before it is stopped. */
const DRAIN_TIMEOUT_MS = 1_500

const HUNG = 'The pipeline stopped answering and was ended; this machine may have too little time for it.'

const entry = new URL('../pipeline/worker.js', import.meta.url)

export interface WorkerLauncherOptions {
  readonly turns: InferenceTurns
  readonly maxMemoryBytes: number
  readonly clock: Clock
  readonly log: Log
}

export function createWorkerLauncher({ turns, maxMemoryBytes, clock, log }: WorkerLauncherOptions): LaunchWorker {
  const tooMuchMemory =
    `The process took more than the ${Math.round(maxMemoryBytes / 2 ** 20)} MB of memory that it may. Send smaller pictures, or with fewer ` +
    'reference frames; or have the operator raise AERIE_WORKER_MEMORY.'

  return ({ id, accountId, options }, { order, onMessage, onCrash }) => {
    let isOver = false
    let onOver = () => {}
    let turnTaker: TurnTaker | undefined
    const child = startChild<ToWorker, FromWorker>({
      name: 'pipeline',
      maxSilenceMs: MAX_SILENCE_MS,
      subject: id,
      isForOne: true,
      isAtWork: ({ type }) => type === 'running',
      // A drone team's streams may all come at once. By account: HLS of the same owner, by its name, has turns of its own.
      startTurn: { when: 'soon', owner: accountId },
      entry,
      clock,
      log,
      restart: createWorkerRestart(clock),
      maxMemoryBytes,
      onStart(send) {
        turnTaker = turns.join(options.priority, () => send({ type: 'turn' }))
        send({ type: 'start', order: order() })
      },
      onMessage(message) {
        if (message.type === 'turn-wanted') return turnTaker?.want()
        if (message.type === 'turn-over') return turnTaker?.over()
        onMessage(message)
        if (message.type === 'finished' || message.type === 'failed') over()
      },
      onExit({ isOverMemory, isHung }, verdict) {
        turnTaker?.leave()
        if (verdict === 'stopped') return
        if (isOverMemory && verdict === 'give-up')
          onMessage({ type: 'failed', reason: 'source-unreadable', sentence: tooMuchMemory })
        else if (verdict !== 'relaunch') onCrash(verdict, isOverMemory ? tooMuchMemory : isHung ? HUNG : undefined)
        onOver()
      },
    })

    function over(): void {
      isOver = true
      onOver()
    }

    /** Stopping closes the channel, so the last messages have to arrive before. */
    async function drain(): Promise<void> {
      if (isOver || child.pid === undefined) return
      const timer = setTimeout(() => onOver(), DRAIN_TIMEOUT_MS)
      await new Promise<void>((resolve) => {
        onOver = resolve
        child.send({ type: 'end' })
      })
      clearTimeout(timer)
    }

    return {
      send: (message) => child.send(message),
      relaunch: () => child.relaunch(),
      async stop() {
        await drain()
        await child.stop()
      },
    }
  }
}

/** A worker that crashes this often in a row, without living for a minute in between, would only crash again. */
const MAX_CRASHES_IN_A_ROW = 5

/** One that takes too much memory this often in this time goes on doing so, however long it lives in between. */
const MAX_OVER_MEMORY = 3
const OVER_MEMORY_WINDOW_MS = 60 * 60_000

/**
 * What becomes of one process's workers: a crashed one is started again at once, then with growing waits, and at last given up.
 * One that soon took more memory than it may would take it again; but one that long did without may have met a passing thing.
 */
export function createWorkerRestart({ steady }: Pick<Clock, 'steady'>): RestartPolicy {
  /** When workers took too much memory lately. */
  let overMemoryAtMs: readonly number[] = []

  return (exit, crashesInARow) => {
    if (exit.isOverMemory) {
      const nowMs = steady()
      overMemoryAtMs = [...overMemoryAtMs.filter((atMs) => nowMs - atMs < OVER_MEMORY_WINDOW_MS), nowMs]
      if (!isHealthy(exit) || overMemoryAtMs.length >= MAX_OVER_MEMORY) return { do: 'give-up' }
    }
    if (crashesInARow >= MAX_CRASHES_IN_A_ROW) return { do: 'give-up' }
    return { do: 'restart', inMs: isAnsweredAtOnce(exit, crashesInARow) ? 0 : 500 * 2 ** crashesInARow }
  }
}
