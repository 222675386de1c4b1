/** What the console shows of streams that browsers take ill, and of one that breaks off: a picture, and no error. */
import { type Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { type ConsolePage, openConsole } from '../support/console-page.ts'
import { clip, createProcessRig, loopedClip, type ProcessRig } from '../support/process-rig.ts'
import { until } from '../support/until.ts'

let rig: ProcessRig
let browser: Browser
let opened: ConsolePage

beforeAll(async () => {
  rig = await createProcessRig({ AERIE_WEBRTC_PORT: '0' })
  browser = await launchBrowser()
})
beforeEach(async () => {
  const { url } = await rig.ask<{ url: string }>('POST', '/session/code')
  opened = await openConsole(browser, url)
  await opened.page.waitForSelector('h1:has-text("Live")')
})
afterEach(async () => {
  await opened.page.close()
  await rig.clear()
})
afterAll(async () => {
  await browser.close()
  await rig.remove()
})

const encoded = (...codec: string[]) => ['-re', '-stream_loop', '-1', '-i', clip, '-an', ...codec]
const withBFrames = encoded('-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '3', '-g', '14')
const h265 = encoded('-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'keyint=14:log-level=none')

const untilShown = (way: 'WebRTC' | 'HLS' | 'MJPEG') =>
  opened.page.waitForSelector(`.pane[data-way="${way}"]`, { timeout: 30_000 })
const linesOf = () => opened.page.evaluate<number>(`document.querySelector('.pane video').videoHeight`)

/** Live, looked at by the recorder, and processed since the wall was open. */
async function process(name: string, input: readonly string[]) {
  const { sourceId, publisher } = await rig.goLive(name, { input })
  const record = () => rig.ask<{ video?: { has_b_frames?: boolean } }>('GET', `/source/${sourceId}`)
  await until(async () => (await record()).video !== undefined, 10_000)
  await rig.start(sourceId)
  return { publisher, video: (await record()).video! }
}

test('B-frames: a preview by WebRTC on the wall, HLS alone, the last picture when the stream breaks off', async () => {
  const { publisher, video } = await process('b-frames', withBFrames)
  expect(video.has_b_frames).toBe(true)
  await untilShown('WebRTC')
  expect(await linesOf()).toBe(360)
  await opened.page.click('.tile h2 a')
  await untilShown('HLS')
  expect(await linesOf()).toBe(576)

  await publisher.kill()
  await untilShown('MJPEG')
  await opened.page.waitForSelector('.notice.calm')
  await opened.page.waitForSelector('.pane.dimmed .old:has-text("Last picture")')
  rig.publish('b-frames', { input: withBFrames })
  await untilShown('HLS')
  expect(opened.problems()).toEqual([])
}, 90_000)

test('H.265: a preview by WebRTC on the wall, and at once what the browser can do alone', async () => {
  const asked: string[] = []
  opened.page.on('request', (request) => asked.push(request.url()))
  await process('h265', h265)
  await untilShown('WebRTC')
  expect(await linesOf()).toBe(360)
  await opened.page.click('.tile h2 a')
  const hasIt = await opened.page.evaluate(`MediaSource.isTypeSupported('video/mp4; codecs="hvc1.1.6.L93.B0"')`)
  await untilShown(hasIt ? 'HLS' : 'MJPEG')
  expect(asked.some((url) => url.includes('/hls/'))).toBe(hasIt)
  expect(opened.problems()).toEqual([])
}, 60_000)

test('a paused process whose stream breaks off shows its last picture, and says why', async () => {
  const { publisher } = await process('paused', loopedClip)
  await untilShown('WebRTC')
  await opened.page.click('button:has-text("Pause")')
  await opened.page.waitForSelector('button:has-text("Resume")')
  await publisher.kill()
  await untilShown('MJPEG')
  await opened.page.waitForSelector('.tile .notice.calm')
  // As long as it takes to be asked again by ways that are not there.
  await opened.page.waitForTimeout(3_000)
  rig.publish('paused')
  await untilShown('WebRTC')
  expect(opened.problems()).toEqual([])
}, 60_000)
