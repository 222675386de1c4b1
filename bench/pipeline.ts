import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { loadEmbeddedModel } from '../src/pipeline/detect/embedded-weights.ts'
import { findEmbeddedModel } from '../src/pipeline/detect/model-catalog.ts'
import { chooseNumberFormat } from '../src/pipeline/detect/number-format-choice.ts'
import { openSession } from '../src/pipeline/detect/onnx-session.ts'
import { startPipeline } from '../src/pipeline/run.ts'
import { start } from '../test/support/ffmpeg.ts'
import { aPipelineOrder } from '../test/builders/pipeline-order.ts'
import { until } from '../test/support/until.ts'
import { createInstallation } from '../test/support/service.ts'
import { type Benchmark, ms, type Row } from './benchmark.ts'
import { findChild } from './process-usage.ts'

const clip = join(import.meta.dirname, '../assets/demo/people-walking.mp4')
const MODEL = 'fast'
const ROUNDS = 5
const LIVE_SECONDS = 20

export const pipeline: Benchmark = {
  name: 'pipeline',
  title: 'Pipeline',
  about: `The demo clip, ${ROUNDS} times from end to end with \`pace=fast\` (decode, detect, track), each time beside a bare loop of the model \`${MODEL}\` on one thread: the ratio says what everything around the model costs. Then a live 720p stream of 15 frames a second with a keyframe a second, published by RTSP to the real service, for ${LIVE_SECONDS} s.`,
  async run() {
    return [...(await wholeAgainstBare()), ...(await live())]
  },
}

async function wholeAgainstBare(): Promise<Row[]> {
  const cacheDir = await mkdtemp(join(tmpdir(), 'aerie-bench-'))
  try {
    const ratios: number[] = []
    let frames = 0
    const fps: number[] = []
    for (let round = 0; round <= ROUNDS; round++) {
      const whole = await runWhole(cacheDir)
      const bareMs = await runBare(cacheDir, whole.frames)
      // The first round converts the model and warms everything up.
      if (round === 0) continue
      frames = whole.frames
      ratios.push(bareMs / whole.tookMs)
      fps.push((1000 * whole.frames) / whole.tookMs)
    }
    const ratio = median(ratios)
    return [
      {
        what: `file of ${frames} frames: speed of the whole pipeline against the bare model`,
        value: ratio.toFixed(2),
        goal: 'at least 0.85',
        isMet: ratio >= 0.85,
      },
      { what: 'file: frames a second', value: median(fps).toFixed(0) },
    ]
  } finally {
    await rm(cacheDir, { recursive: true })
  }
}

async function runWhole(cacheDir: string): Promise<{ frames: number; tookMs: number }> {
  const order = aPipelineOrder(clip, cacheDir, {
    playback: { pace: 'fast', startedAtMs: Date.now(), resumeAfterSeconds: null },
    detection: { model: MODEL, confidence: null, classes: null, tiles: '1x1', threads: 1, provider: 'cpu', cacheDir },
  })
  let frames = 0
  let firstMs = 0
  let lastMs = 0
  const running = startPipeline(order, (message) => {
    if (message.type !== 'scene') return
    frames += 1
    lastMs = performance.now()
    if (frames === 1) firstMs = lastMs
  })
  await running.ended
  await running.close()
  // From the first scene on, since loading the model is another matter.
  return { frames: frames - 1, tookMs: lastMs - firstMs }
}

async function runBare(cacheDir: string, frames: number): Promise<number> {
  const card = findEmbeddedModel(MODEL)
  const model = await loadEmbeddedModel(card, await chooseNumberFormat(), cacheDir)
  const session = await openSession({ model, threads: 1 })
  const { width, height } = card.inputSize
  const canvas = new Uint8Array(3 * width * height).fill(127)
  await session.run(canvas)
  const startMs = performance.now()
  for (let frame = 0; frame < frames; frame++) await session.run(canvas)
  const tookMs = performance.now() - startMs
  await session.close()
  return tookMs
}

async function live(): Promise<Row[]> {
  const installation = createInstallation()
  try {
    const service = await installation.start({ AERIE_LOG_LEVEL: 'warn' })
    const url = `rtsp://127.0.0.1:${String(service.ready['rtsp_port'])}/admin/bench`
    const target = url.replace('//', `//admin:${installation.masterKey}@`)
    const input = ['-re', '-stream_loop', '-1', '-i', await cameraClip(installation.dataDir), '-c', 'copy']
    const camera = start('ffmpeg', [...input, '-f', 'rtsp', '-rtsp_transport', 'tcp', target])
    const body = { alias: 'bench', input_url: url, stream_type: 'rtsp' }
    const source = (await (await service.call('POST', '/stream', { body })).json()) as { source_uuid: string }
    await until(async () => {
      const record = await (await service.call('GET', `/source/${source.source_uuid}`)).json()
      return (record as { status: string }).status === 'streaming'
    }, 15_000)
    // The model is cached by a first process.
    await firstDetection(service, source.source_uuid).then(({ stop }) => stop())

    const { tookMs, processId, stop } = await firstDetection(service, source.source_uuid)
    await sleep(LIVE_SECONDS * 1000)
    const { stats } = (await (await service.call('GET', `/process/${processId}`)).json()) as {
      stats: Record<string, number>
    }
    const megabytes = peakMegabytes(findChild(service.process.pid!, 'pipeline/worker'))
    await stop()
    await camera.kill()
    const overheadMs = stats['latency_ms_p95']! - stats['inference_ms_p95']!
    return [
      { what: 'live: start to first detection', value: ms(tookMs), goal: 'at most 3000 ms', isMet: tookMs <= 3_000 },
      { what: 'live: frames a second', value: `${stats['processed_fps']} of ${stats['input_fps']}` },
      { what: 'live: inference p95', value: ms(stats['inference_ms_p95']!) },
      {
        what: 'live: arrival to detection message p95, above inference',
        value: ms(overheadMs),
        goal: 'at most 60 ms',
        isMet: overheadMs <= 60,
      },
      {
        what: 'live: memory of the worker, peak',
        value: `${megabytes.toFixed(0)} MB`,
        goal: 'at most 300 MB',
        isMet: megabytes <= 300,
      },
    ]
  } finally {
    await installation.remove()
  }
}

/** Encoded beforehand: a camera sends its frames one by one, and takes nothing of our CPU. */
async function cameraClip(folder: string): Promise<string> {
  const file = join(folder, 'camera.mp4')
  const picture = ['-vf', 'scale=1280:720,fps=15', '-pix_fmt', 'yuv420p']
  const encoder = ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-g', '15']
  await start('ffmpeg', ['-i', clip, ...picture, ...encoder, file]).finished
  return file
}

type Service = Awaited<ReturnType<ReturnType<typeof createInstallation>['start']>>

async function firstDetection(service: Service, sourceId: string) {
  const startMs = performance.now()
  const answer = await service.call('POST', `/start?source_uuid=${sourceId}&model=${MODEL}`)
  const { process_uuid, detection_data_url } = (await answer.json()) as Record<string, string>
  const socket = new WebSocket(detection_data_url!)
  await once(socket, 'message')
  const tookMs = performance.now() - startMs
  return {
    tookMs,
    processId: process_uuid!,
    stop: async () => {
      await service.call('DELETE', `/process/${process_uuid}`)
      socket.terminate()
    },
  }
}

function peakMegabytes(pid: number): number {
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]!
}
