/** The console's stories, in a real browser, against the demo as a user starts it. */
import { type Browser, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { launchBrowser, movementOf } from '../builders/browser.ts'
import { childrenOf, isRunning } from '../builders/child-processes.ts'
import { type ConsolePage, openConsole, seriousViolations } from '../builders/console-page.ts'
import { type RunningDemo, startDemo } from '../builders/demo.ts'
import { until } from '../builders/until.ts'

let demo: RunningDemo
let browser: Browser
let opened: ConsolePage
let page: Page
const expected: RegExp[] = []

beforeAll(async () => {
  demo = await startDemo({ AERIE_RECORDING_SEGMENT_SECONDS: '4' })
  browser = await launchBrowser()
})
beforeEach(async () => {
  expected.length = 0
  opened = await openConsole(browser, await demo.signInUrl())
  page = opened.page
  await page.waitForSelector('h1:has-text("Live")')
})
afterEach(async () => {
  const problems = opened.problems(...expected)
  await page.close()
  expect(problems).toEqual([])
})
afterAll(async () => {
  await browser.close()
  await demo.remove()
})

const untilPlaying = () => page.waitForSelector('.pane[data-way="WebRTC"]', { timeout: 20_000 })

/** For the documentation, when asked for: `SCREENSHOTS=1`. */
async function photograph(name: string, fullPage = false): Promise<void> {
  if (!process.env['SCREENSHOTS']) return
  await page.screenshot({ path: `docs/screenshots/console-${name}.jpg`, type: 'jpeg', quality: 75, fullPage })
}

interface Box {
  readonly track_id: number
  readonly box: readonly number[]
}
interface Drawn {
  /** Of the picture that is on the screen. */
  readonly shown: number
  /** Of what is drawn over it. */
  readonly rtp: number | null
  readonly boxes: readonly Box[]
}

/** From now on, what is drawn over each picture, beside the picture's own time. */
async function watchDrawing(): Promise<void> {
  await page.evaluate(`(() => {
    window.drawn = []
    let shown = 0
    const video = document.querySelector('.pane video')
    const next = (_now, frame) => {
      shown = frame.rtpTimestamp
      video.requestVideoFrameCallback(next)
    }
    video.requestVideoFrameCallback(next)
    document.querySelector('.pane canvas').addEventListener('drawn', ({ detail }) => {
      // The page's own look at this picture came first, or comes right after.
      queueMicrotask(() => requestAnimationFrame(() => window.drawn.push({ shown, rtp: detail.rtp_timestamp ?? null, boxes: detail.boxes })))
    })
  })()`)
}
const drawnSoFar = () => page.evaluate<Drawn[]>('window.drawn')

/** What the service says was seen, by the frame's RTP timestamp. */
async function listenToDetections(): Promise<{ seen: Map<number, Box[]>; stop: () => void }> {
  const processes = (await (
    await fetch(`${demo.url}/processes?state=live`, { headers: { api_key: demo.key } })
  ).json()) as { process_uuid: string }[]
  const leaving = new AbortController()
  const response = await fetch(`${demo.url}/process/${processes.at(-1)!.process_uuid}/events`, {
    headers: { api_key: demo.key },
    signal: leaving.signal,
  })
  const seen = new Map<number, Box[]>()
  const read = async () => {
    let text = ''
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      const messages = (text + chunk).split('\n\n')
      text = messages.pop()!
      for (const message of messages) {
        const data = /^data: (.*)$/m.exec(message)?.[1]
        if (!data) continue
        const { frame, active_tracks } = JSON.parse(data)
        seen.set(
          frame.rtp_timestamp,
          active_tracks.map((track: { track_id: number; scaled_bbox: number[] }) => ({
            track_id: track.track_id,
            box: track.scaled_bbox,
          })),
        )
      }
    }
  }
  read().catch(() => undefined)
  return { seen, stop: () => leaving.abort() }
}

