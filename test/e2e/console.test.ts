/** The console's stories, in a real browser, against the demo as a user starts it. */
import { join } from 'node:path'
import { type Browser, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { launchBrowser, movementOf, untilMoving } from '../support/browser.ts'
import { childrenOf, isRunning } from '../support/child-processes.ts'
import { drawnSoFar, isInStep, layoutOf, listenToDetections, watchDrawing } from '../support/console-drawing.ts'
import { type ConsolePage, openConsole, seriousViolations } from '../support/console-page.ts'
import { type RunningDemo, startDemo } from '../support/demo.ts'
import { start } from '../support/ffmpeg.ts'
import { until } from '../support/until.ts'

let demo: RunningDemo
let browser: Browser
let opened: ConsolePage
let page: Page
const expected: RegExp[] = []
/** A page that is left for another breaks off what it was at. */
const BROKEN_OFF = /net::ERR_ABORTED$/

beforeAll(async () => {
  demo = await startDemo({ AERIE_RECORDING_SEGMENT_SECONDS: '4' })
  browser = await launchBrowser()
})
beforeEach(async () => {
  expected.length = 0
  opened = await openConsole(browser, await demo.signInUrl())
  page = opened.page
  // Whether to stop is asked first.
  page.on('dialog', (dialog) => void dialog.accept())
  await page.waitForSelector('h1:has-text("Live")')
})
afterEach(async () => {
  const problems = opened.problems(...expected)
  await page.close()
  expect(problems, problems.join('\n')).toEqual([])
})
afterAll(async () => {
  await browser.close()
  await demo.remove()
})

const untilPlaying = () => page.waitForSelector('.pane[data-way="WebRTC"]', { timeout: 20_000 })

/** Of the video that plays. */
const linesOf = () => page.evaluate<number>(`document.querySelector('.pane video').videoHeight`)

const isPainted = (picture: string) =>
  page.evaluate<boolean>(`(document.querySelector('${picture}')?.naturalWidth ?? 0) > 0`)

/** Of a new user. */
async function keyOf(username: string): Promise<string> {
  const response = await fetch(`${demo.url}/keys`, {
    method: 'POST',
    headers: { api_key: demo.key, 'content-type': 'application/json' },
    body: JSON.stringify({ username, minutes: 1 }),
  })
  return ((await response.json()) as { key: string }).key
}

async function signInLink(key: string): Promise<string> {
  const response = await fetch(`${demo.url}/session/code`, { method: 'POST', headers: { api_key: key } })
  return ((await response.json()) as { url: string }).url
}

/** Beside the page, in the same browser session. */
async function openTab(url: string): Promise<Page> {
  const [tab] = await Promise.all([page.waitForEvent('popup'), page.evaluate(`void open('${url}')`)])
  return tab
}

/** For the documentation, when asked for: `SCREENSHOTS=1`. */
async function photograph(name: string, fullPage = false): Promise<void> {
  if (!process.env['SCREENSHOTS']) return
  await page.screenshot({ path: `docs/screenshots/console-${name}.jpg`, type: 'jpeg', quality: 75, fullPage })
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

test('a sign-in link works in a tab that shows the console already, after a question', async () => {
  await page.evaluate('window.isTheSamePage = true')
  await page.goto(await demo.signInUrl())
  await page.click('text=Sign in with the link')
  await page.waitForURL(/#\/live$/)
  await page.waitForSelector('.tile')
  expect(await page.evaluate('window.isTheSamePage')).toBe(true)
})

test('somebody else’s sign-in link is not followed unasked; other tabs notice when it is', async () => {
  expected.push(BROKEN_OFF)
  const anna = await keyOf('anna')
  const link = await signInLink(anna)
  const other = await openTab(link)
  await other.waitForSelector('main:has-text("You are signed in as admin")')
  expect(await seriousViolations(other)).toEqual([])
  await other.click('text=Stay signed in as admin')
  await other.waitForSelector('.who:text-is("admin")')
  expect(other.url()).not.toContain('code')

  // Nothing was exchanged: the link is still good.
  await other.goto(link)
  await other.click('text=Sign in with the link')
  await other.waitForSelector('.who:text-is("anna")')
  await page.waitForSelector('main:has-text("signed in as anna now")')
  expect(await page.locator('.tile').count()).toBe(0)
  expect(await seriousViolations(page)).toEqual([])
  await page.click('text=Go on as anna')
  await page.waitForSelector('.who:text-is("anna")')
  expect(opened.problems(BROKEN_OFF)).toEqual([])
  // What is asked for before this tab hears of it is refused.
  expected.push(/403/)
  await other.click('text=Sign out')
  await page.waitForSelector('[role=alert]:has-text("signed out in another tab")')
})

test('a page whose cookie has become another user’s says so when it is looked at again', async () => {
  // A stream of events that connects in between is asked for by Ben, who has no such process.
  expected.push(/404/)
  const api_key = await keyOf('ben')
  await page.context().request.post(`${demo.url}/session`, { data: { api_key } })
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
  await page.waitForSelector('main:has-text("signed in as ben now")')
})

test('whoever signs out hears nothing more and has to show a key again; a wrong one is refused in words', async () => {
  await untilPlaying()
  const isEvents = (request: { url(): string }) => request.url().includes('/processes/events')
  const ended = page.waitForEvent('requestfailed', isEvents)
  await page.click('text=Sign out')
  await ended
  expect(opened.problems()).toEqual([])
  expected.push(/403/)
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
  await untilMoving(page, 0.3)
  const { seen, stop } = await listenToDetections(demo)
  await watchDrawing(page)
  const matched = async () => (await drawnSoFar(page)).filter(({ rtp }) => rtp !== null && seen.has(rtp))
  // A slow machine looks at some of the pictures only, and is late at first; the page learns how long to wait.
  await until(async () => {
    const latest = (await matched()).slice(-25)
    const inStep = latest.filter((picture) => isInStep(picture, seen))
    return inStep.length > 15 && inStep.filter(({ rtp, shown }) => rtp === shown).length > 3
  }, 40_000)
  stop()
  const pictures = await matched()
  for (const { rtp, boxes, painted } of pictures) {
    expect(boxes).toEqual(seen.get(rtp!))
    expect(Math.min(1, ...painted.outlines)).toBeGreaterThan(0.95)
    expect(painted.besideFree).toBeGreaterThan(0.4)
  }
  expect(Math.max(...pictures.map(({ boxes }) => boxes.length))).toBeGreaterThan(3)
  const { video, canvas, shape } = await layoutOf(page)
  expect(canvas).toEqual(video)
  expect(Math.abs(video.width / video.height / shape - 1)).toBeLessThan(0.01)
}, 60_000)

test('whoever leaves the video takes leave of the service, also while it connects; every request is answered', async () => {
  const goodbyes: Promise<number>[] = []
  let greetings = 0
  page.on('request', (request) => {
    if (!request.url().includes('/whep')) return
    if (request.method() === 'POST') greetings++
    else goodbyes.push(request.response().then((response) => response!.status()))
  })
  await untilPlaying()
  const before = greetings
  for (const waitMs of [0, 60, 120, 240, 'playing'] as const) {
    await page.click('nav a[href="#/sources"]')
    await page.waitForSelector('h1:has-text("Sources")')
    await page.click('nav a[href="#/live"]')
    if (waitMs === 'playing') await untilPlaying()
    else await page.waitForTimeout(waitMs)
  }
  await page.click('nav a[href="#/map"]')
  // One more than greetings: of the session that played at the beginning.
  await until(async () => goodbyes.length === greetings - before + 1, 10_000)
  expect(new Set(await Promise.all(goodbyes))).toEqual(new Set([200]))
  expect(opened.problems()).toEqual([])
})

test('the wall shows previews, which are made only while somebody looks; a process alone is shown as it comes', async () => {
  const previewStatus = async () => {
    const playlist = `${demo.url}/hls/admin/demo/~preview/index.m3u8`
    return (await fetch(playlist, { headers: { api_key: demo.key } })).status
  }
  await untilPlaying()
  expect(await linesOf()).toBe(360)
  expect(await previewStatus()).toBe(200)
  await page.click('.tile h2 a')
  await page.waitForSelector('.single .pane[data-way="WebRTC"]')
  await until(async () => (await linesOf()) === 576, 10_000)
  await until(async () => (await previewStatus()) === 404, 20_000)
}, 40_000)

test('where WebRTC is not to be had it plays by HLS, boxes included, and as motion JPEG in the end', async () => {
  expected.push(BROKEN_OFF)
  await page.addInitScript('delete window.RTCPeerConnection')
  await page.reload()
  await page.waitForSelector('.pane[data-way="HLS"]', { timeout: 30_000 })
  await watchDrawing(page)
  await until(async () => (await drawnSoFar(page)).some(({ boxes }) => boxes.length > 2), 15_000)

  await page.addInitScript('delete window.MediaSource; delete window.ManagedMediaSource')
  await page.reload()
  await page.waitForSelector('.pane[data-way="MJPEG"] img')
  await until(() => isPainted('.pane img'), 15_000)
})

test('a process pauses and goes on', async () => {
  await untilPlaying()
  await page.click('button:has-text("Pause")')
  await page.waitForSelector('.badge:has-text("paused")')
  await watchDrawing(page)
  await until(async () => (await drawnSoFar(page)).at(-1)?.painted.covered === 0, 8_000)
  await page.click('button:has-text("Resume")')
  await page.waitForSelector('.badge:has-text("running")')
  await until(async () => ((await drawnSoFar(page)).at(-1)?.boxes.length ?? 0) > 0, 10_000)
})

test('by keyboard alone: sign in, open a process, pause it', async () => {
  await page.click('text=Sign out')
  await page.waitForSelector('input[name=api_key]:focus')
  await page.keyboard.type(demo.key)
  await page.keyboard.press('Enter')
  await page.waitForSelector('.tile')
  const tabTo = async (wanted: string) => {
    for (let i = 0; i < 12; i++) {
      await page.keyboard.press('Tab')
      if (await page.evaluate<boolean>(`document.activeElement.matches(${JSON.stringify(wanted)})`)) return
    }
    throw new Error(`${wanted} is not reached.`)
  }
  await tabTo('.tile h2 a')
  await page.keyboard.press('Enter')
  await page.waitForSelector('h1:has-text("Demo")')
  await until(async () => /^Demo.* – Live – Aerie$/.test(await page.title()), 3_000)
  await page.waitForSelector('main:focus')
  await tabTo('.actions button')
  await page.keyboard.press('Enter')
  await page.waitForSelector('.badge:has-text("paused")')
  await page.waitForSelector('.actions button:has-text("Resume")')
  await page.keyboard.press('Enter')
  await page.waitForSelector('.badge:has-text("running")')
})

test('what nobody can see is not played', async () => {
  await page.click('.tile h2 a')
  await page.waitForSelector('.tracks tbody tr')
  await untilPlaying()
  await page.setViewportSize({ width: 375, height: 300 })
  const isGoodbye = (request: { method(): string; url(): string }) =>
    request.method() === 'DELETE' && request.url().includes('/whep/')
  const goodbye = page.waitForRequest(isGoodbye)
  await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
  await goodbye
  await page.waitForSelector('.pane[data-way="connecting"]', { state: 'attached' })
  await page.evaluate('scrollTo(0, 0)')
  await untilPlaying()
  // The end of the one before, which may come later, takes nothing away.
  for (let look = 0; look < 3; look++) expect(await movementOf(page)).toBeGreaterThan(0.1)
})

test('a page behind others plays and hears nothing, and goes on when it is looked at', async () => {
  await untilPlaying()
  const hide = (isHidden: boolean) =>
    page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))`)
  const ended = page.waitForEvent('requestfailed', (request) => request.url().includes('/processes/events'))
  const goodbye = page.waitForRequest((request) => request.method() === 'DELETE')
  await hide(true)
  await Promise.all([ended, goodbye])
  await hide(false)
  await untilPlaying()
  await watchDrawing(page)
  await until(async () => (await drawnSoFar(page)).some(({ boxes }) => boxes.length > 0), 10_000)
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
  expect(await page.getByRole('region', { name: 'Tracks with a place' }).count()).toBe(1)
  expect(await seriousViolations(page)).toEqual([])
  await new Promise((resolve) => setTimeout(resolve, process.env['SCREENSHOTS'] ? 6_000 : 0))
  await photograph('map')
})

test('masters see what takes how much of the machine', async () => {
  await page.click('nav a[href="#/system"]')
  const row = page.locator('section:has(h2:text-is("Processes")) tbody tr')
  await until(async () => /\d\.\d of \d+\.\d fps.*\d ms.*\d\.\d\d/.test((await row.textContent()) ?? ''), 30_000)
  expect(await page.textContent('.gauges')).toMatch(/CPU\d\.\d\d of \d+ cores.*Memory.*Disk/)
  expect(await page.textContent('main')).toMatch(/media server/)
  await photograph('system', true)
  await row.locator('a').click()
  await page.waitForURL(/#\/live\/[0-9a-f-]{36}$/)
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
  expect(await card.locator('.copy input').first().inputValue()).toMatch(
    /^rtmp:\/\/localhost:\d+\/admin\/front\?token=tk_/,
  )
  expect(await card.locator('svg.qr').isVisible()).toBe(true)
  // As over plain HTTP in a local network.
  await page.evaluate(`Object.defineProperty(navigator, 'clipboard', { value: undefined })`)
  await card.locator('button:text-is("Copy")').first().click()
  await card.locator('button:text-is("Copied")').waitFor()
  expect(await seriousViolations(page)).toEqual([])
  await photograph('sources', true)
})

test('an uploaded video is processed and shown', async () => {
  // Long enough for all that is done with it here, also on a busy machine.
  const file = join(demo.folder, 'people-walking.mp4')
  const clip = 'assets/demo/people-walking.mp4'
  expect(await start('ffmpeg', ['-y', '-stream_loop', '3', '-i', clip, '-c', 'copy', file]).finished).toMatchObject({
    code: 0,
  })
  await page.click('nav a[href="#/sources"]')
  await page.setInputFiles('input[type=file]', file)
  const network = await page.context().newCDPSession(page)
  const throttle = (uploadThroughput: number) =>
    network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    })
  await throttle(1_000_000)
  await page.click('button:has-text("Upload")')
  await page.waitForSelector('label:has(progress):has-text("% sent")')
  const isOnItsWay = () => page.evaluate<boolean>(`document.querySelector('progress')?.value > 0.2`)
  await until(isOnItsWay, 10_000)
  await page.click('nav a[href="#/live"]')
  await page.waitForSelector('h1:has-text("Live")')
  await page.click('nav a[href="#/sources"]')
  await until(isOnItsWay, 5_000)
  await page.waitForSelector('button:has-text("Cancel")')
  await throttle(-1)
  const card = page.locator('.card:has(h2:text-is("people-walking.mp4"))')
  await card.locator('button:has-text("Start process")').click({ timeout: 20_000 })
  await card.locator('a:has-text("Watch")').click({ timeout: 20_000 })
  await until(() => isPainted('.pane img'), 15_000)
  await page.click('nav a[href="#/live"]')
  const tile = page.locator('.tile:has-text("people-walking.mp4")')
  await tile.locator('img').waitFor()
  await untilPlaying()
  await new Promise((resolve) => setTimeout(resolve, process.env['SCREENSHOTS'] ? 5_000 : 0))
  await photograph('live')
  await tile.getByRole('button', { name: 'Stop people-walking.mp4' }).click()
  await tile.waitFor({ state: 'detached' })
  await page.waitForSelector('main:focus')
}, 90_000)

test('a recording is played', async () => {
  await page.click('nav a[href="#/sources"]')
  await page.locator('.card:has-text("Demo: people")').locator('button:has-text("Recordings")').click()
  // The list is asked for every half minute, and the first file may just have begun.
  await page.locator('.recordings button:has-text("Play")').click({ timeout: 40_000 })
  const isPlaying = () => page.evaluate<boolean>(`document.querySelector('.recordings video').currentTime > 0.5`)
  await until(isPlaying, 10_000)
  const first = await page.getAttribute('.recordings video', 'aria-label')
  await page.evaluate(`(() => {
    const video = document.querySelector('.recordings video')
    video.currentTime = video.duration - 0.2
  })()`)
  await page.waitForSelector(`.recordings video:not([aria-label="${first}"])`)
  await until(isPlaying, 10_000)
  expect(await seriousViolations(page)).toEqual([])
}, 70_000)

test('every page can be read and nothing sticks out, light and dark, also where it is 375 pixels wide', async () => {
  const look = async (name: string, sign: string) => {
    // A busy machine looks at few pictures, and confirms a track only after several of them.
    await page.waitForSelector(sign, { timeout: 60_000 })
    for (const [width, height] of [
      [1280, 800],
      [375, 700],
    ] as const) {
      await page.setViewportSize({ width, height })
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await seriousViolations(page), `${name} ${colorScheme} ${width}`).toEqual([])
      }
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${name} ${width}`).toBe(true)
    }
  }
  await look('live', '.tile')
  await page.click('.tile h2 a')
  await look('process', '.tracks tbody tr')
  await page.click('nav a[href="#/map"]')
  await look('map', '.tracks tbody tr')
  await page.click('nav a[href="#/sources"]')
  await look('sources', '.sources .card')
  await page.click('nav a[href="#/system"]')
  await look('system', '.usage tbody tr')
  await page.click('text=Sign out')
  await look('sign-in', 'input[name=api_key]')
}, 150_000)

test('what the alert and the webhook tell is printed, and a second demo says why it does not start', async () => {
  await until(async () => /^alert: \d+ persons? found, tracks? \d/m.test(demo.output()), 25_000)
  expect(demo.output()).toMatch(/^webhook: new tracks? \d[\d, …]*, person$/m)
  await expect(startDemo({}, demo.folder)).rejects.toThrow(/Another Aerie is running on .*; stop it first/)
})

test('Ctrl-C stops everything, and nothing is left running; the next run adds no second alert', async () => {
  const children = childrenOf(demo.pid, '')
  expect(childrenOf(demo.pid, 'demo/camera.js')).toHaveLength(1)
  expected.push(BROKEN_OFF)
  await page.goto('about:blank')
  expect(await demo.stop()).toBe(0)
  expect(children.filter(isRunning)).toEqual([])

  const again = await startDemo({}, demo.folder)
  const alerts = await fetch(`${again.url}/alerts`, { headers: { api_key: again.key } })
  expect(await alerts.json()).toHaveLength(1)
  expect(await again.stop('SIGTERM')).toBe(0)
})
