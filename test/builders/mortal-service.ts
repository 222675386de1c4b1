import { type Clock } from '../../src/core/clock.ts'
import { DEFAULT_PICTURE_LIMIT } from '../../src/core/picture-limit.ts'
import { isLive, type ProcessState } from '../../src/core/process-facts.ts'
import { type VideoOutput } from '../../src/core/video-output.ts'
import { createLog } from '../../src/observe/log.ts'
import { OPERATOR_RULES } from '../../src/outbound/rules.ts'
import { withChargedEnds } from '../../src/processes/charged-ends.ts'
import { chargingOnceUsed } from '../../src/processes/charging.ts'
import { type LiveProcess } from '../../src/processes/live-process.ts'
import { type LaunchWorker } from '../../src/processes/pipeline-worker.ts'
import { type Process } from '../../src/processes/process.ts'
import { createProcessEndWriter } from '../../src/processes/process-end-writer.ts'
import { createProcessLauncher } from '../../src/processes/process-launcher.ts'
import { createProcessRecovery } from '../../src/processes/process-recovery.ts'
import { type ProcessSource } from '../../src/processes/process-source.ts'
import { createSupervisor } from '../../src/processes/supervisor.ts'
import { type DatabaseConnection } from './unreliable-database.ts'

export interface MortalServiceDeps {
  readonly connection: DatabaseConnection
  readonly clock: Clock
  readonly launchWorker: LaunchWorker
  readonly source: ProcessSource
  /** Where the source is published, if it is no file. */
  readonly path: string
  readonly isVideoThere: () => boolean
  readonly onTrackIds: (ids: readonly number[]) => void
}

const OUTPUT: VideoOutput = { id: 'first', lines: null, target: { kind: 'hub', path: 'ann/out' } }

const ignore = () => {}

/** As much of the service as keeps processes running, composed as in `processes.module.ts`, until it dies. */
export function createMortalService(deps: MortalServiceDeps) {
  const { connection, launchWorker, source, path, isVideoThere, onTrackIds } = deps
  const clock = createMortalClock(deps.clock)
  const { store, ledger } = connection
  const chargedEnds = withChargedEnds({ store, ledger, clock })
  const log = createLog({ level: 'silent', write: ignore })
  const states: ProcessState[] = []
  const granted = new Set<string>()
  let holds = 0
  let ends = 0
  const onState = ({ state }: Process) => void states.push(state)
  const supervisor = createSupervisor({
    options: {
      maxPicture: DEFAULT_PICTURE_LIMIT,
      modelCacheDir: '',
      inferenceThreads: 1,
      provider: 'cpu',
      reconnectMs: null,
    },
    launch: launchWorker,
    store: chargedEnds,
    ledger: chargingOnceUsed(ledger),
    grant(action, granting) {
      const url = `${action} ${granting}`
      granted.add(url)
      return { url, revoke: () => void granted.delete(url) }
    },
    isPathLive: isVideoThere,
    onScene: (_process, { tracks }) => onTrackIds(tracks.map(({ id }) => id)),
    onState,
    onPicture: ignore,
    onScenePicture: ignore,
    onTrackPictures: ignore,
    shortage: () => null,
    clock,
    log,
  })
  const launcher = createProcessLauncher({
    sources: { fileOf: async () => 'clip.mp4', pathToRead: async () => path },
    streams: { pulledPaths: { hold: () => (holds++, () => void holds--) } },
    supervisor,
    telemetry: { begin: () => null, end: async () => {} },
    outboundOf: async () => OPERATOR_RULES,
    recordingsOf: () => [],
  })
  const recovery = createProcessRecovery({
    store,
    sources: { find: async () => source },
    launcher,
    ends: createProcessEndWriter({ store: chargedEnds, onState, clock }),
    isHere: (processId) => supervisor.findLive(processId) !== undefined,
    outputs: { listVideos: async () => [OUTPUT] },
    log,
  })

  /** One that was handed over is gone, but has not ended. */
  const countEnd = (processId: string) =>
    supervisor.onEnd(processId, () => void (isLive(supervisor.stateOf(processId) ?? '') || ends++))

  return {
    supervisor,
    /** All that were reported, in their order. */
    states,
    /** Addresses that its workers may use now. */
    granted,
    /** How often the path of the source is held, so that a camera is called. */
    get holds() {
      return holds
    },
    /** How often the end of a process was announced. */
    get ends() {
      return ends
    },
    async launch(process: Process): Promise<LiveProcess> {
      const live = launcher.launch(process, await launcher.prepare(process.accountId, source), [OUTPUT])
      countEnd(process.id)
      return live
    },
    async recover(): Promise<void> {
      await recovery.recover({ ids: 'all' })
      supervisor.listLiveIds().forEach(countEnd)
    },
    /** As by `kill -9`. */
    die(): void {
      clock.stop()
      connection.cut()
    },
  }
}

/** Whatever waits for this clock when the service dies waits for ever. */
function createMortalClock(clock: Clock): Clock & { stop(): void } {
  let isStopped = false
  return {
    now: () => clock.now(),
    steady: () => clock.steady(),
    async sleep(ms, signal) {
      await clock.sleep(ms, signal)
      if (isStopped) await new Promise(() => {})
    },
    stop: () => void (isStopped = true),
  }
}
