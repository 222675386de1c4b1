import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type z } from 'zod'
import { type ProcessInfo, type StartedProcess } from '../../src/processes/processes.schema.ts'
import { type Installation, type RunningService } from './installation.ts'
import { createInstallation } from './service.ts'
import { connectDetections, type DetectionSocket } from './detection-socket.ts'
import { type Running, start as startTool } from './ffmpeg.ts'
import { until } from './until.ts'

export type Info = z.infer<typeof ProcessInfo>
export type Started = z.infer<typeof StartedProcess>

/** People who walk, 768×576, 7 frames a second, 24 s, 168 frames. */
export const clip = join(import.meta.dirname, '../../assets/demo/people-walking.mp4')

/** The real service, real ffmpegs that publish to it, and processes that look at what they publish. */
export interface ProcessRig {
  readonly installation: Installation
  readonly service: RunningService
  readonly rtsp: number
  readonly rtmp: number
  /** For files that the test makes; removed at the end. */
  readonly folder: string
  /** The clip's first seconds, as a file of their own: what takes as long as its video does need not take all of it. */
  cutClip(seconds: number): Promise<string>
  /** Some settings may be others than before. */
  restart(changed?: Record<string, string>): Promise<void>
  ask<T>(method: string, path: string, options?: { key?: string; body?: unknown }): Promise<T>
  /** Publishes until it is killed; the demo clip over and over, unless other arguments of ffmpeg are given. */
  publish(name: string, options?: PublishOptions): Running
  /** Registers a stream of the media server and resolves with its id. */
  register(name: string, options?: { protocol?: 'rtsp' | 'rtmp'; key?: string; username?: string }): Promise<string>
  /** Registers, publishes and waits until it is live. */
  goLive(name: string, options?: PublishOptions): Promise<{ sourceId: string; publisher: Running }>
  upload(file: string, key?: string, details?: { alias?: string; telemetryCfg?: object }): Promise<string>
  start(sourceId: string, query?: Record<string, string>, key?: string): Promise<Started>
  /** For starts that are to fail. */
  tryStart(sourceId: string, query?: Record<string, string>, key?: string): Promise<Refusal>
  info(processId: string): Promise<Info>
  untilState(processId: string, state: Info['state'], withinMs?: number): Promise<Info>
  connect(started: Pick<Started, 'detection_data_url'>): Promise<DetectionSocket>
  /** The pids of the service's workers. */
  workers(): number[]
  /** Stops every process and every publisher; fails when a worker is left. */
  clear(): Promise<void>
  remove(): Promise<void>
}

export interface PublishOptions {
  readonly protocol?: 'rtsp' | 'rtmp'
  /** Arguments of ffmpeg before the output. */
  readonly input?: readonly string[]
  readonly username?: string
  readonly key?: string
  /** Another than the service's own, as of something that stands between. */
  readonly port?: number
  /** No longer than this; two minutes by default. */
  readonly maxMs?: number
}

export interface Refusal {
  readonly status: number
  readonly code: string
  readonly detail: string
  readonly errors?: readonly { path: string; message: string }[]
}

export const loopedClip = ['-re', '-stream_loop', '-1', '-i', clip, '-c', 'copy', '-an']

