import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { loadEmbeddedModel } from '../src/pipeline/detect/embedded-weights.ts'
import { findEmbeddedModel } from '../src/pipeline/detect/model-catalog.ts'
import { chooseNumberFormat } from '../src/pipeline/detect/number-format-choice.ts'
import { openSession } from '../src/pipeline/detect/onnx-session.ts'
import { attachNew } from '../test/support/outputs.ts'
import { createProcessRig, type ProcessRig } from '../test/support/process-rig.ts'
import { type Benchmark, ms, percent, type Row } from './benchmark.ts'
import { startCameraWall, type Wall, WALL_FPS } from './camera-wall.ts'

/** A scene that stands still is seldom looked at once it is known. */
const WARM_UP_SECONDS = 15
const SECONDS = 12

/** What is promised of streams that move. */
interface Goals {
  /** Of the rate of the bare model. */
  readonly bareShare?: number
  /** Of the best total with fewer streams. */
  readonly bestShare?: number
  readonly fps?: number
  readonly p95Ms?: number
}

interface Situation extends Wall {
  readonly model?: string
  readonly isRecorded?: boolean
  /** Each process has a video output, which nobody reads. */
  readonly hasOutput?: boolean
  /** One core is taken by another program. */
  readonly isBesideLoop?: boolean
  readonly goals?: Goals
}

const DEFAULT_MODEL = 'fast'
const MIN_FAIRNESS = 0.7

const situations: readonly Situation[] = [
  { moving: 1, still: 0 },
  { moving: 2, still: 0 },
  { moving: 4, still: 0, goals: { bareShare: 0.85 } },
  { moving: 8, still: 0, goals: { bestShare: 0.95, fps: 5, p95Ms: 250 } },
  { moving: 16, still: 0, goals: { bareShare: 0.8, bestShare: 0.95, p95Ms: 400 } },
  { moving: 4, still: 12, goals: { fps: 5, p95Ms: 250 } },
  { moving: 2, still: 30, goals: { fps: 5, p95Ms: 250 } },
  { moving: 4, still: 0, isRecorded: false },
  { moving: 4, still: 0, hasOutput: true },
  { moving: 4, still: 0, isBesideLoop: true, goals: { bareShare: 0.9 } },
  { moving: 4, still: 0, model: 'balanced', goals: { bareShare: 0.85 } },
  { moving: 4, still: 0, model: 'accurate', goals: { bareShare: 0.85 } },
]

export const capacity: Benchmark = {
  name: 'capacity',
  title: 'Capacity',
  about: `Live 720p streams of ${WALL_FPS} frames a second with the model \`${DEFAULT_MODEL}\` and their recordings, more and more of them, then with other settings: detections a second of those that move (over ${SECONDS} s) against the bare model in a loop that has every core (or those that another program leaves), the slowest against the mean, and the time from a frame’s arrival at its worker to its detections.`,
  async run() {
    const rows: Row[] = []
    const bareRates = new Map<string, number>()
    let bestTotal = 0
    for (const situation of situations) {
      const { model = DEFAULT_MODEL, isBesideLoop = false } = situation
      const threads = cpus().length - Number(isBesideLoop)
      const key = `${model}, ${threads}`
      const bare = bareRates.get(key) ?? (await bareRate(model, threads))
      if (!bareRates.has(key))
        rows.push({
          what: `the bare model ${model} in a loop, ${threads} threads`,
          value: `${bare.toFixed(1)} a second`,
        })
      bareRates.set(key, bare)
      console.log(`  ${nameOf(situation)} …`)
      // A start that a full machine refuses is a result too, and the others are still worth knowing.
      const measured = await measure(situation).catch((error: unknown) => (error as Error).message)
      if (typeof measured === 'string') {
        rows.push({ what: nameOf(situation), value: measured, goal: 'all start', isMet: false })
        continue
      }
      rows.push(...rowsOf(situation, measured, bare, bestTotal))
      if (model === DEFAULT_MODEL) bestTotal = Math.max(bestTotal, measured.total)
    }
    return rows
  },
}

interface Measured {
  /** Detections a second of those that move, together. */
  readonly total: number
  readonly slowest: number
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p99Ms: number
  readonly busy: number
  readonly megabytes: number
}

function rowsOf(situation: Situation, measured: Measured, bare: number, bestTotal: number): Row[] {
  const { moving, goals = {} } = situation
  const { total, slowest, p50Ms, p95Ms, p99Ms, busy, megabytes } = measured
  const name = nameOf(situation)
  const mean = total / moving
  return [
    {
      what: `${name}: detections a second, all that move; each`,
      value: `${total.toFixed(1)}; ${mean.toFixed(1)}`,
      ...(goals.fps !== undefined && { goal: `at least ${goals.fps} each`, isMet: mean >= goals.fps }),
    },
    {
      what: `${name}: against the bare model`,
      value: (total / bare).toFixed(2),
      ...(goals.bareShare !== undefined && {
        goal: `at least ${goals.bareShare}`,
        isMet: total / bare >= goals.bareShare,
      }),
    },
    ...(goals.bestShare === undefined
      ? []
      : [
          {
            what: `${name}: against the best with fewer`,
            value: (total / bestTotal).toFixed(2),
            goal: `at least ${goals.bestShare}`,
            isMet: total / bestTotal >= goals.bestShare,
          },
        ]),
    {
      what: `${name}: the slowest that moves against their mean`,
      value: percent(slowest / mean),
      goal: `at least ${percent(MIN_FAIRNESS)}`,
      isMet: slowest / mean >= MIN_FAIRNESS,
    },
    {
      what: `${name}: arrival to detections p50, p95, p99, of the latest that moves`,
      value: `${ms(p50Ms)}, ${ms(p95Ms)}, ${ms(p99Ms)}`,
      ...(goals.p95Ms !== undefined && { goal: `p95 under ${ms(goals.p95Ms)}`, isMet: p95Ms < goals.p95Ms }),
    },
    { what: `${name}: the machine is busy; memory of a worker`, value: `${percent(busy)}; ${megabytes.toFixed(0)} MB` },
  ]
}

