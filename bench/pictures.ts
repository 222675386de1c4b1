import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../src/core/clock.ts'
import { type Scene } from '../src/core/scene.ts'
import { type Picture } from '../src/pipeline/picture.ts'
import { startPipeline } from '../src/pipeline/run.ts'
import { createScenePictures } from '../src/pipeline/scene-pictures.ts'
import { createTrackPictures } from '../src/pipeline/track-pictures.ts'
import { aPipelineOrder } from '../test/builders/pipeline-order.ts'
import { type Benchmark, percent } from './benchmark.ts'
import { demoClip, demoFrames } from './demo-clip.ts'

const ROUNDS = 7

export const pictures: Benchmark = {
  name: 'pictures',
  title: 'Pictures of tracks',
  about: `The demo clip from end to end with \`pace=fast\` and the model \`fast\`, with and without the pictures of its tracks for the report, ${ROUNDS} times in turn: the median of the rounds' ratios of the time that the clip takes, which needs a quiet machine. What the pictures cost in CPU time would drown in the noise of detection; so it is measured apart, decoding the clip with its tracks as they were seen, with and without pictures (medians of ${3 * ROUNDS} rounds, all threads), and set against the CPU time of the pipeline without them. Likewise the small frames that are held while an alert runs, five a second of the clip's time: against that time.`,
  async run() {
    const cacheDir = await mkdtemp(join(tmpdir(), 'aerie-bench-'))
    try {
      const { scenes } = await runClip(cacheDir, true)
      const [withThem, without]: [Clip[], Clip[]] = [[], []]
      for (let round = 0; round < ROUNDS; round++) {
        // The order changes, or a machine that slows down would blame always the same.
        for (const keeps of round % 2 === 0 ? [true, false] : [false, true])
          (keeps ? withThem : without).push(await runClip(cacheDir, keeps))
      }
      const time = median(withThem.map(({ ms }, round) => ms / without[round]!.ms)) - 1
      const held = (await replayCost(scenes, holdFrames)) / ((1_000 * demoClip.frames) / demoClip.fps)
      const cpu = (await replayCost(scenes, keepPictures)) / median(without.map(({ cpuMs }) => cpuMs))
      return [
        { what: 'what they take of the throughput', value: percent(time), goal: 'less than 3 %', isMet: time < 0.03 },
        { what: 'what they add to the CPU time', value: percent(cpu), goal: 'less than 3 %', isMet: cpu < 0.03 },
        {
          what: 'frames held for pictures of alert events, of a core',
          value: percent(held),
          goal: 'less than 1 %',
          isMet: held < 0.01,
        },
        {
          what: 'frames a second with them',
          value: ((1000 * demoClip.frames) / median(withThem.map(({ ms }) => ms))).toFixed(0),
        },
        { what: 'pictures told', value: median(withThem.map(({ count }) => count)).toFixed(0) },
      ]
    } finally {
      await rm(cacheDir, { recursive: true })
    }
  },
}

interface Clip {
  readonly ms: number
  readonly cpuMs: number
  readonly count: number
  readonly scenes: readonly Scene[]
}

/** What looks at every frame of the clip with its tracks. */
interface Watcher {
  see(picture: Picture, scene: Scene): void
  close(): Promise<void>
}

function keepPictures(): Watcher {
  const pictures = createTrackPictures(() => {})
  return {
    see: (picture, { tracks }) =>
      pictures.see(
        picture,
        tracks,
        tracks.map(({ id }) => id),
      ),
    close: () => pictures.close(),
  }
}

/** In the time of the clip, which is decoded in less. */
function holdFrames(): Watcher {
  let nowMs = 0
  const pictures = createScenePictures(() => {}, true, { ...systemClock, steady: () => nowMs })
  return {
    see(picture, { tracks, frame }) {
      nowMs = frame.ptsSeconds * 1_000
      pictures.see(picture, tracks)
    },
    close: () => pictures.close(),
  }
}

/** Milliseconds of CPU time that a watcher of the whole clip costs. */
async function replayCost(scenes: readonly Scene[], create: () => Watcher): Promise<number> {
  const [withThem, without]: [number[], number[]] = [[], []]
  for (let round = 0; round < 3 * ROUNDS; round++) {
    withThem.push(await replay(scenes, create()))
    without.push(await replay(scenes, undefined))
  }
  return median(withThem) - median(without)
}

async function replay(scenes: readonly Scene[], watcher: Watcher | undefined): Promise<number> {
  const before = process.cpuUsage()
  let index = 0
  for await (const decoded of demoFrames()) {
    const scene = scenes[index++]!
    const { takenAtMs, frame } = scene
    const times = {
      takenAtMs,
      timeMs: takenAtMs,
      arrivedMs: 0,
      ptsSeconds: frame.ptsSeconds,
      rtpTimestamp: null,
      breaks: 0,
    }
    watcher?.see({ decoded, ...times }, scene)
  }
  await watcher?.close()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

async function runClip(cacheDir: string, keepsPictures: boolean): Promise<Clip> {
  let firstMs: number | undefined
  let cpu = process.cpuUsage()
  let count = 0
  const scenes: Scene[] = []
  const pipeline = startPipeline(aPipelineOrder(demoClip.file, cacheDir, { keepsPictures }), (message) => {
    if (message.type === 'track-pictures') count += message.pictures.length
    if (message.type === 'scene') scenes.push(message.scene)
    if (message.type !== 'scene' || firstMs !== undefined) return
    // Loading the model is another matter.
    firstMs = performance.now()
    cpu = process.cpuUsage()
  })
  await pipeline.ended
  const { user, system } = process.cpuUsage(cpu)
  return { ms: performance.now() - firstMs!, cpuMs: (user + system) / 1000, count, scenes }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]!
}
