/** What the console does in states that a real service is in seldom: it is made up here. */
import { type Browser, type Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { seriousViolations } from '../support/console-page.ts'
import {
  consoleAt,
  openPictured,
  picturedProcess,
  picturedSource,
  type PicturedService,
} from '../support/pictured-service.ts'
import { until } from '../support/until.ts'

let browser: Browser
let service: PicturedService

beforeAll(async () => {
  browser = await launchBrowser()
})
beforeEach(async () => {
  service = await openPictured(browser)
})
afterEach(() => service.page.close())
afterAll(() => browser.close())

const open = (hash: string) => service.page.goto(consoleAt(hash))
const isAsked = (path: RegExp) => until(async () => service.asked.some((one) => path.test(one)), 10_000)
const untilThereAre = (count: number, what: string) =>
  until(async () => (await service.page.locator(what).count()) === count, 10_000)

test('three motion JPEGs come at once; the next has its turn when one goes', async () => {
  const numbers = [1, 2, 3, 4, 5]
  service.say(/^\/processes$/, numbers.map(picturedProcess))
  service.say(
    /^\/sources$/,
    numbers.map((number) => picturedSource(number, false)),
  )
  service.answer(/\/feed$/, (route) => route.fulfill({ contentType: 'image/svg+xml', body: picture }))
  await open('#/live')
  await untilThereAre(3, '.pane img')
  await untilThereAre(2, '.held')
  service.say(/^\/processes$/, [2, 3, 4, 5].map(picturedProcess))
  await untilThereAre(1, '.held')
  await untilThereAre(3, '.pane img')
})

test('the wall and the sources know of more processes than the service lists unasked', async () => {
  const waiting = Array.from({ length: 101 }, (_, index) => ({
    ...waitingProcess,
    process_uuid: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
  }))
  service.answer(/^\/processes$/, (route) => {
    const limit = Number(new URL(route.request().url()).searchParams.get('limit') ?? 100)
    return route.fulfill({ json: waiting.slice(0, limit) })
  })
  service.say(/^\/sources$/, [{ ...picturedSource(1, true), source_uuid: '10000000-0000-4000-8000-000000000101' }])
  waiting.at(-1)!.source_uuid = '10000000-0000-4000-8000-000000000101'
  await open('#/live')
  await untilThereAre(101, '.tile')
  await open('#/sources')
  await service.page.waitForSelector('.card:has-text("A process waits.")')
})

test('streams that fall back to motion JPEG count too', async () => {
  const numbers = [1, 2, 3, 4]
  service.say(/^\/processes$/, numbers.map(picturedProcess))
  service.say(
    /^\/sources$/,
    numbers.map((number) => picturedSource(number, number > 2)),
  )
  service.answer(/\/feed$/, (route) => route.fulfill({ contentType: 'image/svg+xml', body: picture }))
  await service.page.addInitScript('delete RTCPeerConnection; delete MediaSource; delete window.ManagedMediaSource')
  await open('#/live')
  await untilThereAre(4, '.pane[data-way="MJPEG"]')
  await untilThereAre(3, '.pane img')
})

test('a player that is left while it connects is left for good', async () => {
  service.say(/^\/processes$/, [picturedProcess(1)])
  service.say(/^\/sources$/, [picturedSource(1, true)])
  service.answer(/\/whep$/, () => undefined)
  await open('#/live')
  await isAsked(/\/whep$/)
  await service.page.click('nav a[href="#/sources"]')
  await service.page.waitForSelector('h1:has-text("Sources")')
  // Long enough for the part that plays HLS to be loaded and to ask.
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  expect(service.asked.filter((path) => path.includes('hls'))).toEqual([])
})

test('a process without its first picture is not asked for a preview; its source can be seen', async () => {
  const starting = { ...picturedProcess(1), state: 'starting', started_at: null }
  service.say(/^\/processes$/, [starting])
  service.say(/^\/sources$/, [picturedSource(1, true)])
  service.say(/^\/process\/[^/]+$/, starting)
  service.say(/^\/source\/[^/]+$/, picturedSource(1, true))
  service.answer(/\/whep$/, () => undefined)
  await open('#/live')
  await untilThereAre(1, '.pane[data-way="connecting"]')
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  expect(service.asked.filter((path) => path.includes('whep'))).toEqual([])
  await open(`#/live/${starting.process_uuid}`)
  await isAsked(/\/whep$/)
  expect(service.asked.filter((path) => path.includes('~preview'))).toEqual([])
})

test('a passing error of the source changes nothing of the picture; one that is removed comes as motion JPEG', async () => {
  const { process_uuid } = picturedProcess(1)
  service.say(/^\/process\/[^/]+$/, picturedProcess(1))
  service.say(/^\/source\/[^/]+$/, picturedSource(1, true))
  service.answer(/\/whep$/, () => undefined)
  service.answer(/\/feed$/, (route) => route.fulfill({ contentType: 'image/svg+xml', body: picture }))
  await open(`#/live/${process_uuid}`)
  await isAsked(/\/whep$/)
  service.say(/^\/source\/[^/]+$/, problem(500, 'internal-error', 'Something broke.'), 500)
  await service.page.waitForSelector('[role=alert]:has-text("Something broke.")')
  expect(await service.page.locator('.pane[data-way="connecting"]').count()).toBe(1)
  service.say(/^\/source\/[^/]+$/, problem(404, 'source-not-found', 'There is no such source.'), 404)
  await service.page.waitForSelector('.pane[data-way="MJPEG"] img')
})

test('untracked things are spots of their own on the map; who says nothing more is grey and has its age', async () => {
  service.say(/^\/processes$/, [picturedProcess(1)])
  service.say(/^\/sources$/, [picturedSource(1, true)])
  const events = (...scenes: unknown[]) => scenes.map((scene) => `data: ${JSON.stringify(scene)}\n\n`).join('')
  let isTold = false
  service.answer(/^\/processes\/events$/, async (route) => {
    const body = isTold ? '' : events(scene(1), scene(2))
    await route.fulfill({ contentType: 'text/event-stream', body })
    isTold = true
  })
  await open('#/map')
  await untilThereAre(3, '.track-name:has-text("person")')
  await untilThereAre(3, '.tracks tbody tr')
  expect(await service.page.locator('.tracks tbody th').allTextContents()).toEqual(['person', 'person', 'person'])
  const scale = await service.page.textContent('.leaflet-control-scale-line')
  await service.page.click('text=Show everything')
  await until(async () => (await service.page.textContent('.leaflet-control-scale-line')) !== scale, 3_000)
  await untilThereAre(0, '.track-name:has-text("person")')
  await service.page.getByText(/^Source 1, \d+ s ago$/).waitFor()
  const camera = service.page.locator('.leaflet-overlay-pane path[stroke="#fff"]')
  expect(await camera.getAttribute('fill')).toBe(
    await service.page.evaluate(`getComputedStyle(document.documentElement).getPropertyValue('--stale')`),
  )
  expect(await seriousViolations(service.page)).toEqual([])
  await service.page.click('nav a[href="#/sources"]')
  await service.page.click('nav a[href="#/map"]')
  await service.page.getByText(/^Source 1, \d+ s ago$/).waitFor()
  service.say(/^\/processes$/, [])
  await untilThereAre(0, '.track-name')
  await service.page.waitForSelector('text=No camera tells where it is')
})

test('whoever leaves the map while it zooms breaks nothing', async () => {
  const errors: string[] = []
  service.page.on('pageerror', ({ message }) => errors.push(message))
  for (const waitMs of [0, 50, 150]) {
    await open('#/map')
    await service.page.click('.leaflet-control-zoom-in')
    await service.page.waitForTimeout(waitMs)
    await service.page.click('nav a[href="#/sources"]')
    await service.page.waitForSelector('h1:has-text("Sources")')
    await service.page.waitForTimeout(600)
  }
  expect(errors).toEqual([])
})

test('a process that is not there is not asked for again, and there is a way back', async () => {
  const { process_uuid } = picturedProcess(1)
  service.say(/^\/process\/[^/]+$/, problem(404, 'process-not-found', 'There is no such process.'), 404)
  await open(`#/live/${process_uuid}`)
  await service.page.waitForSelector('[role=alert]:has-text("There is no such process.")')
  await service.page.waitForTimeout(2_500)
  expect(service.asked.filter((path) => path === `/process/${process_uuid}`)).toHaveLength(1)
  await service.page.click('text=All processes')
  await service.page.waitForSelector('h1:has-text("Live")')
})

test('a recording that the browser cannot play says so, and can be downloaded', async () => {
  const video = { codec: 'h265', width: 1920, height: 1080, fps: 25 }
  const address = `${consoleAt('')}sources/recordings/segments/20000000-0000-4000-8000-000000000001.mp4?token=t`
  service.say(/^\/sources$/, [{ ...picturedSource(1, true), video }])
  service.say(/^\/sources\/recordings$/, [picturedRecording(address)])
  service.answer(/\.mp4$/, (route) => route.fulfill({ contentType: 'video/mp4', body: 'no video' }))
  await open('#/sources')
  await service.page.click('button:has-text("Recordings")')
  expect(await service.page.getAttribute('.recordings a[download]', 'href')).toBe(address)
  await service.page.click('.recordings button:has-text("Play")')
  await service.page.waitForSelector('[role=alert]:has-text("can’t play this recording (its video is H.265)")')
  expect(await service.page.locator('.recordings video').isVisible()).toBe(false)
})

test('a session that was ended in another tab is spoken of as such', async () => {
  await open('#/live')
  await service.page.waitForSelector('h1:has-text("Live")')
  service.say(/^\/processes$/, problem(403, 'api-key-missing', 'Send your API key in the header api_key.'), 403)
  await service.page.waitForSelector('[role=alert]:text-is("You are signed out; sign in again.")')
})

test('the question for minutes notices too that the session is over', async () => {
  service.say(/^\/user_info$/, problem(403, 'session-ended', 'This session is over; sign in again.'), 403)
  await open('#/live')
  await service.page.waitForSelector('[role=alert]:text-is("You are signed out; sign in again.")', { timeout: 10_000 })
})

test.each([
  ['is answered first', true],
  ['but never is answered, is not waited for long', false],
])('whoever signs out: what is under way %s', async (_name, isAnswered) => {
  const done: string[] = []
  service.say(/^\/process\/[^/]+$/, picturedProcess(1))
  service.answer(/^\/source\/[^/]+$/, async (route) => {
    if (!isAnswered) return
    await service.page.waitForTimeout(700)
    done.push('source')
    await route.fulfill({ json: picturedSource(1, false) })
  })
  service.answer(/^\/session$/, async (route) => {
    if (route.request().method() === 'DELETE') done.push('sign-out')
    await route.fulfill({ json: { username: 'admin', is_master: true } })
  })
  await open(`#/live/${picturedProcess(1).process_uuid}`)
  await isAsked(/^\/source\//)
  await service.page.click('text=Sign out')
  await service.page.waitForSelector('input[name=api_key]')
  expect(done).toEqual([...(isAnswered ? ['source'] : []), 'sign-out'])
  expect(await service.page.locator('[role=alert]').count()).toBe(0)
})

test('a process is stopped only when its user means it', async () => {
  const { process_uuid } = picturedProcess(1)
  service.say(/^\/processes$/, [picturedProcess(1)])
  service.say(/^\/sources$/, [picturedSource(1, true)])
  service.say(/^\/process\/[^/]+$/, { stopped: [process_uuid] })
  await open('#/live')
  const stop = service.page.getByRole('button', { name: 'Stop Source 1' })
  service.page.once('dialog', (dialog) => void dialog.dismiss())
  await stop.click()
  expect(service.asked).not.toContain(`/process/${process_uuid}`)
  service.page.once('dialog', (dialog) => void dialog.accept())
  await stop.click()
  await isAsked(/^\/process\/[^/]+$/)
  await service.page.waitForSelector('main:focus')
})

test('whoever leaves the wall is found below it, with how it ended', async () => {
  service.say(/^\/processes$/, [picturedProcess(1)])
  service.say(/^\/sources$/, [picturedSource(1, true)])
  await open('#/live')
  await untilThereAre(1, '.tile')
  await untilThereAre(0, '.ended')
  const ended = { state: 'finished', stop_reason: 'source-ended', stopped_at: '2026-01-01T00:00:00Z' }
  service.answer(/^\/processes$/, async (route) => {
    const isLiveAsked = route.request().url().includes('state=live')
    await route.fulfill({ json: isLiveAsked ? [] : [{ ...picturedProcess(1), ...ended }] })
  })
  await service.page.waitForSelector('.ended li:has-text("Source 1 finished")', { timeout: 8_000 })
})

test('Sources: an address is asked for before it is looked at, files are files, and models are called by their names', async () => {
  const words = { status: 'stable', use_when: 'Use it with `tiles=auto`.', licence: 'Apache-2.0', accuracy: null }
  const model = { name: 'aerial', is_default: true, classes: [], speed: null, reference_speed: null, ...words }
  service.say(/^\/sources$/, [{ ...picturedSource(1, false), status: 'unknown' }])
  service.say(/^\/models$/, [model])
  await open('#/sources')
  await service.page.click('text=Look at it')
  await service.page.waitForSelector('input[name=input_url]:focus')
  expect(service.asked).not.toContain('/stream/probe')

  expect(await service.page.textContent('.sources .badge')).toBe('file')
  await service.page.click('button:has-text("Model: default")')
  const choice = service.page.getByRole('radio', { name: 'aerial', exact: true })
  await choice.waitFor()
  expect(await service.page.textContent('.models code')).toBe('tiles=auto')
})

test('a double click makes one address', async () => {
  const connection = { kind: 'published', state: 'offline', since: null, last_error: null, last_error_at: null }
  service.say(/^\/sources$/, [{ ...picturedSource(1, true), connection }])
  const urls = { rtmp: 'rtmp://aerie.example/admin/front', rtsp: 'rtsp://aerie.example/admin/front', webrtc: '' }
  service.answer(/\/token$/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 500))
    await route.fulfill({ status: 201, json: { token: 'tk_1', expires_at: null, urls } })
  })
  await open('#/sources')
  await service.page.click('button:has-text("Publish to it")')
  await service.page.dblclick('button:has-text("Make an address")')
  await untilThereAre(2, '.copy input')
  await service.page.waitForTimeout(1_000)
  expect(service.asked.filter((path) => path.endsWith('/token'))).toHaveLength(1)
})

