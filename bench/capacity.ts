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
import { createProcessRig, type ProcessRig } from '../test/support/process-rig.ts'
import { type Benchmark, ms, percent, type Row } from './benchmark.ts'
import { startCameraWall, type Wall, WALL_FPS } from './camera-wall.ts'

const MODEL = 'fast'
/** A scene that stands still is seldom looked at once it is known. */
const WARM_UP_SECONDS = 15
const SECONDS = 12

const walls: readonly Wall[] = [
  { moving: 1, still: 0 },
  { moving: 2, still: 0 },
  { moving: 4, still: 0 },
  { moving: 8, still: 0 },
  { moving: 16, still: 0 },
  { moving: 4, still: 12 },
  { moving: 2, still: 30 },
]

export const capacity: Benchmark = {
  name: 'capacity',
  title: 'Capacity',
  about: `Live 720p streams of ${WALL_FPS} frames a second with the model \`${MODEL}\` and their recordings, more and more of them: detections a second of all together (over ${SECONDS} s) against the bare model in a loop that has every core, the slowest stream against the mean of its kind, and the time from a frame’s arrival at its worker to its detections.`,
  async run() {
    const bare = await bareRate()
    const rows: Row[] = [{ what: 'the bare model in a loop, on all cores', value: `${bare.toFixed(1)} a second` }]
    for (const wall of walls) rows.push(...(await measureWall(wall, bare)))
    return rows
  },
}

async function measureWall(wall: Wall, bare: number): Promise<Row[]> {
  const rig = await createProcessRig({ AERIE_LOG_LEVEL: 'warn' })
  const cameras = await startCameraWall(rig, wall, 600_000)
  try {
    const watched = []
    for (const sourceId of cameras.sourceIds) watched.push(await watch(rig, sourceId))
    await sleep(WARM_UP_SECONDS * 1000)
    for (const one of watched) one.begin()
    const before = machineTimes()
    const startMs = performance.now()
    await sleep(SECONDS * 1000)
    const seconds = (performance.now() - startMs) / 1000
    const busy = busyShare(before, machineTimes())
    const rates = watched.map(({ count }) => count / seconds)
    const moving = rates.slice(0, wall.moving)
    const total = sum(rates)
    const fairness = Math.min(...moving) / (sum(moving) / moving.length)
    const stats = await Promise.all(watched.slice(0, wall.moving).map((one) => one.stats()))
    const largest = (which: 'latency_ms_p50' | 'latency_ms_p95') =>
      ms(Math.max(...stats.map((one) => one[which] ?? NaN)))
    for (const one of watched) one.close()
    const memory = rig.workers().map(residentMegabytes)
    const name = `${wall.moving} moving${wall.still > 0 ? ` and ${wall.still} still` : ''}`
    return [
      {
        what: `${name}: detections a second, all together; each that moves`,
        value: `${total.toFixed(1)}; ${(sum(moving) / moving.length).toFixed(1)}`,
      },
      { what: `${name}: against the bare model`, value: (total / bare).toFixed(2) },
      { what: `${name}: the slowest that moves against their mean`, value: percent(fairness) },
      {
        what: `${name}: arrival to detections p50, p95, of the latest that moves`,
        value: `${largest('latency_ms_p50')}, ${largest('latency_ms_p95')}`,
      },
      { what: `${name}: the machine is busy`, value: percent(busy) },
      { what: `${name}: memory of a worker, mean`, value: `${(sum(memory) / memory.length).toFixed(0)} MB` },
    ]
  } finally {
    await cameras.stop()
    await rig.remove()
  }
}

/** Counts the messages of a process, anew from `begin` on. */
async function watch(rig: ProcessRig, sourceId: string) {
  const { detection_data_url: url, process_uuid: id } = await rig.start(sourceId, { model: MODEL })
  let count = 0
  const socket = new WebSocket(url)
  socket.on('message', () => void (count += 1))
  await once(socket, 'open')
  return {
    get count() {
      return count
    },
    stats: async () => (await rig.info(id)).stats,
    begin: () => void (count = 0),
    close: () => socket.terminate(),
  }
}

async function bareRate(): Promise<number> {
  const cacheDir = await mkdtemp(join(tmpdir(), 'aerie-bench-'))
  try {
    const card = findEmbeddedModel(MODEL)
    const model = await loadEmbeddedModel(card, await chooseNumberFormat(), cacheDir)
    const session = await openSession({ model, threads: cpus().length })
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