function nameOf({ moving, still, model, isRecorded = true, hasOutput, isBesideLoop }: Situation): string {
  return [
    `${moving} moving${still > 0 ? ` and ${still} still` : ''}`,
    ...(model === undefined ? [] : [`with ${model}`]),
    ...(isRecorded ? [] : ['not recorded']),
    ...(hasOutput ? ['with an output each'] : []),
    ...(isBesideLoop ? ['beside a busy loop'] : []),
  ].join(', ')
}

async function measure(situation: Situation): Promise<Measured> {
  const { moving, model = DEFAULT_MODEL, isRecorded = true, hasOutput, isBesideLoop } = situation
  const rig = await createProcessRig({ AERIE_LOG_LEVEL: 'warn' })
  const cameras = await startCameraWall(rig, situation, 600_000)
  const loop = isBesideLoop ? spawn(process.execPath, ['-e', 'for (;;);']) : undefined
  try {
    for (const sourceId of cameras.sourceIds)
      if (!isRecorded) await rig.ask('PATCH', `/source/${sourceId}`, { body: { record: false } })
    const watched: Awaited<ReturnType<typeof watch>>[] = []
    for (const sourceId of cameras.sourceIds) watched.push(await watch(rig, sourceId, model))
    for (const [at, { id }] of watched.entries())
      if (hasOutput) await attachNew(rig, id, { type: 'rtsp', url: `rtsp://out-${at}` })
    await sleep(WARM_UP_SECONDS * 1000)
    for (const one of watched) one.begin()
    const before = machineTimes()
    const startMs = performance.now()
    await sleep(SECONDS * 1000)
    const seconds = (performance.now() - startMs) / 1000
    const busy = busyShare(before, machineTimes())
    const those = watched.slice(0, moving)
    const rates = those.map(({ count }) => count / seconds)
    const stats = await Promise.all(those.map((one) => one.stats()))
    const memory = rig.workers().map(residentMegabytes)
    for (const one of watched) one.close()
    return {
      total: sum(rates),
      slowest: Math.min(...rates),
      p50Ms: Math.max(...stats.map((one) => one.latency_ms_p50 ?? NaN)),
      p95Ms: Math.max(...stats.map((one) => one.latency_ms_p95 ?? NaN)),
      p99Ms: Math.max(...stats.map((one) => one.latency_ms_p99 ?? NaN)),
      busy,
      megabytes: sum(memory) / memory.length,
    }
  } finally {
    loop?.kill('SIGKILL')
    await cameras.stop()
    await rig.remove()
  }
}

/** Counts the messages of a process, anew from `begin` on. */
async function watch(rig: ProcessRig, sourceId: string, model: string) {
  const { detection_data_url: url, process_uuid: id } = await rig.start(sourceId, { model })
  let count = 0
  const socket = new WebSocket(url)
  socket.on('message', () => void (count += 1))
  await once(socket, 'open')
  return {
    id,
    get count() {
      return count
    },
    stats: async () => (await rig.info(id)).stats,
    begin: () => void (count = 0),
    close: () => socket.terminate(),
  }
}

async function bareRate(name: string, threads: number): Promise<number> {
  const cacheDir = await mkdtemp(join(tmpdir(), 'aerie-bench-'))
  try {
    const card = findEmbeddedModel(name)
    const model = await loadEmbeddedModel(card, await chooseNumberFormat(), cacheDir)
    const session = await openSession({ model, threads })
    const canvas = new Uint8Array(3 * card.inputSize.width * card.inputSize.height).fill(127)
    await session.run(canvas)
    const startMs = performance.now()
    let runs = 0
    for (; performance.now() - startMs < 6_000; runs++) await session.run(canvas)
    const rate = (1000 * runs) / (performance.now() - startMs)
    await session.close()
    return rate
  } finally {
    await rm(cacheDir, { recursive: true })
  }
}

interface MachineTimes {
  readonly idle: number
  readonly all: number
}

function machineTimes(): MachineTimes {
  const times = cpus().map(({ times: { user, nice, sys, idle, irq } }) => ({
    idle,
    all: user + nice + sys + idle + irq,
  }))
  return { idle: sum(times.map(({ idle }) => idle)), all: sum(times.map(({ all }) => all)) }
}

function busyShare(before: MachineTimes, after: MachineTimes): number {
  return 1 - (after.idle - before.idle) / (after.all - before.all)
}

function residentMegabytes(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
