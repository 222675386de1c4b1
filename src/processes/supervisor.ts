import { type Clock } from '../core/clock.ts'
import { type Scene } from '../core/scene.ts'
import { type Balance } from '../core/words.ts'
import { type Log } from '../observe/log.ts'
import { type FileInput, type LiveInput, type PipelineOrder } from '../pipeline/messages.ts'
import { type LiveProcess, type Progress, startLiveProcess } from './live-process.ts'
import { type LaunchWorker } from './pipeline-worker.ts'
import { type Process } from './process.ts'

/** Where a process's video comes from. */
export type ProcessInput =
  | { readonly kind: 'file'; readonly path: string }
  /** A path on our own media server. */
  | { readonly kind: 'media-path'; readonly path: string }
  | { readonly kind: 'address'; readonly url: string }

export interface SupervisorOptions {
  /** Where converted models are kept. */
  readonly modelCacheDir: string
  /** Where the models are that users bring. */
  readonly modelsDir?: string | undefined
  readonly inferenceThreads: number
  /** How long a lost source is waited for; null for ever. */
  readonly reconnectMs: number | null
  readonly outbound: { readonly deny: readonly string[]; readonly allow: readonly string[] }
}

export interface SupervisorDeps {
  readonly options: SupervisorOptions
  readonly launch: LaunchWorker
  readonly store: { update(process: Process): Promise<void> }
  readonly ledger: {
    charge(chargeId: string, accountId: string, totalSeconds: number, now: number): Promise<Balance>
  }
  /** An address at our own media server by which a worker may read this path, until it is taken back. */
  readonly grantReading: (path: string) => { readonly url: string; revoke(): void }
  readonly onScene: (process: Process, scene: Scene) => void
  readonly onState: (process: Process) => void
  readonly clock: Clock
  readonly log: Log
}

/** Keeps every process running that should. */
export interface Supervisor {
  start(process: Process, input: ProcessInput): LiveProcess
  find(processId: string): LiveProcess | undefined
  list(): LiveProcess[]
  /** Something is published to this path of our media server again. */
  pathIsLive(path: string): void
  /** Ends the workers and leaves the processes for the next start. */
  close(): Promise<void>
}

/** A stream that is silent for longer is lost. */
const SILENCE_MS = 5_000

export function createSupervisor(deps: SupervisorDeps): Supervisor {
  const { options, launch, store, ledger, grantReading, clock, log } = deps
  const running = new Map<string, { readonly live: LiveProcess; readonly input: ProcessInput }>()

  function liveInput(url: string, isOurs: boolean, process: Process): LiveInput {
    return {
      kind: 'live',
      url,
      silenceMs: SILENCE_MS,
      mayWait: process.startedAt !== null,
      giveUpAfterMs: options.reconnectMs,
      outbound: isOurs ? null : options.outbound,
    }
  }

  function fileInput(path: string, process: Process, { ptsSeconds }: Progress): FileInput {
    return {
      kind: 'file',
      path,
      pace: process.options.pace,
      startedAtMs: process.startedAt,
      resumeAfterSeconds: ptsSeconds,
    }
  }

  return {
    start(process, input) {
      const reading = input.kind === 'media-path' ? grantReading(input.path) : undefined
      const inputFor = (current: Process, progress: Progress) => {
        switch (input.kind) {
          case 'file':
            return fileInput(input.path, current, progress)
          case 'media-path':
            return liveInput(reading!.url, true, current)
          case 'address':
            return liveInput(input.url, false, current)
        }
      }
      const orderFor = (current: Process, progress: Progress): PipelineOrder => {
        const { model, confidence, classes, tiles, isTracking } = current.options
        return {
          input: inputFor(current, progress),
          detection: {
            model,
            confidence,
            classes,
            tiles,
            threads: options.inferenceThreads,
            cacheDir: options.modelCacheDir,
            modelsDir: options.modelsDir,
          },
          isTracking,
          firstTrackId: progress.highestTrackId + 1,
          isPaused: current.state === 'paused',
        }
      }
      const live = startLiveProcess(process, {
        launch,
        orderFor,
        store,
        charge: ({ id, accountId }, totalSeconds) => ledger.charge(id, accountId, totalSeconds, clock.now()),
        onScene: deps.onScene,
        onState: deps.onState,
        clock,
        log,
      })
      running.set(process.id, { live, input })
      void live.ended.then(() => {
        running.delete(process.id)
        reading?.revoke()
      })
      return live
    },
    find: (processId) => running.get(processId)?.live,
    list: () => [...running.values()].map(({ live }) => live),
    pathIsLive(path) {
      for (const { live, input } of running.values())
        if (input.kind === 'media-path' && input.path === path) live.retry()
    },
    async close() {
      await Promise.all([...running.values()].map(({ live }) => live.leave()))
      running.clear()
    },
  }
}