test('Sources: how it goes with a connection is said in words, and a lost camera calmly', async () => {
  const since = new Date().toISOString()
  const connection = { kind: 'pulled', state: 'connecting', since, last_error: null, last_error_at: null }
  service.say(/^\/sources$/, [{ ...picturedSource(1, true), status: 'unknown', connection }])
  await open('#/sources')
  await service.page.waitForSelector('.sources .hint:has-text("Calling the camera …")')
  expect(await service.page.textContent('.sources .badge')).toBe('connecting')
  const lost = { state: 'lost', last_error: 'The camera refused the password.', last_error_at: since }
  service.say(/^\/sources$/, [
    { ...picturedSource(1, true), status: 'processing', connection: { ...connection, ...lost } },
  ])
  await service.page.waitForSelector('.sources .notice.calm:has-text("Lost since")')
  expect(await service.page.textContent('.sources .notice')).toMatch(
    /Last tried .*: The camera refused the password\.$/,
  )
  expect(await service.page.textContent('.sources .badge')).toBe('lost')
  expect(await seriousViolations(service.page)).toEqual([])
})

test('Sources: what sends nothing is started for when it goes live, once or each time', async () => {
  const connection = { kind: 'published', state: 'offline', since: null, last_error: null, last_error_at: null }
  service.say(/^\/sources$/, [{ ...picturedSource(1, true), status: 'offline', connection }])
  const queries: string[] = []
  service.answer(/^\/start$/, async (route) => {
    queries.push(new URL(route.request().url()).search)
    service.say(/^\/processes$/, [waitingProcess])
    await route.fulfill({ status: 201, json: { process_uuid: waitingProcess.process_uuid } })
  })
  await open('#/sources')
  await service.page.getByRole('checkbox', { name: 'and again each time' }).check()
  expect(await seriousViolations(service.page)).toEqual([])
  await service.page.click('button:has-text("Start when it goes live")')
  await service.page.waitForSelector('.sources .hint:has-text("Begins each time video comes.")')
  expect(queries).toHaveLength(1)
  expect(queries[0]).toMatch(/when=live&again=true$/)
  expect(await service.page.textContent('.sources .badge')).toBe('waiting')
  await service.page.getByRole('button', { name: 'Stop process' }).waitFor()

  service.say(/^\/processes$/, [])
  service.say(/^\/sources$/, [{ ...picturedSource(1, true), connection: { ...connection, state: 'connected' } }])
  await service.page.waitForSelector('button:has-text("Start process")')
})

