import { readFileSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import { type Clock, toZulu } from '../core/clock.ts'
import { createTurns } from '../core/turns.ts'
import { type PipelineStats } from '../pipeline/messages.ts'
import { type Process } from './process.ts'

/** How fast a model was on this machine when it was last used. */
export const ModelSpeed = z.object({
  inference_ms_p50: z.number(),
  inference_ms_p95: z.number(),
  threads: z.number().int(),
  measured_at: z.string(),
})
export type ModelSpeed = z.infer<typeof ModelSpeed>

/** A busy machine makes a model slow; what it costs is what it took at its best. */
const NotedSpeed = ModelSpeed.extend({ fastest_ms: z.number().optional() })
const Speeds = z.record(z.string(), NotedSpeed)

export interface ModelSpeeds {
  find(model: string): ModelSpeed | undefined
  /** What one picture took at the best; undefined where it never ran. */
  fastestMs(model: string): number | undefined
  /** Takes the figures of a process that has ended. */
  note(model: string, threads: number, stats: PipelineStats, now: number): Promise<void>
}

/** Kept in a file beside the converted models: both are of this machine, and neither is worth a backup. */
export function createModelSpeeds(file: string): ModelSpeeds {
  let speeds = read(file)
  const turns = createTurns()

  async function write(): Promise<void> {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(`${file}.new`, JSON.stringify(speeds, null, 2))
    await rename(`${file}.new`, file)
  }

  function fastestMs(model: string): number | undefined {
    const noted = speeds[model]
    return noted?.fastest_ms ?? noted?.inference_ms_p50
  }

  return {
    find: (model) => speeds[model] && ModelSpeed.parse(speeds[model]),
    fastestMs,
    async note(model, threads, stats, now) {
      const speed = speedOf(threads, stats, now)
      if (!speed) return
      const fastest = Math.min(speed.inference_ms_p50, fastestMs(model) ?? Infinity)
      speeds = { ...speeds, [model]: { ...speed, fastest_ms: fastest } }
      // Processes may end together; one write after the other.
      await turns.take(file, write)
    },
  }
}

export interface SpeedFinderDeps {
  readonly speeds: Pick<ModelSpeeds, 'find'>
  readonly listProcesses: () => readonly Process[]
  readonly inferenceThreads: number
  readonly clock: Pick<Clock, 'now'>
}

/** A model that is in use is as fast as it is now. */
export function createSpeedFinder({
  speeds,
  listProcesses,
  inferenceThreads,
  clock,
}: SpeedFinderDeps): ModelSpeeds['find'] {
  return (model) => {
    const running = listProcesses().filter(({ options }) => options.model === model)
    const measured = running.map(({ stats }) => stats && speedOf(inferenceThreads, stats, clock.now()))
    return measured.find((speed) => speed) ?? speeds.find(model)
  }
}

export interface CostFinderDeps {
  readonly speeds: Pick<ModelSpeeds, 'fastestMs'>
  readonly findSpeed: ModelSpeeds['find']
  readonly models: readonly { readonly name: string; readonly speed?: { readonly oneThreadMs: number } | null }[]
}

/** What one picture takes on a machine that is not busy, as far as anybody knows: measured here, or where the model was made. */
export function createCostFinder({ speeds, findSpeed, models }: CostFinderDeps): (model: string) => number | undefined {
  return (model) => {
    const measured = [findSpeed(model)?.inference_ms_p50, speeds.fastestMs(model)].filter((ms) => ms !== undefined)
    return measured.length > 0 ? Math.min(...measured) : models.find(({ name }) => name === model)?.speed?.oneThreadMs
  }
}

/** Undefined when nothing has been looked at yet. */
function speedOf(threads: number, { inferenceMs }: PipelineStats, now: number): ModelSpeed | undefined {
  if (inferenceMs.p50 === null || inferenceMs.p95 === null) return undefined
  return {
    inference_ms_p50: inferenceMs.p50,
    inference_ms_p95: inferenceMs.p95,
    threads,
    measured_at: toZulu(now),
  }
}

/** A file that is missing or broken is as good as none: the next process writes a new one. */
function read(file: string): z.infer<typeof Speeds> {
  try {
    return Speeds.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return {}
  }
}
