import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { backoffMs } from '../../src/core/retry.ts'
import { type AlertListener, listenToAlerts } from '../support/alert-listener.ts'
import { childrenOf } from '../support/child-processes.ts'
import { type Running } from '../support/ffmpeg.ts'
import { freePort } from '../support/free-port.ts'
import { createHttpReceiver, type HttpReceiver } from '../support/http-receiver.ts'
import { createMosquitto, type Mosquitto, rememberingIn } from '../support/mosquitto.ts'
import { type Postgres, startPostgres } from '../support/postgres.ts'
import { createProcessRig, type ProcessRig, type PublishOptions } from '../support/process-rig.ts'
import { startTcpRelay, type TcpRelay } from '../support/tcp-relay.ts'
import { until } from '../support/until.ts'
import { type Arrival } from './losses.ts'
import { ALERT_ALIAS, type Promised, readPromised, streamOf } from './promised.ts'
import { mountDisk, withTemporaryFolder } from './small-disk.ts'
import { createSignal, type Signal } from './signal.ts'
import { type ApiWatch, repeat, watchApi, watchHls, watchRecording, watchScenes, watchWebrtc } from './watchers.ts'

/** What is looked at while something breaks. */
export const SIGNALS = [
  'yard scenes',
  'gate scenes',
  'recording',
  'HLS',
  'WebRTC',
  'webhook',
  'MQTT',
  'API',
  'ready',
] as const
export type SignalName = (typeof SIGNALS)[number]

/** A camera that publishes, and comes back whenever its connection ends. */
export interface Publisher {
  readonly running: Running
  /** What it publishes from its next connection on. */
  input: readonly string[] | undefined
}

/** A service with all kinds of work, and those who use it. */
export interface Load {
  readonly rig: ProcessRig
  /** Between the camera of the gate and the service. */
  readonly network: TcpRelay
  /** Where the service has its data, and its temporary files. */
  readonly folder: string
  /** Its disk is its own and small. */
  readonly hasOwnDisk: boolean
  /** Sets the wall clock of the service off by so much. */
  setClock(offsetMs: number): void
  /** Its database, where that is not SQLite. */
  readonly postgres: Postgres | undefined
  readonly broker: Mosquitto
  receiver: HttpReceiver
  readonly signals: ReadonlyMap<SignalName, Signal>
  /** By RTSP and by RTMP. */
  readonly yard: Publisher
  readonly gate: Publisher
  readonly processes: { readonly yard: string; readonly gate: string }
  readonly sources: { readonly yard: string; readonly gate: string }
  readonly api: ApiWatch
  /** Everything that arrived so far, in its order. */
  arrivals(): Arrival[]
  /** Pids of the service's children of a kind, as `pipeline/worker.js`. */
  parts(entry: string): number[]
  /** The service is killed, all of it, and started again as a machine does after a power cut. */
  restart(): Promise<void>
  /** What the service had taken and not sent yet when it was last killed. */
  readonly promised: readonly Promised[]
  close(): Promise<void>
}

/** A camera comes back soon, but does not take the machine for itself while nobody is there. */
const PUBLISH_AGAIN = { firstMs: 250, maxMs: 2_000 }
/** What was shorter was no connection. */
const MIN_CONNECTION_MS = 3_000
/** Nothing outlives a run that hangs. */
const MAX_RUN_MS = 3 * 3_600_000
/** There are moments in the clip in which nobody is followed; a second is no pause for who asks something. */
const MAX_GAP_MS: Readonly<Partial<Record<SignalName, number>>> = {
  webhook: 2_500,
  MQTT: 2_500,
  API: 1_000,
  ready: 1_000,
}
/** Others may call the receiver too. */
const ALERT_PATH = '/alert'

