import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { launchBrowser } from '../test/support/browser.ts'
import { start } from '../test/support/ffmpeg.ts'
import { until } from '../test/support/until.ts'
import { createInstallation } from '../test/support/service.ts'
import { type Benchmark, ms, percent } from './benchmark.ts'
import { startClockCamera } from '../test/support/clock-camera.ts'
import { quantile, readLatencies } from '../test/support/clock-reader.ts'
import { cpuSeconds, findChild } from './process-usage.ts'

const SECONDS = 15
const MAX_CPU_SHARE = 0.04
const MAX_LATENCY_MS = 3_000

export const hls: Benchmark = {
  name: 'hls',
  title: 'HLS',
  about:
    'One 720p30 stream of 3 Mbit/s with a keyframe a second. A client without a screen follows the playlist part by part, for the worker’s CPU time and the age of a part on arrival (the end of its last picture by EXT-X-PROGRAM-DATE-TIME); then Chromium without WebRTC opens the player page of a camera whose pictures show the time at which they were taken, for what a viewer sees (encoder included).',
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'aerie-bench-'))
    const installation = createInstallation()
    const clip = await makeClip(folder)
    const service = await installation.start({ AERIE_LOG_LEVEL: 'warn' })
    const target = (path: string) =>
      `rtsp://admin:${installation.masterKey}@127.0.0.1:${Number(service.ready['rtsp_port'])}/${path}`
    const camera = start(
      'ffmpeg',
      [
        ...['-re', '-stream_loop', '-1', '-i', clip, '-c', 'copy', '-f', 'rtsp', '-rtsp_transport', 'tcp'],
        target('admin/bench'),
      ],
      240_000,
    )
    try {
      const key = installation.masterKey
      const get = (file: string) => fetch(`${service.url}/hls/admin/bench/${file}`, { headers: { api_key: key } })
      await until(async () => (await get('index.m3u8')).status === 200, 20_000)
      const worker = findChild(service.process.pid!, 'media/hls/worker')
      const before = cpuSeconds(worker)
      const ages = await follow(get)
      const share = (cpuSeconds(worker) - before) / SECONDS
      await camera.kill()
      const seen = await watch(`${service.url}/webrtc/admin/clock?api_key=${key}`, target('admin/clock'))
      return [
        {
          what: 'CPU of the worker, share of a core',
          value: percent(share),
          goal: `at most ${percent(MAX_CPU_SHARE)}`,
          isMet: share <= MAX_CPU_SHARE,
        },
        { what: 'age of a part on arrival, p50', value: ms(quantile(ages, 0.5)) },
        { what: 'age of a part on arrival, p95', value: ms(quantile(ages, 0.95)) },
        { what: 'camera to screen by the burnt-in clock, p50', value: ms(quantile(seen, 0.5)) },
        {
          what: 'camera to screen by the burnt-in clock, p95',
          value: ms(quantile(seen, 0.95)),
          goal: `under ${ms(MAX_LATENCY_MS)}`,
          isMet: quantile(seen, 0.95) < MAX_LATENCY_MS,
        },
      ]
    } finally {
      await camera.kill()
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
async function follow(get: (file: string) => Promise<Response>): Promise<number[]> {
  const ages: number[] = []
  const deadline = Date.now() + SECONDS * 1000
  let search = ''
  while (Date.now() < deadline) {
    const text = await (await get(`stream.m3u8${search}`)).text()
    const [, sequence, part] = /HINT:TYPE=PART,URI="(\d+)\.(\d+)\.m4s/.exec(text)!
    const newest = [...text.matchAll(/URI="([\d.]+m4s)"/g)].at(-2)?.[1]
    await (await get(newest!)).arrayBuffer()
    if (search !== '') ages.push(Date.now() - endOf(text))
    search = `?_HLS_msn=${sequence}&_HLS_part=${part}`
  }
  return ages.sort((a, b) => a - b)
}

/** When the last listed part ends, by the date of its segment. */
function endOf(text: string): number {
  const tail = text.slice(text.lastIndexOf('#EXT-X-PROGRAM-DATE-TIME:'))
  const startedAt = Date.parse(/TIME:(.*)/.exec(tail)![1]!)
  const seconds = [...tail.matchAll(/PART:DURATION=([\d.]+)/g)].reduce((sum, [, part]) => sum + Number(part), 0)
  return startedAt + seconds * 1000
}

/** The player page as it is, in a browser that has no WebRTC. */
async function watch(url: string, target: string): Promise<number[]> {
  const camera = startClockCamera(target)
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage()
    await page.addInitScript('delete window.RTCPeerConnection')
    await page.goto(url)
    await page.waitForSelector('body[data-state="live by HLS"]')
    await sleep(5_000)
    return await readLatencies(page, SECONDS)
  } finally {
    await browser.close()
    await camera.stop()
  }
}