test('a process that waits for its video plays nothing and can be stopped; it is shown when its video comes', async () => {
  service.say(/^\/processes$/, [waitingProcess])
  service.say(/^\/sources$/, [picturedSource(1, true)])
  service.say(/^\/process\/[^/]+$/, waitingProcess)
  service.say(/^\/source\/[^/]+$/, picturedSource(1, true))
  service.answer(/\/whep$/, () => undefined)
  for (const hash of ['#/live', `#/live/${waitingProcess.process_uuid}`]) {
    await open(hash)
    await service.page.waitForSelector('.pane:has-text("Begins each time video comes.")')
    expect(await service.page.textContent('.badge')).toBe('waiting')
    expect(await service.page.locator('video').count()).toBe(0)
    expect(await service.page.locator('button:has-text("Pause")').count()).toBe(0)
    await service.page.getByRole('button', { name: 'Stop Source 1' }).waitFor()
    expect(await seriousViolations(service.page)).toEqual([])
  }
  expect(service.asked.filter((path) => /whep|feed/.test(path))).toEqual([])
  service.say(/^\/process\/[^/]+$/, picturedProcess(1))
  await isAsked(/\/whep$/)
})

test('an old picture is dimmed and says its age, and what is wrong is said calmly', async () => {
  const fresh = { ...picturedProcess(1), problem: null, last_frame_at: new Date().toISOString(), last_frame_age_ms: 40 }
  const silent = { ...fresh, problem: 'No video has come for 12 s.', last_frame_age_ms: 12_000 }
  service.say(/^\/processes$/, [fresh])
  service.say(/^\/sources$/, [picturedSource(1, false)])
  service.say(/^\/process\/[^/]+$/, silent)
  service.say(/^\/source\/[^/]+$/, picturedSource(1, false))
  service.answer(/\/feed$/, (route) => route.fulfill({ contentType: 'image/svg+xml', body: picture }))
  await open('#/live')
  await untilThereAre(1, '.pane img')
  await untilThereAre(0, '.old, .notice')
  service.say(/^\/processes$/, [silent])
  for (const hash of ['#/live', `#/live/${fresh.process_uuid}`]) {
    await open(hash)
    await service.page.waitForSelector('.pane.dimmed .old')
    expect(await service.page.textContent('.old')).toMatch(/^Last picture \d+:\d\d:\d\d.*, 1\d s ago$/)
    expect(await service.page.textContent('.notice.calm')).toBe('No video has come for 12 s.')
    expect(await seriousViolations(service.page)).toEqual([])
  }
})

