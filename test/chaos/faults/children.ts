import { until } from '../../support/until.ts'
import { type Fault, type Goals, type Hit } from '../fault.ts'
import { type Load } from '../load.ts'

const MEDIA_SERVER = 'media/media-server.js'
const RECORDER = 'recording/worker.js'
const HLS = 'hls/worker.js'
const GATEWAY = 'webrtc/worker.js'
const PIPELINE = 'pipeline/worker.js'

/** What a camera takes to come back, and the next keyframe, on a machine with other work. */
const REPUBLISHED_MS = 4_000

function killAll(load: Load, entry: string, signal: NodeJS.Signals): void {
  const pids = load.parts(entry)
  if (pids.length === 0) throw new Error(`there is no ${entry} to send ${signal} to`)
  for (const pid of pids) process.kill(pid, signal)
}

/** Of the two processes one is hit: which, is known when it is restarted. */
async function hitOneWorker(load: Load, signal: NodeJS.Signals, goalMs: number): Promise<Hit> {
  const restartsOf = async (id: string) => (await load.rig.info(id)).restarts
  const { yard, gate } = load.processes
  const before = [await restartsOf(yard), await restartsOf(gate)]
  process.kill(load.parts(PIPELINE)[0]!, signal)
  let hit: 'yard' | 'gate' | undefined
  await until(async () => {
    if ((await restartsOf(yard)) > before[0]!) hit = 'yard'
    if ((await restartsOf(gate)) > before[1]!) hit = 'gate'
    return hit !== undefined
  })
  return { goals: { [`${hit!} scenes`]: goalMs } }
}

const worker = (signal: NodeJS.Signals, goalMs: number): Fault => ({
  name: `pipeline ${signal}`,
  goals: {},
  inject: (load) => hitOneWorker(load, signal, goalMs),
})

const part = (name: string, entry: string, signal: NodeJS.Signals, goals: Goals): Fault => ({
  name: `${name} ${signal}`,
  goals,
  async inject(load) {
    killAll(load, entry, signal)
  },
})

const mediaServer = (signal: NodeJS.Signals, readyMs: number): Fault => {
  const backMs = readyMs + REPUBLISHED_MS
  return part('media server', MEDIA_SERVER, signal, {
    ready: readyMs,
    'yard scenes': backMs,
    'gate scenes': backMs,
    recording: backMs + 2_000,
    HLS: backMs + 4_000,
    WebRTC: backMs,
    webhook: backMs,
    MQTT: backMs,
  })
}

/** Noticed after three seconds of silence, five of a pipeline, and started again. */
const HUNG_MS = 3_000
const HUNG_PIPELINE_MS = 5_000
const STARTED_MS = 2_000

const hung: Fault = {
  name: 'recorders, HLS worker, gateway and a pipeline SIGSTOP at once',
  goals: {},
  isShort: true,
  async inject(load) {
    for (const entry of [RECORDER, HLS, GATEWAY]) killAll(load, entry, 'SIGSTOP')
    const { goals } = await hitOneWorker(load, 'SIGSTOP', HUNG_PIPELINE_MS + STARTED_MS)
    const backMs = HUNG_MS + STARTED_MS
    return { goals: { ...goals, recording: backMs, HLS: backMs + STARTED_MS, WebRTC: backMs } }
  },
}

export const childFaults: readonly Fault[] = [
  worker('SIGKILL', 2_000),
  worker('SIGSEGV', 2_000),
  worker('SIGSTOP', HUNG_PIPELINE_MS + STARTED_MS),
  part('recorders', RECORDER, 'SIGKILL', { recording: 2_000 }),
  part('recorders', RECORDER, 'SIGSTOP', { recording: HUNG_MS + STARTED_MS }),
  part('HLS worker', HLS, 'SIGKILL', { HLS: 4_000 }),
  part('HLS worker', HLS, 'SIGSTOP', { HLS: HUNG_MS + 4_000 }),
  part('gateway', GATEWAY, 'SIGKILL', { WebRTC: 2_000 }),
  part('gateway', GATEWAY, 'SIGSTOP', { WebRTC: HUNG_MS + STARTED_MS }),
  { ...mediaServer('SIGKILL', 1_000), isShort: true },
  mediaServer('SIGSEGV', 2_000),
  mediaServer('SIGSTOP', HUNG_MS + 1_000),
  hung,
]
