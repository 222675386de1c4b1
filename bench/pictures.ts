import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPipeline } from '../src/pipeline/run.ts'
import { type Benchmark, percent } from './benchmark.ts'
import { demoClip } from './demo-clip.ts'

const ROUNDS = 7

export const pictures: Benchmark = {
  name: 'pictures',
  title: 'Pictures of tracks',
  about: `The demo clip from end to end with \`pace=fast\` and the model \`fast\`, with and without the pictures of its tracks for the report, ${ROUNDS} times in turn. The median of the rounds' ratios: of the time that the clip takes, and of the CPU time of all threads.`,
  async run() {
    const cacheDir = await mkdtemp(join(tmpdir(), 'aerie-bench-'))
    try {
      await runClip(cacheDir, true)
      const rounds: { time: number; cpu: number; fps: number; count: number }[] = []
      for (let round = 0; round < ROUNDS; round++) {
        // The order changes, or a machine that slows down would blame always the same.
        const isFirst = round % 2 === 0
        const one = await runClip(cacheDir, isFirst)
        const other = await runClip(cacheDir, !isFirst)
        const [withThem, without] = isFirst ? [one, other] : [other, one]
        rounds.push({
          time: withThem.ms / without.ms - 1,
          cpu: withThem.cpuMs / without.cpuMs - 1,
          fps: (1000 * demoClip.frames) / withThem.ms,
          count: withThem.count,
        })
      }
      const time = median(rounds.map((round) => round.time))
      return [
        { what: 'what they take of the throughput', value: percent(time), goal: 'less than 3 %', isMet: time < 0.03 },
        { what: 'what they add to the CPU time', value: percent(median(rounds.map(({ cpu }) => cpu))) },
        { what: 'frames a second with them', value: median(rounds.map(({ fps }) => fps)).toFixed(0) },
        { what: 'pictures told', value: median(rounds.map(({ count }) => count)).toFixed(0) },
      ]
    } finally {
      await rm(cacheDir, { recursive: true })
    }
  },
}

async function runClip(
  cacheDir: string,
  keepsPictures: boolean,
): Promise<{ ms: number; cpuMs: number; count: number }> {
  let firstMs: number | undefined
  let cpu = process.cpuUsage()
  let count = 0
  const pipeline = startPipeline(
    {
      input: { kind: 'file', path: demoClip.file, pace: 'fast', startedAtMs: 0, resumeAfterSeconds: null },
      detection: { model: 'fast', confidence: null, classes: null, tiles: '1x1', threads: 1, cacheDir },
      isTracking: true,
      firstTrackId: 1,
      isPaused: false,
      geolocation: null,
      outputs: [],
      isFeedWanted: false,
      keepsPictures,
    },
    (message) => {
      if (message.type === 'track-pictures') count += message.pictures.length
      if (message.type !== 'scene' || firstMs !== undefined) return
      // Loading the model is another matter.
      firstMs = performance.now()
      cpu = process.cpuUsage()
    },
  )
  await pipeline.ended
  const { user, system } = process.cpuUsage(cpu)
  return { ms: performance.now() - firstMs!, cpuMs: (user + system) / 1000, count }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]!
}
