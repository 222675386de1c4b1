import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import '../src/core/no-onnx-telemetry.ts'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { createFileDetector } from '../src/cli/detect-file.ts'
import { createGreyScaler } from '../src/pipeline/decode/grey-scaler.ts'
import { createScaler } from '../src/pipeline/decode/scaler.ts'
import { createCanvas } from '../src/pipeline/detect/canvas.ts'
import { loadEmbeddedModel } from '../src/pipeline/detect/embedded-weights.ts'
import { letterboxOf, wholePicture } from '../src/pipeline/detect/letterbox.ts'
import { type EmbeddedModel } from '../src/pipeline/detect/model-card.ts'
import { embeddedModels } from '../src/pipeline/detect/model-catalog.ts'
import { chooseNumberFormat } from '../src/pipeline/detect/number-format-choice.ts'
import { type Benchmark, ms, percent, type Row } from './benchmark.ts'
import { demoClip, demoFrames } from './demo-clip.ts'

const MIN_SHARE = 0.85
const ROUNDS = 5

export const detection: Benchmark = {
  name: 'detection',
  title: 'Detection',
  about:
    'The demo clip (768×576, 168 frames) from file to detections, one thread for the model: decoding and scaling go on while the model works. Beside it, in turns, a bare loop of ONNX Runtime’s `session.run` with the same model on a picture that is already there. The best of five rounds each: whatever else the machine does only makes a round slower.',
  async run() {
    const cacheDir = mkdtempSync(join(tmpdir(), 'aerie-bench-'))
    try {
      const rows: Row[] = []
      // `overhead` is `thermal` with other names.
      for (const model of embeddedModels.filter(({ name }) => name !== 'overhead'))
        rows.push(...(await measureModel(model, cacheDir)))
      return [...rows, ...(await measureSteps())]
    } finally {
      rmSync(cacheDir, { recursive: true })
    }
  },
}

interface Cost {
  /** For one frame, each. */
  readonly wallMs: number
  readonly cpuMs: number
}

async function measureModel(model: EmbeddedModel, cacheDir: string): Promise<Row[]> {
  const { name } = model
  const detector = await createFileDetector({
    model: name,
    cacheDir,
    confidence: 0.3,
    tiles: { columns: 1, rows: 1 },
    onTiled: () => {},
  })
  const bare = await openBareSession(model, cacheDir)
  const wholeWay = async () => {
    let frames = 0
    for await (const _found of detector.detect(demoClip.file)) frames++
    return frames
  }
  const bareLoop = async () => {
    for (let frame = 0; frame < demoClip.frames; frame++) await bare.run()
    return demoClip.frames
  }
  const costs: { whole: Cost; bare: Cost }[] = []
  await wholeWay()
  for (let round = 0; round < ROUNDS; round++)
    costs.push({ bare: await costOf(bareLoop), whole: await costOf(wholeWay) })
  await detector.close()
  await bare.release()

  const best = (which: 'whole' | 'bare', what: keyof Cost) => Math.min(...costs.map((cost) => cost[which][what]))
  const share = best('bare', 'wallMs') / best('whole', 'wallMs')
  const side = (which: 'whole' | 'bare') => {
    const wall = best(which, 'wallMs')
    return `${ms(wall)} a frame (${(1000 / wall).toFixed(0)} fps), CPU ${ms(best(which, 'cpuMs'))}`
  }
  return [
    { what: `\`${name}\`: \`session.run\` alone`, value: side('bare') },
    { what: `\`${name}\`: file to detections`, value: side('whole') },
    {
      what: `\`${name}\`: share of the bare loop’s speed`,
      value: percent(share),
      goal: `at least ${percent(MIN_SHARE)}`,
      isMet: share >= MIN_SHARE,
    },
  ]
}

async function openBareSession(model: EmbeddedModel, cacheDir: string) {
  const bytes = await loadEmbeddedModel(model, await chooseNumberFormat(), cacheDir)
  const session = await InferenceSession.create(bytes, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    logSeverityLevel: 3,
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  })
  const { width, height } = model.inputSize
  const feeds = { [session.inputNames[0]!]: new Tensor('uint8', await drawOne(model), [1, height, width, 3]) }
  return { run: () => session.run(feeds), release: () => session.release() }
}

async function drawOne({ inputSize, picture }: EmbeddedModel): Promise<Uint8Array> {
  const scaler = createScaler()
  const canvas = createCanvas(scaler, inputSize, picture.padding)
  for await (const { frame } of demoFrames()) {
    canvas.draw(frame, letterboxOf(wholePicture(frame), inputSize))
    break
  }
  scaler.close()
  return Uint8Array.from(canvas.bytes)
}

/** What the steps beside the model cost by themselves, on one thread. */
async function measureSteps(): Promise<Row[]> {
  const scaler = createScaler()
  const size = { width: 320, height: 320 }
  const canvas = createCanvas(scaler, size, 127)
  const toGrey = createGreyScaler(scaler)
  const spent = { decode: 0, scale: 0, grey: 0 }
  let mark = performance.now()
  const lap = () => -mark + (mark = performance.now())
  for await (const { frame } of demoFrames()) {
    spent.decode += lap()
    canvas.draw(frame, letterboxOf(wholePicture(frame), size))
    spent.scale += lap()
    toGrey(frame)
    spent.grey += lap()
  }
  scaler.close()
  const row = (what: string, total: number): Row => ({ what, value: `${ms(total / demoClip.frames)} a frame` })
  return [
    row('reading and decoding', spent.decode),
    row('scaling onto a canvas of 320×320', spent.scale),
    row('a grey picture of 320×240, for the camera’s motion', spent.grey),
  ]
}

async function costOf(work: () => Promise<number>): Promise<Cost> {
  const startedAt = performance.now()
  const before = process.cpuUsage()
  const frames = await work()
  const { user, system } = process.cpuUsage(before)
  return { wallMs: (performance.now() - startedAt) / frames, cpuMs: (user + system) / 1000 / frames }
}
