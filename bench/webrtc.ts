import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import ndc from 'node-datachannel'
import { type Page } from 'playwright-core'
import { launchBrowser } from '../test/builders/browser.ts'
import { start } from '../test/builders/ffmpeg.ts'
import { until } from '../test/builders/until.ts'
import { createInstallation } from '../test/e2e/service.ts'
import { type Benchmark, ms, percent } from './benchmark.ts'

const VIEWERS = 20
const CLICKS = 10
const SECONDS = 10
/** Ticks of the kernel's clock a second, in which /proc counts. */
const TICKS = 100

export const webrtc: Benchmark = {
  name: 'webrtc',
  title: 'WebRTC',
  about: `A 720p30 stream with a keyframe a second, published by RTSP. Headless Chromium opens the player page ${CLICKS} times, at random moments; then ${VIEWERS} viewers in a process of their own watch for ${SECONDS} s.`,
  async run() {
    const installation = createInstallation()
    const browser = await launchBrowser()
    const input = ['-re', '-f', 'lavfi', '-i', 'testsrc2=size=1280x720:rate=30', '-pix_fmt', 'yuv420p']
    const encoder = ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-g', '30', '-b:v', '3M']
    try {
      const service = await installation.start({ AERIE_LOG_LEVEL: 'warn' })
      const rtsp = Number(service.ready['rtsp_port'])
      const target = `rtsp://admin:${installation.masterKey}@127.0.0.1:${rtsp}/admin/bench`
      const camera = start('ffmpeg', [...input, ...encoder, '-f', 'rtsp', '-rtsp_transport', 'tcp', target])
      const endpoint = `${service.url}/webrtc/admin/bench`
      await until(async () => (await postOffer(endpoint, 'none')).status !== 404, 15_000)

      const clicks: number[] = []
      for (let i = 0; i <= CLICKS; i++) {
        const page = await browser.newPage()
        const tookMs = await timeToFirstFrame(page, endpoint)
        await page.close()
        // The first one starts the gateway, the browser's decoder and everything else.
        if (i > 0) clicks.push(tookMs)
        await sleep(Math.random() * 1000)
      }
      await browser.close()
      clicks.sort((a, b) => a - b)
      const worst = clicks.at(-1)!

      const load = startViewers()
      load.send({ endpoint, viewers: VIEWERS })
      await once(load, 'message')
      await sleep(2_000)
      const gateway = gatewayOf(service.process.pid!)
      load.send('count')
      const before = cpuTicksOf(gateway)
      await sleep(SECONDS * 1000)
      const share = (cpuTicksOf(gateway) - before) / TICKS / SECONDS
      load.send('report')
      const [{ fewestFps, megabits }] = (await once(load, 'message')) as [{ fewestFps: number; megabits: number }]
      load.kill()
      await camera.kill()
      return [
        { what: 'click to first frame, median', value: ms(clicks[clicks.length >> 1]!) },
        { what: 'click to first frame, slowest', value: ms(worst), goal: '1000 ms', isMet: worst <= 1000 },
        {
          what: `gateway’s CPU, ${VIEWERS} viewers`,
          value: percent(share),
          goal: '40 % of a core',
          isMet: share <= 0.4,
        },
        { what: 'frames a second at the worst served viewer', value: fewestFps.toFixed(1) },
        { what: 'Mbit/s to each viewer', value: megabits.toFixed(1) },
      ]
    } finally {
      await browser.close()
      await installation.remove()
    }
  },
}

function postOffer(endpoint: string, sdp: string): Promise<Response> {
  return fetch(`${endpoint}/whep`, { method: 'POST', headers: { 'content-type': 'application/sdp' }, body: sdp })
}

/** From the moment at which the page is asked for to the first picture that is shown in it. */
async function timeToFirstFrame(page: Page, endpoint: string): Promise<number> {
  const startedAt = Date.now()
  await page.goto(endpoint)
  await page.waitForSelector('body[data-state="live by WebRTC"]')
  return Date.now() - startedAt
}

function gatewayOf(service: number): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const isGateway = (pid: string) => {
    try {
      const parent = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')[1]
      return parent === String(service) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('webrtc/worker')
    } catch {
      return false
    }
  }
  return Number(pids.find(isGateway))
}

/** User and system time of all threads. */
function cpuTicksOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return Number(fields[11]) + Number(fields[12])
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
  process.on('message', (message: { endpoint: string; viewers: number } | 'count' | 'report') => {
    if (message === 'count') {
      startedAt = Date.now()
      for (const count of counts) Object.assign(count, { frames: 0, bytes: 0 })
    } else if (message === 'report') {
      const seconds = (Date.now() - startedAt) / 1000
      const bytes = counts.reduce((sum, count) => sum + count.bytes, 0) / counts.length
      const fewestFps = Math.min(...counts.map(({ frames }) => frames)) / seconds
      process.send!({ fewestFps, megabits: (bytes * 8) / 1e6 / seconds })
    } else {
      for (let i = 0; i < message.viewers; i++) counts.push({ frames: 0, bytes: 0 })
      void Promise.all(counts.map((count) => watch(message.endpoint, count))).then(() => process.send!('ready'))
    }
  })
}

async function watch(endpoint: string, count: Count): Promise<void> {
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
  const response = await postOffer(endpoint, connection.localDescription()!.sdp)
  connection.setRemoteDescription(await response.text(), 'answer')
  await opened
}
