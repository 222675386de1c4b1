import { type Clock } from '../core/clock.ts'
import { type Balance } from '../core/minutes.ts'
import { isLive, type ProcessFacts, type ProcessState } from '../core/process-facts.ts'
import { type Scene } from '../core/scene.ts'
import { type ScenePicture, type TrackPicture } from '../core/track-picture.ts'
import { type VideoOutput } from '../core/video-output.ts'
import { type Log } from '../observe/log.ts'
import { type PipelineCommand } from '../pipeline/messages.ts'
import { type GrantAccess } from '../streams/grants.ts'
import { type LiveProcess, type LiveProcessDeps, startLiveProcess } from './live-process.ts'
import { type LaunchSpec, orderFor, type OrderOptions } from './pipeline-order.ts'
import { type LaunchWorker } from './pipeline-worker.ts'
import { type Process } from './process.ts'
import { createWorkerGrants, type WorkerGrants } from './worker-grants.ts'

export interface SupervisorDeps {
  readonly options: OrderOptions
  readonly launch: LaunchWorker
  readonly store: { update(process: Process): Promise<void> }
  readonly ledger: {
    charge(chargeId: string, accountId: string, totalMs: number, now: number): Promise<Balance>
  }
  readonly grant: GrantAccess
  /** Whether something is published to this path of our media server. */
  readonly isPathLive: (path: string) => boolean
  readonly onScene: (process: Process, scene: Scene) => void
  readonly onState: (process: Process, previous: Process) => void
  /** A picture for the viewers of the feed. */
  readonly onPicture: (process: Process, jpeg: Uint8Array) => void
  readonly onScenePicture: (process: Process, picture: ScenePicture) => void
  readonly onTrackPictures: (process: Process, pictures: readonly TrackPicture[]) => void
  readonly shortage: LiveProcessDeps['shortage']
  readonly clock: Clock
  readonly log: Log
}

/** Keeps every process running that should. */
export interface Supervisor {
  launch(process: Process, spec: LaunchSpec, outputs: readonly VideoOutput[]): LiveProcess
  findLive(processId: string): LiveProcess | undefined
  listLiveProcesses(): LiveProcess[]
  listLiveIds(): string[]
  /** Newer than what is written; undefined of one that the supervisor does not run. */
  stateOf(processId: string): ProcessState | undefined
  /** Undefined of one that the supervisor does not run. */
  factsOf(processId: string): ProcessFacts | undefined
  /** Of one account, or of all. */
  countRunning(accountId?: string): number
  /** Processes whose workers read this path of our media server now. */
  listReaders(path: string): string[]
  /** To the worker of a process, if it goes on. Paths of our media server become addresses on the way. */
  send(processId: string, command: PipelineCommand): void
  /** Starts its pipeline anew; nothing else about it changes. */
  relaunch(processId: string): void
  /** Calls when the process has ended, or goes on elsewhere; at once if it has. Returns how to cancel that. */
  onEnd(processId: string, handler: () => void): () => void
  /** Something is published to this path of our media server again. */
  pathIsLive(path: string): void
  /** Ends its worker, and leaves the process for another service to take it up. Resolves when all of it is written. */
  handOver(processId: string): Promise<void>
  /** Ends the workers and leaves the processes for the next start. */
  close(): Promise<void>
}

interface Running extends Pick<LaunchSpec, 'input'> {
  readonly live: LiveProcess
  readonly grants: WorkerGrants
  readonly endHandlers: Set<() => void>
  isGone: boolean
}

export function createSupervisor(deps: SupervisorDeps): Supervisor {
  const { options, store, ledger, grant, clock, log } = deps
  const running = new Map<string, Running>()
  /** One whose end is not written yet is no longer among them. */
  const listLive = () => [...running.values()].filter(({ live }) => isLive(live.process.state))
  const listLiveProcesses = () => listLive().map(({ live }) => live)
  const findLive = (processId: string) => running.get(processId)?.live

  return {
    launch(process, spec, outputs) {
      const grants = createWorkerGrants(grant)
      const granted = { ...spec, input: grants.forInput(spec.input) }
      const live = startLiveProcess(
        process,
        outputs.map((output) => grants.forOutput(output)),
        {
          launch: deps.launch,
          orderFor: (current, progress, settings) => orderFor(current, granted, progress, settings, options),
          isVideoThere: () => spec.input.kind === 'file' || deps.isPathLive(spec.input.path),
          store,
          charge: ({ id, accountId }, totalMs) => ledger.charge(id, accountId, totalMs, clock.now()),
          onScene: deps.onScene,
          onState: deps.onState,
          onPicture: deps.onPicture,
          onScenePicture: deps.onScenePicture,
          onTrackPictures: deps.onTrackPictures,
          shortage: deps.shortage,
          clock,
          log,
        },
      )
      const endHandlers = new Set<() => void>()
      const one: Running = { live, input: spec.input, grants, endHandlers, isGone: false }
      running.set(process.id, one)
      // Until then only we know that it has ended.
      void live.written.then(() => running.delete(process.id))
      void live.gone.then(() => {
        one.isGone = true
        grants.revokeAll()
        for (const handler of endHandlers) handler()
      })
      return live
    },
    findLive,
    listLiveProcesses,
    listLiveIds: () => listLiveProcesses().map(({ process }) => process.id),
    stateOf: (processId) => findLive(processId)?.process.state,
    factsOf(processId) {
      const process = findLive(processId)?.process
      if (!process || !isLive(process.state)) return undefined
      const { accountId, sourceId, sourceType, options } = process
      const { isTracking, isReported, classes } = options
      return {
        processId,
        accountId,
        sourceId,
        sourceType,
        isTracking,
        keepsPictures: isTracking && isReported,
        classes,
      }
    },
    countRunning: (accountId) =>
      listLiveProcesses().filter(
        ({ process }) => process.state === 'running' && (accountId ?? process.accountId) === process.accountId,
      ).length,
    listReaders: (path) =>
      listLive()
        .filter(({ live, input }) => isReading(input, path) && live.isConnected)
        .map(({ live }) => live.process.id),
    send(processId, command) {
      const one = running.get(processId)
      one?.live.send(one.grants.forCommand(command))
    },
    relaunch: (processId) => findLive(processId)?.relaunch(),
    onEnd(processId, handler) {
      const one = running.get(processId)
      const handlers = one?.isGone ? undefined : one?.endHandlers
      if (!handlers) queueMicrotask(handler)
      handlers?.add(handler)
      return () => void handlers?.delete(handler)
    },
    pathIsLive(path) {
      for (const { live, input } of listLive()) if (isReading(input, path)) live.onVideo()
    },
    async handOver(processId) {
      const one = running.get(processId)
      await one?.live.handOver()
      // One that has ended meanwhile stays until that is written.
      if (one && isLive(one.live.process.state) && running.get(processId) === one) running.delete(processId)
    },
    async close() {
      await Promise.all([...running.values()].map(({ live }) => live.leave()))
      running.clear()
    },
  }
}

function isReading(input: LaunchSpec['input'], path: string): boolean {
  return input.kind === 'hub' && input.path === path
}