test('the chart of a process that has just been opened has the times of the last minute', async () => {
  service.say(/^\/process\/[^/]+$/, picturedProcess(1))
  service.say(/^\/source\/[^/]+$/, picturedSource(1, false))
  await service.page.addInitScript(`{
    window.written = []
    const { setTimeout: later } = window
    // Rounds that never come leave one moment in the chart.
    window.setTimeout = (work, ms, ...rest) => (ms === 2000 ? 0 : later(work, ms, ...rest))
    const { fillText } = CanvasRenderingContext2D.prototype
    CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
      if (this.canvas.closest('.chart')) window.written.push(text)
      return fillText.call(this, text, ...rest)
    }
  }`)
  await open(`#/live/${picturedProcess(1).process_uuid}`)
  const times = async () => (await service.page.evaluate<string[]>('written')).filter((text) => text.includes(':'))
  await until(async () => (await times()).length > 0, 10_000)
  const lastMinute = await service.page.evaluate<string[]>(
    'Array.from({ length: 75 }, (_, ago) => new Date(Date.now() - ago * 1000).toLocaleTimeString())',
  )
  for (const time of await times()) expect(lastMinute).toContain(time)
})

test.each(['#/live', '#/map', `#/live/${picturedProcess(1).process_uuid}`])(
  '%s: a change that is said is shown at once, not only with the next round',
  async (hash) => {
    let loads = 0
    const answerWithProcess = (json: (process: object) => unknown) => async (route: Route) => {
      loads += route.request().url().includes('state=live') || route.request().url().includes('/process/') ? 1 : 0
      await route.fulfill({ json: json({ ...picturedProcess(1), state: loads > 1 ? 'running' : 'starting' }) })
    }
    service.answer(
      /^\/processes$/,
      answerWithProcess((process) => [process]),
    )
    service.answer(
      /^\/process\/[^/]+$/,
      answerWithProcess((process) => process),
    )
    service.say(/^\/sources$/, [picturedSource(1, false)])
    service.say(/^\/source\/[^/]+$/, picturedSource(1, false))
    const status = { process_uuid: picturedProcess(1).process_uuid, state: 'running', problem: null }
    service.answer(/^\/processes\/events$/, (route) =>
      route.fulfill({ contentType: 'text/event-stream', body: `event: status\ndata: ${JSON.stringify(status)}\n\n` }),
    )
    // Rounds that never come leave only what is said.
    await service.page.addInitScript(`{
      const { setTimeout: later } = window
      window.setTimeout = (work, ms, ...rest) => (ms === 2000 || ms === 3000 ? 0 : later(work, ms, ...rest))
    }`)
    await open(hash)
    await until(async () => loads === 2, 10_000)
  },
)