export async function createProcessRig(settings: Record<string, string> = {}): Promise<ProcessRig> {
  const installation = createInstallation()
  const folder = mkdtempSync(join(tmpdir(), 'aerie-processes-'))
  const publishers: Running[] = []
  const sockets: DetectionSocket[] = []
  let service = await installation.start(settings)
  const port = (protocol: 'rtsp' | 'rtmp') => Number(service.ready[`${protocol}_port`])

  const rig: ProcessRig = {
    installation,
    folder,
    get service() {
      return service
    },
    get rtsp() {
      return port('rtsp')
    },
    get rtmp() {
      return port('rtmp')
    },
    async cutClip(seconds) {
      const file = join(folder, `first-${seconds}-seconds.mp4`)
      await startTool('ffmpeg', ['-y', '-i', clip, '-t', String(seconds), '-c', 'copy', file]).finished
      return file
    },
    async restart(changed = {}) {
      // On the same ports, as an installed service has them: publishers come back to the same address.
      const ports = { AERIE_RTSP_PORT: String(port('rtsp')), AERIE_RTMP_PORT: String(port('rtmp')) }
      service = await installation.start({ ...settings, ...ports, ...changed })
    },
    async ask<T>(method: string, path: string, options: { key?: string; body?: unknown } = {}) {
      const response = await service.call(method, path, options)
      const body = await response.text()
      if (!response.ok) throw new Error(`${method} ${path} was answered by ${response.status}: ${body}`)
      return JSON.parse(body) as T
    },
    publish(name, { protocol = 'rtsp', input = loopedClip, maxMs = 120_000, ...rest } = {}) {
      const { username = 'admin', key = installation.masterKey, port: other = port(protocol) } = rest
      const path = `${username}/${name}`
      const output =
        protocol === 'rtsp'
          ? ['-f', 'rtsp', '-rtsp_transport', 'tcp', `rtsp://${username}:${key}@127.0.0.1:${other}/${path}`]
          : ['-f', 'flv', `rtmp://127.0.0.1:${other}/${path}?api_key=${key}`]
      const publisher = startTool('ffmpeg', [...input, ...output], maxMs)
      publishers.push(publisher)
      return publisher
    },
    async register(name, { protocol = 'rtsp', key = installation.masterKey, username = 'admin' } = {}) {
      const { source_uuid: id } = await rig.ask<{ source_uuid: string }>('POST', '/stream', {
        key,
        body: {
          alias: name,
          input_url: `${protocol}://127.0.0.1:${port(protocol)}/${username}/${name}`,
          stream_type: protocol,
        },
      })
      return id
    },
    async goLive(name, options = {}) {
      const { key = installation.masterKey } = options
      const sourceId = await rig.register(name, options)
      const publisher = rig.publish(name, options)
      const status = async () => (await rig.ask<{ status: string }>('GET', `/source/${sourceId}`, { key })).status
      await until(async () => (await status()) === 'streaming', 10_000)
      return { sourceId, publisher }
    },
    async upload(file, key = installation.masterKey, { alias, telemetryCfg } = {}) {
      const form = new FormData()
      if (alias !== undefined) form.set('alias', alias)
      if (telemetryCfg) form.set('telemetry_cfg', JSON.stringify(telemetryCfg))
      form.set('file', new Blob([readFileSync(file)]), basename(file))
      const response = await fetch(`${service.url}/video`, { method: 'POST', headers: { api_key: key }, body: form })
      if (!response.ok) throw new Error(`The upload was answered by ${response.status}: ${await response.text()}`)
      return ((await response.json()) as { source_uuid: string }).source_uuid
    },
    start: (sourceId, query, key) =>
      rig.ask<Started>('POST', startPath(sourceId, query), key === undefined ? {} : { key }),
    async tryStart(sourceId, query, key) {
      const response = await service.call('POST', startPath(sourceId, query), key === undefined ? {} : { key })
      return { ...((await response.json()) as Refusal), status: response.status }
    },
    info: (processId) => rig.ask<Info>('GET', `/process/${processId}`),
    async untilState(processId, state, withinMs = 10_000) {
      let info = await rig.info(processId)
      const isReached = async () => (info = await rig.info(processId)).state === state
      await until(isReached, withinMs).catch(() => {
        throw new Error(`not ${state} within ${withinMs} ms: ${JSON.stringify(info)}`)
      })
      return info
    },
    async connect(started) {
      const socket = await connectDetections(started.detection_data_url)
      sockets.push(socket)
      return socket
    },
    workers: () => service.children('pipeline/worker.js'),
    async clear() {
      for (const socket of sockets.splice(0)) socket.close()
      await service.call('DELETE', '/processes')
      const left = rig.workers()
      if (left.length > 0) throw new Error(`${left.length} workers outlived their processes`)
      for (const publisher of publishers.splice(0)) await publisher.kill()
    },
    async remove() {
      for (const publisher of publishers.splice(0)) await publisher.kill()
      await installation.remove()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return rig
}

function startPath(sourceId: string, query: Record<string, string> = {}): string {
  return `/start?${new URLSearchParams({ source_uuid: sourceId, ...query }).toString()}`
}
