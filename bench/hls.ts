import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startChromium } from '../test/builders/chromium.ts'
import { start } from '../test/builders/ffmpeg.ts'
import { look, play, servePlayerPage } from '../test/builders/hls-page.ts'
import { until } from '../test/builders/until.ts'
import { createInstallation } from '../test/e2e/service.ts'
import { type Benchmark, ms, percent } from './benchmark.ts'

const SECONDS = 15
const MAX_CPU_SHARE = 0.04
const MAX_LATENCY_MS = 3_000
/** USER_HZ, which is 100 wherever Linux runs Node. */
const TICKS_PER_SECOND = 100

export const hls: Benchmark = {
  name: 'hls',
  title: 'HLS',
  about:
    'One 720p30 stream of 3 Mbit/s with a keyframe a second. A client without a screen follows the playlist part by part, for the worker’s CPU time and the age of a part on arrival (the end of its last picture by EXT-X-PROGRAM-DATE-TIME); then Chromium plays it with hls.js, for what a viewer sees.',
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'aerie-bench-'))
    const installation = createInstallation()
    const site = await servePlayerPage()
    const clip = await makeClip(folder)
    const service = await installation.start({ AERIE_LOG_LEVEL: 'warn', AERIE_CORS_ORIGINS: site.origin })
    const camera = start(
      'ffmpeg',
      [
        ...['-re', '-stream_loop', '-1', '-i', clip, '-c', 'copy', '-f', 'rtsp', '-rtsp_transport', 'tcp'],
        `rtsp://admin:${installation.masterKey}@127.0.0.1:${Number(service.ready['rtsp_port'])}/admin/bench`,
      ],
      240_000,
    )
    try {
      const base = `${service.url}/hls/admin/bench`
      await until(async () => (await fetch(`${base}/index.m3u8`)).status === 200, 20_000)
      const worker = findWorker(service.process.pid!)
      const before = cpuSeconds(worker)
      const ages = await follow(base)
      const share = (cpuSeconds(worker) - before) / SECONDS
      const seen = await watch(site.origin, `${base}/index.m3u8`)
      return [
        {
          what: 'CPU of the worker, share of a core',
          value: percent(share),
          goal: `at most ${percent(MAX_CPU_SHARE)}`,
          isMet: share <= MAX_CPU_SHARE,
        },
        { what: 'age of a part on arrival, p50', value: ms(at(ages, 0.5)) },
        { what: 'age of a part on arrival, p95', value: ms(at(ages, 0.95)) },
        {
          what: 'latency in Chromium with hls.js, median',
          value: ms(at(seen, 0.5)),
          goal: `under ${ms(MAX_LATENCY_MS)}`,
          isMet: at(seen, 0.5) < MAX_LATENCY_MS,
        },
      ]
    } finally {
      await camera.kill()
      await site.close()
      await installation.remove()
      rmSync(folder, { recursive: true })
    }
  },
}

async function makeClip(folder: string): Promise<string> {
  const file = join(folder, 'clip.mp4')
  const encoder = ['-c:v', 'libx264', '-preset', 'veryfast', '-tune', 'zerolatency', '-g', '30', '-b:v', '3M']
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=1280x720:rate=30', '-t', '10', '-pix_fmt', 'yuv420p']
  await start('ffmpeg', ['-y', ...source, ...encoder, '-maxrate', '3M', '-bufsize', '3M', file]).finished
  return file
}

/** Asks as a low-latency player does: the playlist with the next part, then that part. Answers each part's age in ms. */
async function follow(base: string): Promise<number[]> {
  const ages: number[] = []
  const deadline = Date.now() + SECONDS * 1000
  let search = ''
  while (Date.now() < deadline) {
    const text = await (await fetch(`${base}/stream.m3u8${search}`)).text()
    const [, sequence, part] = /HINT:TYPE=PART,URI="(\d+)\.(\d+)\.m4s/.exec(text)!
    const newest = [...text.matchAll(/URI="([\d.]+m4s)"/g)].at(-2)?.[1]
    await (await fetch(`${base}/${newest}`)).arrayBuffer()
    if (search !== '') ages.push(Date.now() - endOf(text))
    search = `?_HLS_msn=${sequence}&_HLS_part=${part}`
  }
  return ages
}

/** When the last listed part ends, by the date of its segment. */
function endOf(text: string): number {
  const tail = text.slice(text.lastIndexOf('#EXT-X-PROGRAM-DATE-TIME:'))
  const startedAt = Date.parse(/TIME:(.*)/.exec(tail)![1]!)
  const seconds = [...tail.matchAll(/PART:DURATION=([\d.]+)/g)].reduce((sum, [, part]) => sum + Number(part), 0)
  return startedAt + seconds * 1000
}

async function watch(origin: string, url: string): Promise<number[]> {
  const browser = await startChromium()
  try {
    const page = await browser.newPage({ viewport: { width: 320, height: 240 } })
    await play(page, origin, url)
    await until(async () => ((await look(page)).latencyMs ?? Infinity) < 10_000, 30_000)
    await sleep(5_000)
    const latencies: number[] = []
    for (let i = 0; i < 20; i++) {
      const { latencyMs } = await look(page)
      if (latencyMs !== null) latencies.push(latencyMs)
      await sleep(250)
    }
    return latencies
  } finally {
    await browser.close()
  }
}

function findWorker(parent: number): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const found = pids.find((pid) => {
    try {
      const isChild = readFileSync(`/proc/${pid}/status`, 'utf8').includes(`PPid:\t${parent}\n`)
      return isChild && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('media/hls/worker')
    } catch {
      return false
    }
  })
  return Number(found)
}

function cpuSeconds(pid: number): number {
  // Fields 14 and 15 of proc(5), counted from the end of the name in brackets.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

function at(values: readonly number[], fraction: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length * fraction)] ?? NaN
}