/** It has been started before its video. */
const waitingProcess = { ...picturedProcess(1), state: 'waiting', started_at: null, when: 'live', again: true }

const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="9"/>'
const problem = (status: number, code: string, detail: string) => ({
  type: 'about:blank',
  title: code,
  status,
  code,
  detail,
})

/** A recording of one file. */
const picturedRecording = (downloadUrl: string) => ({
  recording_uuid: '30000000-0000-4000-8000-000000000001',
  started_at: '2026-01-01T00:00:00Z',
  ended_at: '2026-01-01T00:01:00Z',
  duration_seconds: 60,
  size_bytes: 1_000_000,
  segments: [{ start: '2026-01-01T00:00:00Z', duration_seconds: 60, size_bytes: 1_000_000, download_url: downloadUrl }],
})

/** Three persons without ids, who stand some metres apart. */
const scene = (sequence: number) => ({
  process_uuid: picturedProcess(1).process_uuid,
  sequence,
  timestamp: new Date().toISOString(),
  frame: { rtp_timestamp: null },
  camera: {
    latitude: 51.44,
    longitude: -0.94,
    footprint: [
      [51.4401, -0.9401],
      [51.4401, -0.9399],
      [51.45, -0.94],
    ],
  },
  active_tracks: [1, 2, 3].map((number) => ({
    track_id: 0,
    class_name: 'person',
    confidence: 80,
    scaled_bbox: [0.1 * number, 0.5, 0.05, 0.1],
    latitude: 51.4401 + number * 0.00003 + sequence * 0.00001,
    longitude: -0.94,
  })),
})

