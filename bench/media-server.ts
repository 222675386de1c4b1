import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import autocannon from 'autocannon'
import { type Installation, type RunningService } from '../test/support/installation.ts'
import { createInstallation } from '../test/support/service.ts'
import { type Benchmark, ms, percent, type Row } from './benchmark.ts'
import { cpuSeconds, findChild } from './process-usage.ts'
import { startCamera } from './rtsp-camera.ts'
import { type Reading, type ReaderRequest } from './rtsp-readers.ts'

const SECONDS = 10

export const mediaServer: Benchmark = {
  name: 'media-server',
  title: 'Media server',
  about:
    'One camera (720p30, 3 Mbit/s) is read by many over RTSP. The readers have a process of their own, the camera runs in the benchmark’s, and only the server’s CPU is counted; the latency is from the camera’s write to the reader’s read of a frame’s last packet. Then a real stream is recorded.',
  async run() {
    const installation = createInstallation()
    try {
      const service = await installation.start({ AERIE_LOG_LEVEL: 'warn' })
      const few = await measureReaders(installation, service, 50, 'tcp')
      const many = await measureReaders(installation, service, 200, 'tcp')
      const udp = await measureReaders(installation, service, 30, 'udp')
      const underLoad = await measureUnderApiLoad(installation, service)
      const recording = await measureRecording(installation, service)
      const perReader = many.cpu / 200 / (few.cpu / 50)
      return [
        ...rowsOf('50 readers by TCP', few, 0.15),
        ...rowsOf('200 readers by TCP', many),
        {
          what: 'cost a reader, 200 against 50',
          value: `${perReader.toFixed(2)} times`,
          goal: 'flat',
          isMet: perReader < 1.2,
        },
        ...rowsOf('30 readers by UDP', udp),
        {
          what: 'latency p95, 10 readers, API at 500 requests a second',
          value: ms(underLoad.p95),
          goal: '20 ms',
          isMet: underLoad.p95 < 20,
        },
        {
          what: 'recording one 720p30 stream: CPU',
          value: percent(recording),
          goal: '4 % of a core',
          isMet: recording <= 0.04,
        },
      ]
    } finally {
      await installation.remove()
    }
  },
}

interface Measured {
  readonly cpu: number
  readonly lost: number
  readonly p50: number
  readonly p95: number
}

function rowsOf(what: string, { cpu, lost, p50, p95 }: Measured, cpuGoal?: number): Row[] {
  return [
    {
      what: `${what}: CPU of the media server`,
      value: percent(cpu),
      ...(cpuGoal && { goal: `${percent(cpuGoal)} of a core`, isMet: cpu <= cpuGoal }),
    },
    { what: `${what}: packets lost`, value: String(lost), goal: 'none', isMet: lost === 0 },
    { what: `${what}: latency`, value: `p50 ${ms(p50)}, p95 ${ms(p95)}` },
  ]
}

async function measureReaders(
  installation: Installation,
  service: RunningService,
  readers: number,
  transport: 'tcp' | 'udp',
): Promise<Measured> {
  const port = Number(service.ready['rtsp_port'])
  const path = `admin/bench-${transport}-${readers}`
  const key = installation.masterKey
  const camera = await startCamera(port, path, key)
  const load = forkTypeScript('rtsp-readers.ts')
  try {
    await ask(load, { port, path, key, readers, transport } satisfies ReaderRequest)
    await sleep(2000)
    const server = findChild(service.process.pid!, 'media-server')
    const before = cpuSeconds(server)
    load.send('measure')
    await sleep(SECONDS * 1000)
    const reading = await ask<Reading>(load, 'report')
    const cpu = (cpuSeconds(server) - before) / SECONDS
    const sorted = reading.latenciesMs.sort((a, b) => a - b)
    const at = (fraction: number) => sorted[Math.floor(sorted.length * fraction)] ?? NaN
    return { cpu, lost: reading.lost, p50: at(0.5), p95: at(0.95) }
  } finally {
    camera.stop()
    load.kill()
    await once(load, 'exit')
  }
}

async function measureUnderApiLoad(installation: Installation, service: RunningService): Promise<Measured> {
  const load = autocannon({
    url: `${service.url}/user_info`,
    connections: 10,
    overallRate: 500,
    duration: SECONDS + 6,
    headers: { api_key: installation.masterKey },
  })
  const measured = await measureReaders(installation, service, 10, 'tcp')
  await load
  return measured
}

/** A real stream, played from a file as it is, so that no encoder competes for the CPU. */
async function measureRecording(installation: Installation, service: RunningService): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'aerie-bench-'))
  const clip = join(folder, 'clip.mp4')
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=1280x720:rate=30', '-t', '20', '-pix_fmt', 'yuv420p']
  execFileSync('ffmpeg', [
    '-v',
    'error',
    ...source,
    '-c:v',
    'libx264',
    '-preset',
    'veryfast',
    '-bf',
    '0',
    '-g',
    '30',
    '-b:v',
    '3M',
    clip,
  ])
  const port = Number(service.ready['rtsp_port'])
  await service.call('POST', '/stream', {
    body: { alias: 'bench', input_url: `rtsp://localhost:${port}/admin/rec`, stream_type: 'rtsp' },
  })
  const url = `rtsp://admin:${installation.masterKey}@127.0.0.1:${port}/admin/rec`
  const camera = spawn(
    'ffmpeg',
    ['-v', 'error', '-re', '-stream_loop', '-1', '-i', clip, '-c', 'copy', '-f', 'rtsp', '-rtsp_transport', 'tcp', url],
    { stdio: 'ignore' },
  )
  try {
    await sleep(5000)
    const recorder = findChild(service.process.pid!, 'recording')
    const before = cpuSeconds(recorder)
    await sleep(SECONDS * 1000)
    return (cpuSeconds(recorder) - before) / SECONDS
  } finally {
    camera.kill('SIGKILL')
    rmSync(folder, { recursive: true })
  }
}

function forkTypeScript(file: string): ChildProcess {
  const runner = new URL('../node_modules/vite-node/vite-node.mjs', import.meta.url).pathname
  return fork(runner, [new URL(file, import.meta.url).pathname])
}

async function ask<T>(child: ChildProcess, question: object | string): Promise<T> {
  const answer = once(child, 'message')
  child.send(question)
  return (await answer)[0] as T
}
