import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { launchBrowser } from '../test/support/browser.ts'
import { openConsole } from '../test/support/console-page.ts'
import { createProcessRig } from '../test/support/process-rig.ts'
import { until } from '../test/support/until.ts'
import { type Benchmark, percent } from './benchmark.ts'
import { demoClip } from './demo-clip.ts'
import { secondDemoStartMs } from './demo-start.ts'
import { cpuSeconds } from './process-usage.ts'

const PROCESSES = 2
const SECONDS = 15
const FPS = 25
const GOAL_FPS = 15
const GOAL_START_SECONDS = 10

/** The demo clip, played so fast that it has as many pictures a second as a camera. */
const speed = FPS / demoClip.fps
const fastClip = [
  ...['-readrate', String(speed), '-stream_loop', '-1', '-i', demoClip.file, '-an', '-vf', `setpts=PTS/${speed}`],
  ...['-r', String(FPS), '-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-g', String(FPS)],
]

export const liveWall: Benchmark = {
  name: 'console',
  title: 'Console',
  about: `The live wall with ${PROCESSES} processes on ${FPS} fps streams (768×576, shown by WebRTC as previews at 360p, with boxes drawn over them) in headless Chromium without a GPU, for ${SECONDS} s; publishers, service and browser share the machine. What a preview takes of the pipeline's worker is what it takes more than before somebody looked, while the processes are paused. And before that, how soon the demo is there from its second run on.`,
  async run() {
    const startSeconds = (await secondDemoStartMs()) / 1000
    const rig = await createProcessRig({ AERIE_LOG_LEVEL: 'warn' })
    const browser = await launchBrowser()
    try {
      for (let i = 1; i <= PROCESSES; i++) {
        const { sourceId } = await rig.goLive(`wall-${i}`, { input: fastClip })
        const { process_uuid } = await rig.start(sourceId)
        await rig.ask('POST', `/process/${process_uuid}/pause`)
      }
      const shareOfWorkers = () => shareWhile(() => rig.workers().reduce((sum, pid) => sum + cpuSeconds(pid), 0))
      const unwatched = await shareOfWorkers()
      const { url } = await rig.ask<{ url: string }>('POST', '/session/code')
      const { page } = await openConsole(browser, url)
      await until(async () => (await page.locator('.pane[data-way="WebRTC"]').count()) === PROCESSES, 30_000)
      const watched = await shareOfWorkers()
      for (const { process_uuid } of await rig.ask<{ process_uuid: string }[]>('GET', '/processes'))
        await rig.ask('POST', `/process/${process_uuid}/resume`)
      await sleep(5_000)

      await page.evaluate(`(() => {
        window.counts = [...document.querySelectorAll('.pane canvas')].map((canvas) => {
          const count = { pictures: 0, withBoxes: 0 }
          canvas.addEventListener('drawn', ({ detail }) => {
            count.pictures += 1
            if (detail.boxes.length > 0) count.withBoxes += 1
          })
          return count
        })
      })()`)
      const startedAt = performance.now()
      const share = await shareWhile(browserCpuSeconds)
      const seconds = (performance.now() - startedAt) / 1000
      const counts = await page.evaluate<{ pictures: number; withBoxes: number }[]>('window.counts')
      const slowest = Math.min(...counts.map(({ pictures }) => pictures)) / seconds
      const boxed = counts.reduce((sum, { withBoxes }) => sum + withBoxes, 0)
      const all = counts.reduce((sum, { pictures }) => sum + pictures, 0)
      return [
        {
          what: 'pictures a second, the slower of the two',
          value: slowest.toFixed(1),
          goal: `${GOAL_FPS}`,
          isMet: slowest >= GOAL_FPS,
        },
        { what: 'of these with boxes', value: percent(boxed / Math.max(1, all)) },
        { what: 'CPU of all Chromium processes together, of one core', value: percent(share) },
        { what: 'CPU of one preview, of one core', value: percent((watched - unwatched) / PROCESSES) },
        {
          what: '`npm run demo` until its link is printed, the second time',
          value: `${startSeconds.toFixed(1)} s`,
          goal: `${GOAL_START_SECONDS} s`,
          isMet: startSeconds <= GOAL_START_SECONDS,
        },
      ]
    } finally {
      await browser.close()
      await rig.remove()
    }
  },
}

/** The share of one core that is taken while this is measured. */
async function shareWhile(cpuSecondsNow: () => number): Promise<number> {
  const before = cpuSecondsNow()
  const startedAt = performance.now()
  await sleep(SECONDS * 1000)
  return ((cpuSecondsNow() - before) * 1000) / (performance.now() - startedAt)
}

/** All processes of the browser that this benchmark started: it has one with every kind of work. */
function browserCpuSeconds(): number {
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        try {
          const [, parent] = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${name}/status`, 'utf8')) ?? []
          return [[Number(name), Number(parent)] as const]
        } catch {
          return []
        }
      }),
  )
  const isOurs = (pid: number): boolean => pid === process.pid || (parents.has(pid) && isOurs(parents.get(pid)!))
  let sum = 0
  for (const pid of parents.keys()) {
    try {
      if (isOurs(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('chromium')) sum += cpuSeconds(pid)
    } catch {
      // It is gone.
    }
  }
  return sum
}
