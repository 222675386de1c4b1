import { type Clock } from '../core/clock.ts'
import { type Scene } from '../core/scene.ts'
import { type TelemetryPlan } from '../core/telemetry.ts'
import { type TrackPicture } from '../core/track-picture.ts'
import { type Balance } from '../core/words.ts'
import { type Log } from '../observe/log.ts'
import { type OutboundRules } from '../outbound/rules.ts'
import { type PipelineOutput } from '../pipeline/messages.ts'
import { type Grant, type GrantAccess } from '../streams/grants.ts'
import { type LiveProcess, startLiveProcess } from './live-process.ts'
import { orderFor, type OrderOptions } from './pipeline-order.ts'
import { type LaunchWorker } from './pipeline-worker.ts'
import { type Process } from './process.ts'

/** Where a process's video comes from. */
export type ProcessInput =
  | { readonly kind: 'file'; readonly path: string }
  /** A path on our own media server. */
  | { readonly kind: 'media-path'; readonly path: string }
  | { readonly kind: 'address'; readonly url: string }

/** Processed video that a process sends somewhere. */
export interface ProcessOutput {
  readonly id: string
  /** Lines of the picture; null for the input's own. */
  readonly lines: number | null
  readonly target:
    /** On our own media server. */
    | { readonly kind: 'path'; readonly path: string }
    | { readonly kind: 'rtmp'; readonly url: string }
    | { readonly kind: 'recording'; readonly folder: string }
}

/** What a process starts with. */
export interface Beginning {
  readonly input: ProcessInput
  readonly outputs: readonly ProcessOutput[]
  readonly telemetry: TelemetryPlan | null
  /** What its worker may dial. */
  readonly outbound: OutboundRules
}

export interface SupervisorDeps {
  readonly options: OrderOptions
  readonly launch: LaunchWorker
  readonly store: { update(process: Process): Promise<void> }
  readonly ledger: {
    charge(chargeId: string, accountId: string, totalMs: number, now: number): Promise<Balance>
  }
  readonly grant: GrantAccess
  readonly onScene: (process: Process, scene: Scene) => void
  readonly onState: (process: Process, previous: Process) => void
  /** A picture for who looks at the feed. */
  readonly onPicture: (process: Process, jpeg: Uint8Array) => void
  readonly onTrackPictures: (process: Process, pictures: readonly TrackPicture[]) => void
  readonly clock: Clock
  readonly log: Log
}

/** Keeps every process running that should. */
export interface Supervisor {
  start(process: Process, beginning: Beginning): LiveProcess
  find(processId: string): LiveProcess | undefined
  list(): LiveProcess[]
  attach(processId: string, output: ProcessOutput): void
  detach(processId: string, outputId: string): void
  /** Processes whose workers read this path of our media server now. */
  listReaders(path: string): string[]
  /** Publishes a preview to this path, or none any more. */
  setPreview(processId: string, path: string | null): void
  /** Something is published to this path of our media server again. */
  pathIsLive(path: string): void
  /** Ends the workers and leaves the processes for the next start. */
  close(): Promise<void>
}

interface Running extends Pick<Beginning, 'input' | 'outbound'> {
  readonly live: LiveProcess
  /** What was granted, by output; for the source and the preview under their own names. */
  readonly grants: Map<string, Grant>
}

const SOURCE = 'source'
const PREVIEW = 'preview'

export function createSupervisor(deps: SupervisorDeps): Supervisor {
  const { options, launch, store, ledger, grant, clock, log } = deps
  const running = new Map<string, Running>()

  /** What the worker is told of an output: an address where we know only a path. */
  function toPipelineOutput(
    output: ProcessOutput,
    { outbound, grants }: Pick<Running, 'outbound' | 'grants'>,
  ): PipelineOutput {
    const { id, lines, target } = output
    // Who publishes to our own media server by RTMP shows a key there, as everybody does.
    if (target.kind === 'rtmp') return { id, lines, target: { ...target, outbound: { ...outbound, mediaPorts: [] } } }
    if (target.kind === 'recording') return { id, lines, target }
    const publishing = grant('publish', target.path)
    grants.set(id, publishing)
    return { id, lines, target: { kind: 'hub', url: publishing.url } }
  }

  function toWorkerInput({ input, outbound, grants }: Pick<Running, 'input' | 'outbound' | 'grants'>) {
    if (input.kind === 'file') return input
    if (input.kind === 'address') return { kind: 'live', url: input.url, outbound } as const
    const reading = grant('read', input.path)
    grants.set(SOURCE, reading)
    return { kind: 'live', url: reading.url, outbound: null } as const
  }

  return {
    start(process, { input, outputs, telemetry, outbound }) {
      const wiring = { input, outbound, grants: new Map<string, Grant>() }
      const workerInput = toWorkerInput(wiring)
      const pipelineOutputs = outputs.map((output) => toPipelineOutput(output, wiring))
      const live = startLiveProcess(process, pipelineOutputs, {
        launch,
        orderFor: (current, progress) => orderFor(current, progress, workerInput, options, telemetry),
        store,
        charge: ({ id, accountId }, totalMs) => ledger.charge(id, accountId, totalMs, clock.now()),
        onScene: deps.onScene,
        onState: deps.onState,
        onPicture: deps.onPicture,
        onTrackPictures: deps.onTrackPictures,
        clock,
        log,
      })
      running.set(process.id, { ...wiring, live })
      void live.ended.then(() => {
        running.delete(process.id)
        for (const { revoke } of wiring.grants.values()) revoke()
      })
      return live
    },
    find: (processId) => running.get(processId)?.live,
    list: () => [...running.values()].map(({ live }) => live),
    attach(processId, output) {
      const one = running.get(processId)
      one?.live.attach(toPipelineOutput(output, one))
    },
    detach(processId, outputId) {
      const one = running.get(processId)
      one?.live.detach(outputId)
      if (one) takeBack(one.grants, outputId)
    },
    listReaders: (path) =>
      [...running.values()]
        .filter(({ live, input }) => isReading(input, path) && ['running', 'paused'].includes(live.process.state))
        .map(({ live }) => live.process.id),
    setPreview(processId, path) {
      const one = running.get(processId)
      if (!one) return
      takeBack(one.grants, PREVIEW)
      const publishing = path === null ? undefined : grant('publish', path)
      if (publishing) one.grants.set(PREVIEW, publishing)
      one.live.setPreview(publishing?.url ?? null)
    },
    pathIsLive(path) {
      for (const { live, input } of running.values()) if (isReading(input, path)) live.retry()
    },
    async close() {
      await Promise.all([...running.values()].map(({ live }) => live.leave()))
      running.clear()
    },
  }
}

function isReading(input: ProcessInput, path: string): boolean {
  return input.kind === 'media-path' && input.path === path
}

function takeBack(grants: Map<string, Grant>, name: string): void {
  grants.get(name)?.revoke()
  grants.delete(name)
}