const usage = { used_cores: 0.5, memory_bytes: 200_000_000 }
const fullSystem = {
  summary: 'This machine is full.',
  limited_by: 'cpu',
  cpu: { cores: 2, used_cores: 1.98 },
  memory: { total_bytes: 8_000_000_000, available_bytes: 6_000_000_000 },
  disk: { held_bytes: 3_000_000_000, limit_bytes: 90_000_000_000 },
  room: [{ model: 'fast', streams: 0 }],
  parts: [{ name: 'media server', ...usage }],
  processes: [],
  streams: [{ path: 'admin/cam', username: 'admin', ...usage }],
  recordings: [],
  others: { processes: 2, ...usage },
}

test('System: what there is too little of is said, and what works for others is a sum', async () => {
  service.say(/^\/system$/, fullSystem)
  await open('#/system')
  await untilThereAre(3, '.usage tbody tr')
  expect(await service.page.locator('.notice').textContent()).toBe('This machine is full.')
  expect(await service.page.locator('.usage tbody tr').allTextContents()).toEqual([
    'media server0.50200.0 MB',
    'recording and HLS of admin/cam0.50200.0 MB',
    'what works for keys that are not yours0.50200.0 MB',
  ])
  expect(await service.page.textContent('main')).not.toMatch(/with fast/)
})

test('System is for master keys', async () => {
  service.say(/^\/session$/, { username: 'child', is_master: false })
  await open('#/live')
  await untilThereAre(4, 'nav a')
  expect(await service.page.locator('nav a').allTextContents()).toEqual(['Live', 'Map', 'Sources', 'Contacts'])
})

test('a key whose minutes run out within a day says so on every page', async () => {
  service.say(/^\/user_info$/, { subscription: { lasts_minutes: 300, minutes_low: true } })
  for (const page of ['#/live', '#/sources']) {
    await open(page)
    await untilThereAre(1, '.notice')
    expect(await service.page.locator('.notice').textContent()).toMatch(/last about 5 hours at what runs now/)
  }
})
