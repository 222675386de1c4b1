/** More processes than the machine can serve: all have their share, the API answers as ever, and what is stopped leaves its share to the others. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { start } from '../support/ffmpeg.ts'
import { clip, createProcessRig, type ProcessRig, type Started } from '../support/process-rig.ts'
import { until } from '../support/until.ts'

const FPS = 15
/** Any machine that is tested on has the first of them in full, or nearly. */
const FIRST = 8
/** Then as many as it says to have room for, and so many more. */
const TOO_MANY = 2
const LEFT = 3
const MEASURED_SECONDS = 10
/** What users ask for while they look at the console. */
const ASKED = ['/processes', '/sources', '/status', '/user_info', '/system']

let rig: ProcessRig
let sourceId: string
beforeAll(async () => {
  rig = await createProcessRig()
  // The demo clip at the pace of a camera: every frame shows something else than the one before.
  const file = join(rig.folder, 'moving.mp4')
  const faster = ['-vf', `setpts=PTS*7/${FPS}`, '-r', String(FPS), '-pix_fmt', 'yuv420p']
  const encoder = ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-g', String(FPS)]
  await start('ffmpeg', ['-y', '-i', clip, ...faster, ...encoder, file]).finished
  sourceId = (await rig.goLive('street', { input: ['-re', '-stream_loop', '-1', '-i', file, '-c', 'copy'] })).sourceId
})
afterAll(() => rig.remove())

interface Measured {
  /** Pictures a second that were looked at, of each process. */
  readonly rates: readonly number[]
  readonly answerMs: readonly number[]
}

async function measure(processes: readonly Started[], seconds: number): Promise<Measured> {
  const answerMs: number[] = []
  const seen = processes.map(() => 0)
  for (let second = 0; second < seconds; second++) {
    const endMs = performance.now() + 1_000
    for (let i = 0; performance.now() < endMs; i++) {
      const askedMs = performance.now()
      await rig.ask('GET', ASKED[i % ASKED.length]!)
      answerMs.push(performance.now() - askedMs)
      await sleep(30)
    }
    const infos = await Promise.all(processes.map(({ process_uuid: id }) => rig.info(id)))
    infos.forEach(({ stats }, at) => (seen[at]! += stats.processed_fps))
  }
  return { rates: seen.map((sum) => sum / seconds), answerMs }
}

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

interface System {
  readonly summary: string
  readonly room: readonly { readonly model: string; readonly streams: number }[]
}

async function startMany(count: number): Promise<Started[]> {
  const processes = await Promise.all(Array.from({ length: count }, () => rig.start(sourceId)))
  const areRunning = async () => {
    const infos = await Promise.all(processes.map(({ process_uuid: id }) => rig.info(id)))
    return infos.every(({ state, stats }) => state === 'running' && stats.processed_fps > 0)
  }
  await until(areRunning, 60_000)
  // None of them is starting any more, and the machine's use is measured with all of them.
  await sleep(10_000)
  return processes
}

test('more processes than fit share the machine, and three have it again when the others are stopped', async () => {
  const first = await startMany(FIRST)
  const { room } = await rig.ask<System>('GET', '/system')
  const fit = room.find(({ model }) => model === 'fast')?.streams ?? 0
  const processes = [...first, ...(await startMany(fit + TOO_MANY))]

  const full = await measure(processes, MEASURED_SECONDS)
  const mean = meanOf(full.rates)
  expect(Math.min(...full.rates), `of ${full.rates.map((rate) => rate.toFixed(1)).join(', ')}`).toBeGreaterThan(
    0.7 * mean,
  )
  const p99 = full.answerMs.toSorted((a, b) => a - b)[Math.floor(0.99 * full.answerMs.length)]!
  expect(full.answerMs.length).toBeGreaterThan(100)
  expect(p99).toBeLessThan(200)

  const { summary } = await rig.ask<System>('GET', '/system')
  const another = await rig.start(sourceId)
  expect([summary, another.warning]).toEqual([expect.stringMatching(/no room|full/i), expect.stringMatching(/full/i)])

  const [left, stopped] = [processes.slice(0, LEFT), [...processes.slice(LEFT), another]]
  for (const { process_uuid: id } of stopped) await rig.ask('DELETE', `/process/${id}`)
  await sleep(3_000)
  const few = await measure(left, 5)
  expect(Math.min(...few.rates)).toBeGreaterThan(Math.min(0.9 * FPS, 2 * mean))
}, 180_000)
