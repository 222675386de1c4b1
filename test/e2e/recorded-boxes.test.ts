/** What was seen lies on what is drawn in the picture, also when both are of the past. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { type Browser, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { droneClip, writeDroneClip } from '../builders/drone-clip.ts'
import { startChromium } from '../support/chromium.ts'
import { createProcessRig, type ProcessRig } from '../support/process-rig.ts'
import { until } from '../support/until.ts'
import { readVodPlaylist } from '../support/vod-playlist.ts'

/** The drone goes so slowly that a picture beside the one that was looked at is still right. */
const SLOWER = 4
const ENCODER = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', String(droneClip.fps), '-bf', '0']
const MAX_OFF = 0.03
const LOOKS = 10
/** Of the time that a picture of this stream is shown: away from its edges. */
const WITHIN_PICTURE_S = 0.3 / droneClip.fps

interface Compared {
  /** Middles of the box and of the drone in the picture, as fractions of it. */
  readonly box: readonly [number, number]
  readonly drone: readonly [number, number]
}

let rig: ProcessRig
let browser: Browser
/** When the process saw the drone. */
let seenAtMs: readonly number[]
beforeAll(async () => {
  rig = await createProcessRig({ AERIE_RECORDING_SEGMENT_SECONDS: '4' })
  browser = await startChromium()
  const input = ['-re', '-stream_loop', '-1', '-i', writeSlowClip(rig.folder), '-c', 'copy']
  const { sourceId, publisher } = await rig.goLive('sky', { input })
  const started = await rig.start(sourceId, { model: 'airborne', tiles: 'auto' })
  const socket = await rig.connect(started)
  const seen = () => socket.messages.filter(({ active_tracks: tracks }) => tracks.length > 0)
  await until(async () => seen().length >= LOOKS, 180_000)
  await publisher.kill()
  const recordings = () => rig.ask<{ ended_at: string | null }[]>('GET', `/sources/recordings?source_uuid=${sourceId}`)
  const areOver = async () => (await recordings()).every(({ ended_at: endedAt }) => endedAt !== null)
  await until(async () => (await recordings()).length > 0 && (await areOver()), 60_000)
  seenAtMs = seen().map(({ timestamp }) => Date.parse(timestamp))
}, 300_000)
afterAll(async () => {
  await browser?.close()
  await rig?.remove()
})

/** Before it is sent: by `-re` pictures that are made slower while they are sent would come as fast as before. */
function writeSlowClip(folder: string): string {
  const [clip, slow] = [join(folder, 'drone.mp4'), join(folder, 'slow.mp4')]
  writeDroneClip(clip)
  const filter = ['-vf', `setpts=${SLOWER}*PTS,fps=${droneClip.fps}`]
  execFileSync('ffmpeg', ['-v', 'error', '-i', clip, ...filter, ...ENCODER, slow])
  return slow
}

const search = () => {
  const [from, to] = [seenAtMs[0]! - 1_000, seenAtMs.at(-1)! + 1_000].map((ms) => new Date(ms).toISOString())
  return new URLSearchParams({ from: from!, to: to!, api_key: rig.installation.masterKey }).toString()
}
const pageUrl = () => `${rig.service.url}/webrtc/admin/sky?${search()}`

/** For the page: what was drawn last, and how to compare that with the picture that it is drawn over. */
const COMPARING = `
  addEventListener('drawn', ({ detail }) => (globalThis.drawn = detail))
  globalThis.compare = () => {
    const video = document.querySelector('video')
    const canvas = Object.assign(document.createElement('canvas'), { width: video.videoWidth, height: video.videoHeight })
    const context = canvas.getContext('2d', { willReadFrequently: true })
    context.drawImage(video, 0, 0)
    const { data, width, height } = context.getImageData(0, 0, canvas.width, canvas.height)
    const [columns, rows] = [[], []]
    for (let at = 0; at < width * height; at++)
      // The sky is bright in blue.
      if (data[4 * at + 2] < 120) (columns.push(at % width), rows.push(Math.floor(at / width)))
    const middle = (places) => (places.reduce((a, b) => Math.min(a, b), Infinity) + places.reduce((a, b) => Math.max(a, b), -Infinity)) / 2
    const [x, y, boxWidth, boxHeight] = drawn.boxes[0].box
    return { box: [x + boxWidth / 2, y + boxHeight / 2], drone: [middle(columns) / width, middle(rows) / height] }
  }`

/** Stands at the picture of that moment until its box is drawn. */
async function compareAt(page: Page, seenAt: number, seconds: number): Promise<Compared> {
  await page.evaluate(`document.querySelector('video').currentTime = ${seconds}`)
  const isDrawn = () =>
    page.evaluate<boolean>(`(({ seeking, readyState }) => !seeking && readyState >= 2 &&
      drawn.boxes.length > 0 && Math.abs(drawn.taken_at_ms - ${seenAt}) < ${1_000 / droneClip.fps})(document.querySelector('video'))`)
  await until(isDrawn)
  return page.evaluate<Compared>('compare()')
}

test('boxes of the past lie on the drone that is drawn in the picture', async () => {
  const page = await browser.newPage({ viewport: { width: 640, height: 520 } })
  await page.addInitScript(COMPARING)
  const playlist = await readVodPlaylist(`${rig.service.url}/hls/admin/sky/vod.m3u8?${search()}`)
  await page.goto(pageUrl())
  await page.waitForSelector('body[data-state="recorded"]')
  await page.evaluate(`document.querySelector('video').pause()`)
  const off: number[] = []
  for (let index = 0; index < LOOKS; index++) {
    const seenAt = seenAtMs[Math.floor((index * seenAtMs.length) / LOOKS)]!
    const { box, drone } = await compareAt(page, seenAt, playlist.placeOf(seenAt) + WITHIN_PICTURE_S)
    off.push(Math.hypot(box[0] - drone[0], box[1] - drone[1]))
  }
  expect(off.filter((one) => !(one <= MAX_OFF))).toEqual([])
  expect(await page.textContent('#latency')).toBe('')
  await page.close()
}, 120_000)

test('on every screen they lie on the picture, and not beside it', async () => {
  const page = await browser.newPage({ viewport: { width: 900, height: 400 } })
  await page.goto(pageUrl())
  await page.waitForSelector('body[data-state="recorded"]')
  const shape = () =>
    page.evaluate<readonly number[]>(`(() => {
      const [video, canvas] = [document.querySelector('video'), document.querySelector('canvas')]
      const [over, under] = [canvas.getBoundingClientRect(), video.getBoundingClientRect()]
      return [canvas.width / canvas.height, over.x - under.x, over.y - under.y, over.width - under.width, over.height - under.height]
    })()`)
  // Both are shown as large as fits, in their own shape.
  for (const viewport of [
    { width: 900, height: 400 },
    { width: 360, height: 700 },
  ]) {
    await page.setViewportSize(viewport)
    await until(async () => Math.abs((await shape())[0]! - droneClip.width / droneClip.height) < 0.02)
    expect((await shape()).slice(1)).toEqual([0, 0, 0, 0])
  }
  await page.close()
})
