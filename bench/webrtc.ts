import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import ndc from 'node-datachannel'
import { type Page } from 'playwright-core'
import { launchBrowser } from '../test/support/browser.ts'
import { until } from '../test/support/until.ts'
import { createInstallation } from '../test/support/service.ts'
import { type Benchmark, ms, percent } from './benchmark.ts'
import { startClockCamera } from '../test/support/clock-camera.ts'
import { quantile, readLatencies } from '../test/support/clock-reader.ts'
import { cpuSeconds, findChild } from './process-usage.ts'

const VIEWERS = 20
const CLICKS = 10
const SECONDS = 10

export const webrtc: Benchmark = {
  name: 'webrtc',
  title: 'WebRTC',
  about: `A 720p30 stream with a keyframe a second, published by RTSP, whose pictures show the time at which they were taken. Headless Chromium opens the player page ${CLICKS} times, at random moments, then reads that clock for ${SECONDS} s (encoder included); then ${VIEWERS} viewers in a process of their own watch for ${SECONDS} s.`,
  async run() {
    const installation = createInstallation()
    const browser = await launchBrowser()
    try {
      const service = await installation.start({ AERIE_LOG_LEVEL: 'warn' })
      const rtsp = Number(service.ready['rtsp_port'])
      const target = `rtsp://admin:${installation.masterKey}@127.0.0.1:${rtsp}/admin/bench`
      const camera = startClockCamera(target)
      const stream = { endpoint: `${service.url}/webrtc/admin/bench`, key: installation.masterKey }
      await until(async () => (await postOffer(stream, 'none')).status !== 404, 15_000)

      const clicks: number[] = []
      for (let i = 0; i <= CLICKS; i++) {
        const page = await browser.newPage()
        const tookMs = await timeToFirstFrame(page, stream)
        await page.close()
        // The first one starts the gateway, the browser's decoder and everything else.
        if (i > 0) clicks.push(tookMs)
        await sleep(Math.random() * 1000)
      }
      const page = await browser.newPage()
      await timeToFirstFrame(page, stream)
      const latencies = await readLatencies(page, SECONDS)
      await browser.close()
      clicks.sort((a, b) => a - b)
      const worst = clicks.at(-1)!

      const load = startViewers()
      const failed = once(load, 'exit').then(() => Promise.reject(new Error('The viewers failed.')))
      failed.catch(() => {})
      load.send({ stream, viewers: VIEWERS })
      await Promise.race([once(load, 'message'), failed])
      await sleep(2_000)
      const gateway = findChild(service.process.pid!, 'webrtc/worker')
      load.send('count')
      const before = cpuSeconds(gateway)
      await sleep(SECONDS * 1000)
      const share = (cpuSeconds(gateway) - before) / SECONDS
      load.send('report')
      const [{ minFps, megabits }] = (await once(load, 'message')) as [{ minFps: number; megabits: number }]
      load.kill()
      await camera.stop()
      return [
        { what: 'click to first frame, median', value: ms(clicks[clicks.length >> 1]!) },
        { what: 'click to first frame, slowest', value: ms(worst), goal: '1000 ms', isMet: worst <= 1000 },
        { what: 'camera to screen by the burnt-in clock, p50', value: ms(quantile(latencies, 0.5)) },
        { what: 'camera to screen by the burnt-in clock, p95', value: ms(quantile(latencies, 0.95)) },
        {
          what: `gateway’s CPU, ${VIEWERS} viewers`,
          value: percent(share),
          goal: '40 % of a core',
          isMet: share <= 0.4,
        },
        { what: 'frames a second at the worst served viewer', value: minFps.toFixed(1) },
        { what: 'Mbit/s to each viewer', value: megabits.toFixed(1) },
      ]
    } finally {
      await browser.close()
      await installation.remove()
    }
  },
}

interface Stream {
  readonly endpoint: string
  readonly key: string
}

function postOffer({ endpoint, key }: Stream, sdp: string): Promise<Response> {
  const headers = { 'content-type': 'application/sdp', api_key: key }
  return fetch(`${endpoint}/whep`, { method: 'POST', headers, body: sdp })
}

/** From the moment at which the page is asked for to the first picture that is shown in it. */
async function timeToFirstFrame(page: Page, { endpoint, key }: Stream): Promise<number> {
  const startedAt = Date.now()
  await page.goto(`${endpoint}?api_key=${key}`)
  await page.waitForSelector('body[data-state="live by WebRTC"]')
  return Date.now() - startedAt
}

function startViewers(): ChildProcess {
  const runner = new URL('../node_modules/vite-node/vite-node.mjs', import.meta.url).pathname
  return fork(runner, [new URL(import.meta.url).pathname, 'viewers'])
}

interface Count {
  frames: number
  bytes: number
}

if (process.argv.at(-1) === 'viewers') {
  const counts: Count[] = []
  let startedAt = 0
  process.on('message', (message: { stream: Stream; viewers: number } | 'count' | 'report') => {
    if (message === 'count') {
      startedAt = Date.now()
      for (const count of counts) Object.assign(count, { frames: 0, bytes: 0 })
    } else if (message === 'report') {
      const seconds = (Date.now() - startedAt) / 1000
      const bytes = counts.reduce((sum, count) => sum + count.bytes, 0) / counts.length
      const minFps = Math.min(...counts.map(({ frames }) => frames)) / seconds
      process.send!({ minFps, megabits: (bytes * 8) / 1e6 / seconds })
    } else {
      for (let i = 0; i < message.viewers; i++) counts.push({ frames: 0, bytes: 0 })
      void Promise.all(counts.map((count) => watch(message.stream, count))).then(() => process.send!('ready'))
    }
  })
}

/** Unlike a browser, this library may take the other end's first packets before it has read the answer, and gives up then. */
async function watch(stream: Stream, count: Count): Promise<void> {
  for (let triesLeft = 5; ; triesLeft--) {
    try {
      return await watchOnce(stream, count)
    } catch (error) {
      if (triesLeft === 0) throw error
    }
  }
}

async function watchOnce(stream: Stream, count: Count): Promise<void> {
  const connection = new ndc.PeerConnection('viewer', { iceServers: [] })
  const description = new ndc.Video('0', 'RecvOnly')
  description.addH264Codec(102, 'profile-level-id=42e01f;packetization-mode=1;level-asymmetry-allowed=1')
  const track = connection.addTrack(description)
  track.setMediaHandler(new ndc.RtcpReceivingSession())
  track.onMessage((packet) => {
    // The marker is on the last packet of each frame.
    count.frames += packet[1]! >> 7
    count.bytes += packet.length
  })
  const gathered = new Promise<void>((resolve) =>
    connection.onGatheringStateChange((state) => state === 'complete' && resolve()),
  )
  const opened = new Promise<void>((resolve) => track.onOpen(resolve))
  connection.setLocalDescription('offer')
  await gathered
  const response = await postOffer(stream, connection.localDescription()!.sdp)
  if (response.status !== 201) throw new Error(await response.text())
  connection.setRemoteDescription(await response.text(), 'answer')
  await opened
}
