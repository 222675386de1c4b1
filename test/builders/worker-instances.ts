import { type Clock } from '../../src/core/clock.ts'
import { once } from '../../src/core/once.ts'
import { type PipelineOrder, type PipelineReport } from '../../src/pipeline/messages.ts'
import { type LaunchWorker } from '../../src/processes/pipeline-worker.ts'

/** One that is starting waits for its turn, at first and after a crash; one that is leaving still speaks. */
export type WorkerPhase = 'starting' | 'up' | 'leaving' | 'gone'

/** A worker that does nothing by itself. It obeys as a real one does, and the test says what it reports. */
export interface WorkerInstance {
  readonly phase: WorkerPhase
  /** What it was last started with. */
  readonly order: PipelineOrder | undefined
  readonly isPaused: boolean
  /** Its turn to start has come. */
  start(): void
  report(message: PipelineReport): void
  crash(verdict: 'restart' | 'give-up'): void
  /** Its service was killed. */
  vanish(): void
}

/** How long a worker takes to leave. */
export const LEAVE_MS = 4_000

/** The workers of all processes, as many as are launched. */
export function createWorkerInstances(clock: Clock) {
  const instances: WorkerInstance[] = []

  const launch: LaunchWorker = (_process, events) => {
    let phase: WorkerPhase = 'starting'
    let order: PipelineOrder | undefined
    let isPaused = false
    instances.push({
      get phase() {
        return phase
      },
      get order() {
        return order
      },
      get isPaused() {
        return isPaused
      },
      start() {
        phase = 'up'
        order = events.order()
        isPaused = order.isPaused
      },
      report: (message) => events.onMessage(message),
      crash(verdict) {
        phase = verdict === 'restart' ? 'starting' : 'gone'
        events.onCrash(verdict)
      },
      vanish: () => void (phase = 'gone'),
    })
    return {
      send({ type }) {
        if (phase !== 'up') return
        if (type === 'pause' || type === 'resume') isPaused = type === 'pause'
      },
      relaunch: async () => void (phase === 'up' && (phase = 'starting')),
      stop: once(leave),
    }

    async function leave(): Promise<void> {
      if (phase === 'up') {
        phase = 'leaving'
        await clock.sleep(LEAVE_MS)
      }
      phase = 'gone'
    }
  }

  return {
    launch,
    /** Those that are not gone; there should never be two of one process. */
    listPresent: () => instances.filter(({ phase }) => phase !== 'gone'),
  }
}