export async function startLoad(database: 'sqlite' | 'postgres' = 'sqlite'): Promise<Load> {
  const folder = mkdtempSync(join(tmpdir(), 'aerie-chaos-'))
  const clockFile = join(folder, 'clock')
  const disk = mountDisk(folder)
  // What it says is on the disk is so, as in an installation.
  const postgres = database === 'postgres' ? await startPostgres([]) : undefined
  const rig = await withTemporaryFolder(disk ?? folder, async () =>
    createProcessRig({
      // Clients come back to the same address.
      AERIE_HTTP_PORT: String(await freePort()),
      NODE_OPTIONS: `--import=${join(import.meta.dirname, 'clock-offset.mjs')}`,
      CHAOS_CLOCK_FILE: clockFile,
      ...(postgres && { AERIE_DATABASE_URL: postgres.url }),
    }),
  )
  const network = await startTcpRelay(rig.rtmp)
  const broker = await createMosquitto(rememberingIn(folder))
  const listener = await listenToAlerts(broker.port, 'chaos/#')
  const leaving = new AbortController()
  const { signal } = leaving
  const signals = new Map(SIGNALS.map((name) => [name, createSignal(name, MAX_GAP_MS[name])]))
  const beatOf = (name: SignalName) => signals.get(name)!
  /** Receivers that were replaced keep what they had got. */
  const earlier: HttpReceiver[] = []
  let receiver = await createHttpReceiver()
  let promised: readonly Promised[] = []

  const sources = {
    yard: await rig.register('yard'),
    gate: await rig.register('gate', { protocol: 'rtmp' }),
  }
  const yard = keepPublishing(rig, 'yard', { protocol: 'rtsp' }, signal)
  const gate = keepPublishing(rig, 'gate', { protocol: 'rtmp', port: network.port }, signal)
  const isLive = async (id: string) =>
    (await rig.ask<{ status: string }>('GET', `/source/${id}`)).status === 'streaming'
  await until(async () => (await isLive(sources.yard)) && (await isLive(sources.gate)), 20_000)

  await registerAlerts(rig, receiver.port, broker.port)
  const started = { yard: await rig.start(sources.yard), gate: await rig.start(sources.gate) }
  const processes = { yard: started.yard.process_uuid, gate: started.gate.process_uuid }
  watchScenes(started.yard.detection_data_url, beatOf('yard scenes'), signal)
  watchScenes(started.gate.detection_data_url, beatOf('gate scenes'), signal)
  const api = watchApi(rig, beatOf('API'), beatOf('ready'), signal)
  watchHls(rig, 'admin/yard', beatOf('HLS'), signal)
  watchWebrtc(rig, 'admin/yard', beatOf('WebRTC'), signal)
  watchRecording(rig, sources.yard, beatOf('recording'), signal)
  const counts = { calls: 0, heard: 0 }
  /** Those that were taken; one that was refused comes again. */
  const calls = () => [...earlier, receiver].flatMap((one) => one.calls).filter(({ status }) => status === 204)
  void repeat(signal, 50, async () => {
    const now = { calls: calls().length, heard: listener.heard.length }
    if (now.calls > counts.calls) beatOf('webhook').beat()
    if (now.heard > counts.heard) beatOf('MQTT').beat()
    Object.assign(counts, now)
  })

  return {
    rig,
    network,
    folder: disk ?? folder,
    hasOwnDisk: disk !== undefined,
    setClock: (offsetMs) => writeFileSync(clockFile, String(offsetMs)),
    postgres,
    broker,
    get receiver() {
      return receiver
    },
    set receiver(next) {
      earlier.push(receiver)
      receiver = next
    },
    signals,
    yard,
    gate,
    sources,
    processes,
    api,
    arrivals: () => [
      ...calls()
        .filter(({ path }) => path === ALERT_PATH)
        .map(toArrival),
      ...listener.heard.map(toHeard),
    ],
    parts: (entry) => childrenOf(rig.service.process.pid!, entry),
    async restart() {
      const parts = childrenOf(rig.service.process.pid!, '')
      process.kill(rig.service.process.pid!, 'SIGKILL')
      parts.forEach(killIfThere)
      await rig.service.stop('SIGKILL')
      promised = await readPromised(rig.installation.dataDir)
      await rig.restart()
    },
    get promised() {
      return promised
    },
    async close() {
      leaving.abort()
      await Promise.all([yard.running.kill(), gate.running.kill()])
      await listener.close()
      await rig.remove()
      await broker.remove()
      await receiver.close()
      await network.close()
      await postgres?.remove()
      if (disk !== undefined) execFileSync('umount', ['--lazy', disk])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself meanwhile.
  }
}

function keepPublishing(rig: ProcessRig, name: string, to: PublishOptions, signal: AbortSignal): Publisher {
  let running: Running | undefined
  const publisher: { input: readonly string[] | undefined } = { input: undefined }
  const publish = (): Running => {
    const options: PublishOptions = { ...to, maxMs: MAX_RUN_MS, ...(publisher.input && { input: publisher.input }) }
    return (running = rig.publish(name, options))
  }
  publish()
  let failures = 0
  let startedAtMs = performance.now()
  void repeat(signal, 0, async () => {
    await running!.finished
    failures = performance.now() - startedAtMs < MIN_CONNECTION_MS ? failures + 1 : 0
    await sleep(backoffMs(failures, PUBLISH_AGAIN), undefined, { signal })
    startedAtMs = performance.now()
    publish()
  })
  return Object.defineProperty(publisher, 'running', { get: () => running }) as Publisher
}

/** They notify twice a second by both channels, for as long as anything is seen. */
async function registerAlerts(rig: ProcessRig, receiverPort: number, brokerPort: number): Promise<void> {
  const output = [
    { type: 'webhook', config: { url: `http://127.0.0.1:${receiverPort}${ALERT_PATH}` } },
    { type: 'mqtt', config: { host: `127.0.0.1:${brokerPort}`, topic: 'chaos/follow' } },
  ]
  const body = { alias: ALERT_ALIAS, type: 'follow-track', trigger: { interval_seconds: 0.5 }, output }
  await rig.ask('POST', '/alert', { body })
}

function toArrival({ headers, body }: HttpReceiver['calls'][number]): Arrival {
  const { alert_uuid: alert, process_uuid: process, sequence } = JSON.parse(body) as AlertListener['heard'][number]
  const id = String(headers['webhook-id'])
  return { id, stream: streamOf('webhook', alert, process), sequence, body }
}

function toHeard(notification: AlertListener['heard'][number]): Arrival {
  const { alert_uuid: alert, process_uuid: process, sequence } = notification
  const stream = streamOf('mqtt', alert, process)
  return { id: `${stream} ${sequence}`, stream, sequence, body: JSON.stringify(notification) }
}