test('the demo’s link signs in once, and leaves neither code nor key behind', async () => {
  expect(page.url()).not.toContain('code')
  expect(await page.evaluate('JSON.stringify(localStorage) + JSON.stringify(sessionStorage)')).not.toMatch(/ak_|se_/)
  expect(await page.evaluate('document.cookie')).toBe('')

  const link = await demo.signInUrl()
  for (const name of ['first', 'second']) {
    const other = await openConsole(browser, link)
    if (name === 'first') await other.page.waitForSelector('nav')
    else expect(await other.page.textContent('[role=alert]')).toMatch(/used already/)
    await other.page.close()
  }
})

test('whoever signs out has to show a key again; a wrong one is refused in words', async () => {
  expected.push(/403/)
  await page.click('text=Sign out')
  await page.fill('input[name=api_key]', 'ak_wrong')
  await page.keyboard.press('Enter')
  await page.waitForSelector('[role=alert]:has-text("not known here")')
  expect(await seriousViolations(page)).toEqual([])
  await page.fill('input[name=api_key]', demo.key)
  await page.keyboard.press('Enter')
  await page.waitForSelector('nav')
})

test('live video moves, and every box stands where the detections of that very picture say', async () => {
  await untilPlaying()
  expect(await movementOf(page)).toBeGreaterThan(0.3)
  const { seen, stop } = await listenToDetections()
  await watchDrawing()
  const matched = async () => (await drawnSoFar()).filter(({ rtp }) => rtp !== null && seen.has(rtp))
  await until(async () => (await matched()).length >= 25, 15_000)
  stop()
  const pictures = await matched()
  for (const { rtp, boxes } of pictures) expect(boxes).toEqual(seen.get(rtp!))
  expect(Math.max(...pictures.map(({ boxes }) => boxes.length))).toBeGreaterThan(3)
  // A slow machine may be late with the boxes of a picture; then those of the one before are shown.
  const inStep = pictures.filter(({ rtp, shown }) => rtp === shown)
  expect(inStep.length / pictures.length).toBeGreaterThan(0.6)
}, 60_000)

test('where WebRTC is not to be had it plays by HLS, boxes included', async () => {
  await page.addInitScript('delete window.RTCPeerConnection')
  await page.reload()
  await page.waitForSelector('.pane[data-way="HLS"]', { timeout: 30_000 })
  await watchDrawing()
  await until(async () => (await drawnSoFar()).some(({ boxes }) => boxes.length > 2), 15_000)
})

test('a process pauses and goes on', async () => {
  await untilPlaying()
  await page.click('button:has-text("Pause")')
  await page.waitForSelector('.badge:has-text("paused")')
  await watchDrawing()
  await until(async () => (await drawnSoFar()).at(-1)?.boxes.length === 0, 8_000)
  await page.click('button:has-text("Resume")')
  await page.waitForSelector('.badge:has-text("running")')
  await until(async () => ((await drawnSoFar()).at(-1)?.boxes.length ?? 0) > 0, 10_000)
})

test('one process alone shows the tracks of the last minute', async () => {
  await page.click('.tile h2 a')
  await page.waitForSelector('.tracks tbody tr')
  await untilPlaying()
  expect(await page.textContent('.tracks tbody')).toMatch(/person \d+/)
  expect(await seriousViolations(page)).toEqual([])
  await new Promise((resolve) => setTimeout(resolve, process.env['SCREENSHOTS'] ? 8_000 : 0))
  await photograph('process', true)
})

test('the map shows the camera, what it sees, and tracks with their errors', async () => {
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForSelector('h1:has-text("Map")')
  await page.waitForSelector('.track-name:has-text("Demo")')
  await until(async () => (await page.locator('.track-name:has-text("person")').count()) > 1, 10_000)
  expect(await page.textContent('.tracks tbody')).toMatch(/51\.44\d+/)
  expect(await seriousViolations(page)).toEqual([])
  await new Promise((resolve) => setTimeout(resolve, process.env['SCREENSHOTS'] ? 6_000 : 0))
  await photograph('map')
})

test('a stream is looked at before it is saved, and gets an address to publish to', async () => {
  await page.click('nav a[href="#/sources"]')
  await page.fill('input[name=alias]', 'Front gate')
  await page.fill('input[name=input_url]', 'rtsp://127.0.0.1:9/none')
  await page.click('text=Look at it')
  await page.waitForSelector('[role=status]:has-text("Nothing listens there")', { timeout: 20_000 })

  const hint = (await page.textContent('.hint code'))!
  await page.fill('input[name=input_url]', hint)
  await page.click('text=Look at it')
  await page.waitForSelector('[role=status]:has-text("Nothing is being published")')
  await page.click('button:has-text("Save")')
  const card = page.locator('.card:has(h2:text-is("Front gate"))')
  await card.locator('text=Publish to it').click()
  await card.locator('text=Make an address').click()
  expect(await card.locator('input').first().inputValue()).toMatch(/^rtmp:\/\/localhost:\d+\/admin\/front\?token=tk_/)
  expect(await card.locator('svg.qr').isVisible()).toBe(true)
  expect(await seriousViolations(page)).toEqual([])
  await photograph('sources', true)
})

test('an uploaded video is processed and shown', async () => {
  await page.click('nav a[href="#/sources"]')
  await page.setInputFiles('input[type=file]', 'assets/demo/people-walking.mp4')
  await page.click('button:has-text("Upload")')
  const card = page.locator('.card:has(h2:text-is("people-walking.mp4"))')
  await card.locator('button:has-text("Start process")').click({ timeout: 20_000 })
  await card.locator('a:has-text("Watch")').click({ timeout: 20_000 })
  await until(
    async () => page.evaluate<boolean>(`(document.querySelector('.pane img')?.naturalWidth ?? 0) > 0`),
    15_000,
  )
  await page.click('nav a[href="#/live"]')
  const tile = page.locator('.tile:has-text("people-walking.mp4")')
  await tile.locator('img').waitFor()
  await untilPlaying()
  await new Promise((resolve) => setTimeout(resolve, process.env['SCREENSHOTS'] ? 5_000 : 0))
  await photograph('live')
  await tile.locator('button:has-text("Stop")').click()
  await tile.waitFor({ state: 'detached' })
}, 90_000)

test('a recording is played', async () => {
  await page.click('nav a[href="#/sources"]')
  await page.locator('.card:has-text("Demo: people")').locator('button:has-text("Recordings")').click()
  await page.locator('.recordings button').first().click({ timeout: 20_000 })
  await until(
    async () => page.evaluate<boolean>(`document.querySelector('.recordings video').currentTime > 0.5`),
    10_000,
  )
})

test.each([
  ['dark', { colorScheme: 'dark' as const }],
  ['375 pixels wide', { viewport: { width: 375, height: 700 } }],
])('%s, every page can be read and nothing sticks out', async (_name, options) => {
  const other = await openConsole(browser, await demo.signInUrl(), options)
  await other.page.waitForSelector('.tile')
  for (const where of ['live', 'map', 'sources']) {
    await other.page.click(`nav a[href="#/${where}"]`)
    await other.page.waitForSelector(`nav a[href="#/${where}"][aria-current]`)
    await other.page.waitForSelector(where === 'live' ? '.tile' : where === 'map' ? '.tracks' : '.sources .card')
    expect(await seriousViolations(other.page), where).toEqual([])
    expect(await other.page.evaluate('document.documentElement.scrollWidth <= innerWidth'), where).toBe(true)
  }
  expect(other.problems()).toEqual([])
  await other.page.close()
})

test('Ctrl-C stops everything, and nothing is left running', async () => {
  const children = childrenOf(demo.pid, '')
  expect(childrenOf(demo.pid, 'demo/camera.js')).toHaveLength(1)
  await page.goto('about:blank')
  expect(await demo.stop()).toBe(0)
  expect(children.filter(isRunning)).toEqual([])
})
