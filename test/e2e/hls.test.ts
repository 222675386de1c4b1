import { request as requestRaw } from 'node:http'
import { type Browser, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startChromium } from '../support/chromium.ts'
import { type Running, start } from '../support/ffmpeg.ts'
import { changedPixels, look, play, type PlayerPage, type Playing, servePlayerPage } from '../support/hls-page.ts'
import { until } from '../support/until.ts'
import { type Installation, type RunningService } from '../support/installation.ts'
import { createInstallation } from '../support/service.ts'

let installation: Installation
let service: RunningService
let browser: Browser
let site: PlayerPage
const publishers: Running[] = []

beforeAll(async () => {
  installation = createInstallation()
  site = await servePlayerPage()
  service = await installation.start({ AERIE_CORS_ORIGINS: site.origin, AERIE_MEDIA_AUTH: 'always' })
  browser = await startChromium()
})
afterEach(async () => {
  for (const context of browser.contexts()) await context.close()
  for (const publisher of publishers.splice(0)) await publisher.kill()
})
afterAll(async () => {
  await browser?.close()
  await site?.close()
  await installation.remove()
})

const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-g', '30']

function publish(url: string, format: string, { video = h264, audio = true } = {}): void {
  const args = [
    ...['-re', '-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=30'],
    ...(audio ? ['-f', 'lavfi', '-i', 'sine=frequency=440', '-c:a', 'aac'] : []),
    ...['-pix_fmt', 'yuv420p', ...video, '-f', format, url],
  ]
  publishers.push(start('ffmpeg', args, 240_000))
}
const port = (protocol: 'rtsp' | 'rtmp') => Number(service.ready[`${protocol}_port`])
const publishRtsp = (name: string, options?: { video?: string[]; audio?: boolean }) =>
  publish(`rtsp://admin:${installation.masterKey}@127.0.0.1:${port('rtsp')}/admin/${name}`, 'rtsp', options)
const publishRtmp = (name: string, options?: { video?: string[]; audio?: boolean }) =>
  publish(`rtmp://127.0.0.1:${port('rtmp')}/admin/${name}?api_key=${installation.masterKey}`, 'flv', options)

const hls = (name: string) => `${service.url}/hls/admin/${name}`
const index = (name: string) => `${hls(name)}/index.m3u8?api_key=${installation.masterKey}`
const header = () => ({ headers: { api_key: installation.masterKey } })
const fetchText = async (url: string, init?: RequestInit) => (await fetch(url, init)).text()

async function untilWatchable(name: string): Promise<void> {
  await until(async () => (await fetch(index(name))).status === 200, 20_000)
}

const openPage = () => browser.newPage({ viewport: { width: 320, height: 240 } })

/** Looks once in a while, because looking costs the player time. */
async function untilSeen(page: Page, isRight: (seen: Playing) => boolean): Promise<Playing> {
  const deadline = Date.now() + 60_000
  for (;;) {
    const seen = await look(page)
    if (isRight(seen)) return seen
    if (Date.now() > deadline) throw new Error(`Not seen: ${JSON.stringify({ ...seen, pixels: seen.pixels.length })}`)
    await page.waitForTimeout(300)
  }
}
const untilPlaying = (page: Page) => untilSeen(page, ({ timeSeconds, width }) => timeSeconds > 0.5 && width > 0)

/** Without a client that tidies the path up. */
function rawStatus(path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    requestRaw(service.url, { path }, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end()
  })
}

const workers = () => service.children('media/hls/worker')

test.each([
  ['RTSP', publishRtsp],
  ['RTMP', publishRtmp],
] as const)(
  'what is published by %s moves in a browser, less than three seconds late',
  async (protocol, publishIt) => {
    const name = `cam-${protocol.toLowerCase()}`
    publishIt(name)
    await untilWatchable(name)
    const page = await openPage()
    await play(page, site.origin, index(name))
    const before = await untilPlaying(page)
    expect(before.width).toBe(320)
    // Small machines that do much else may need a while to catch up.
    const after = await untilSeen(page, ({ timeSeconds, latencyMs }) => {
      return timeSeconds > before.timeSeconds + 2 && latencyMs !== null && latencyMs < 3_000
    })
    expect(changedPixels(before, after)).toBeGreaterThan(20)
    expect(after.latencyMs).toBeGreaterThan(0)
    expect(after.errors.filter((error) => error.startsWith('fatal'))).toEqual([])
  },
  150_000,
)

test('a player that sends its key as a header finds it in no address', async () => {
  publishRtsp('header', { audio: false })
  await untilWatchable('header')
  const page = await openPage()
  const asked: string[] = []
  page.on('request', (request) => void asked.push(request.url()))
  await play(page, site.origin, `${hls('header')}/index.m3u8`, { api_key: installation.masterKey })
  await untilPlaying(page)
  expect(asked.join('\n')).not.toMatch(/ak_|token=/)
}, 100_000)

test('playlists are read by ffmpeg, dated, and never hold the key', async () => {
  publishRtmp('plain')
  await untilWatchable('plain')
  const { code, complaints } = await start('ffmpeg', ['-xerror', '-i', index('plain'), '-t', '3', '-f', 'null', '-'])
    .finished
  expect(code).toBe(0)
  // This ffmpeg reads the header again after each reload of a live playlist, and remarks on it.
  expect(complaints.replace(/.*(duplicated MOOV|Last message repeated).*\n/g, '')).toBe('')

  const first = await fetch(index('plain'))
  expect(first.headers.get('content-type')).toBe('application/vnd.apple.mpegurl')
  expect(first.headers.get('cache-control')).toBe('no-cache')
  const master = await first.text()
  expect(master).toMatch(/CODECS="avc1\.[0-9a-f]{6},mp4a\.40\.2",RESOLUTION=320x180/)
  const address = `${hls('plain')}/${master.trimEnd().split('\n').at(-1)}`
  const text = await fetchText(address)
  expect(master + text).not.toContain(installation.masterKey)
  const dates = [...text.matchAll(/PROGRAM-DATE-TIME:(.*)/g)].map(([, date]) => Date.parse(date!))
  expect(Math.abs(Date.now() - dates.at(-1)!)).toBeLessThan(3_000)

  const piece = /^\d+\.m4s.*$/m.exec(text)![0]
  const segment = await fetch(`${hls('plain')}/${piece}`)
  expect(segment.headers.get('content-type')).toBe('video/mp4')
  expect(Number(segment.headers.get('content-length'))).toBe((await segment.arrayBuffer()).byteLength)
})

test('a reload waits for the part that it asks for, and a hinted part comes as soon as it is there', async () => {
  publishRtsp('blocking', { audio: false })
  await untilWatchable('blocking')
  const ask = (search = '') => fetchText(`${hls('blocking')}/stream.m3u8${search}`, header())
  const hint = /HINT:TYPE=PART,URI="((\d+)\.(\d+)\.m4s)"/.exec(await ask())!
  const [text, part] = await Promise.all([
    ask(`?_HLS_msn=${hint[2]}&_HLS_part=${hint[3]}`),
    fetch(`${hls('blocking')}/${hint[1]}`, header()),
  ])
  expect(text).toContain(`URI="${hint[1]}"`)
  expect(part.status).toBe(200)
  expect((await part.arrayBuffer()).byteLength).toBeGreaterThan(100)

  for (const search of ['_HLS_msn=x', '_HLS_part=1', `_HLS_msn=${Number(hint[2]) + 100}`, '_HLS_msn=-1'])
    expect((await fetch(`${hls('blocking')}/stream.m3u8?${search}`, header())).status, search).toBe(400)
})

test('H.265 is passed on and called by its name', async () => {
  publishRtsp('h265', {
    audio: false,
    video: ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=error:keyint=30'],
  })
  await untilWatchable('h265')
  expect(await fetchText(index('h265'))).toMatch(/CODECS="hvc1\.1\.6\.[^"]+"/)
})

test('nobody watches without a right, and names lead nowhere else', async () => {
  publishRtsp('private', { audio: false })
  await untilWatchable('private')
  const { key } = (await (await service.call('POST', '/keys', { body: { username: 'stranger' } })).json()) as {
    key: string
  }
  const { key: other } = (await (await service.call('POST', '/keys', { body: { username: 'neighbour' } })).json()) as {
    key: string
  }
  const status = async (path: string) => (await fetch(`${service.url}/hls/${path}`)).status
  const master = await fetchText(index('private'))
  const token = /token=(\S+)/.exec(master)![1]!

  expect(await status('admin/private/index.m3u8')).toBe(403)
  expect(await status('admin/private/index.m3u8?api_key=wrong')).toBe(403)
  expect(await status('admin/private/index.m3u8?token=wrong')).toBe(403)
  // Whether there is something at somebody else's path is nobody's business.
  expect(await status(`admin/private/index.m3u8?api_key=${key}`)).toBe(404)
  expect(await status(`admin/nothing/index.m3u8?api_key=${key}`)).toBe(404)
  expect(await status(`stranger/private/index.m3u8?api_key=${other}`)).toBe(404)
  expect(await status(`admin/private/stream.m3u8?token=${token}`)).toBe(200)
  expect(await status(`admin/other/stream.m3u8?token=${token}`)).toBe(403)
  const forged = `${token.slice(0, -1)}${token.endsWith('A') ? 'E' : 'A'}`
  expect(await status(`admin/private/stream.m3u8?token=${forged}`)).toBe(403)

  const problem = await (await fetch(index('nobody'))).json()
  expect(problem).toMatchObject({
    status: 404,
    code: 'stream-not-live',
    detail: expect.stringContaining('admin/nobody'),
  })
  for (const name of [
    '..%2f..%2fmaster.key',
    '%2e%2e%2fprivate%2findex.m3u8',
    '%2e%2e/private/index.m3u8',
    'index.m3u8%00',
    'init-1.mp4',
    '1.m4s',
    '1.1.m4s',
    '../../status.m4s',
  ])
    expect(await rawStatus(`/hls/admin/private/${name}?token=${token}`), name).toBe(404)
})

test('a read token of the source is enough, until it is revoked', async () => {
  const source = (await (
    await service.call('POST', '/stream', {
      body: { alias: 'shared', input_url: `rtsp://localhost:${port('rtsp')}/admin/shared`, stream_type: 'rtsp' },
    })
  ).json()) as { source_uuid: string }
  const issued = (await (
    await service.call('POST', `/source/${source.source_uuid}/token`, { body: { action: 'read' } })
  ).json()) as { token: string; token_uuid: string }
  publishRtsp('shared', { audio: false })
  await untilWatchable('shared')
  const byToken = `${hls('shared')}/index.m3u8?token=${issued.token}`
  const master = await fetchText(byToken)
  expect(master).toContain('stream.m3u8?token=hv_')
  expect(master).not.toContain(issued.token)
  const playlist = `${hls('shared')}/${master.trimEnd().split('\n').at(-1)}`
  const listed = await fetchText(playlist)
  // A player that knows nothing but the one address gets everything: header, segments and parts.
  const pieces = [...listed.matchAll(/^(\d+\.m4s.*)$|(?:MAP|PART:.*)[:,]URI="([^"]+)"/gm)].map(([, a, b]) => a ?? b)
  expect(pieces.length).toBeGreaterThan(2)
  for (const piece of pieces) expect((await fetch(`${hls('shared')}/${piece}`)).status, piece).toBe(200)

  await service.call('DELETE', `/source/${source.source_uuid}/token/${issued.token_uuid}`)
  await until(async () => (await fetch(playlist)).status === 403, 6_000)
  // And stays out.
  expect((await fetch(playlist)).status).toBe(403)
  expect((await fetch(byToken)).status).toBe(403)
})

test('players of other sites may fetch where they are allowed to, with CORS and without', async () => {
  publishRtsp('abroad', { audio: false })
  await untilWatchable('abroad')
  const headersFor = async (origin: string) => (await fetch(index('abroad'), { headers: { origin } })).headers
  const allowed = await headersFor(site.origin)
  expect(allowed.get('access-control-allow-origin')).toBe(site.origin)
  // Safari's own player fetches without CORS.
  expect(allowed.get('cross-origin-resource-policy')).toBe('cross-origin')
  expect((await headersFor('https://elsewhere.example')).get('access-control-allow-origin')).toBeNull()
  const preflight = await fetch(index('abroad'), {
    method: 'OPTIONS',
    headers: {
      origin: site.origin,
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'api_key',
    },
  })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-headers')).toBe('api_key')
})

test('a worker that is killed comes back, and the player goes on', async () => {
  publishRtsp('phoenix')
  await untilWatchable('phoenix')
  const page = await openPage()
  await play(page, site.origin, index('phoenix'))
  const before = await untilPlaying(page)
  for (const pid of workers()) process.kill(pid, 'SIGKILL')
  // hls.js keeps a second more of distance for every stall.
  await untilSeen(page, ({ timeSeconds, latencyMs }) => {
    return Math.abs(timeSeconds - before.timeSeconds) > 5 && latencyMs !== null && latencyMs < 5_000
  })
  const first = await look(page)
  await untilSeen(page, (second) => changedPixels(first, second) > 20)
}, 220_000)

test('who watches outlives a short break, and fetches what was listed before; who comes meanwhile is told that nothing is live', async () => {
  publishRtsp('break', { audio: false })
  await untilWatchable('break')
  const playlist = `${hls('break')}/stream.m3u8`
  const before = await fetchText(playlist, header())
  const hinted = Number(/HINT:TYPE=PART,URI="(\d+)\./.exec(before)![1])
  const listed = /^\d+\.m4s$/m.exec(before)![0]
  const statusOfListed = async () => (await fetch(`${hls('break')}/${listed}`, header())).status
  const next = fetch(`${playlist}?_HLS_msn=${hinted + 1}`, header())
  await publishers.pop()!.kill()
  const brokenMs = performance.now()
  await until(async () => (await fetch(index('break'))).status === 404, 2_000)
  expect(await statusOfListed()).toBe(200)

  publishRtsp('break', { audio: false })
  const answer = await next
  expect(answer.status).toBe(200)
  const [, first] = /MEDIA-SEQUENCE:(\d+)/.exec(await answer.text())!
  expect(Number(first)).toBeGreaterThan(hinted)
  // In the five seconds that it can be had for: nobody had to wait for their end. A busy machine may take longer to publish again.
  if (performance.now() - brokenMs < 4_000) expect(await statusOfListed()).toBe(200)
  await until(async () => (await statusOfListed()) === 404, 10_000)

  // For ever: the playlist says so to players that wait for more.
  const [, last] = /HINT:TYPE=PART,URI="(\d+)\./.exec(await fetchText(playlist, header()))!
  const never = fetch(`${playlist}?_HLS_msn=${Number(last) + 1}`, header())
  await publishers.pop()!.kill()
  expect((await never).status).toBe(404)
}, 40_000)

test('nobody looks: the workers are gone after half a minute', async () => {
  publishRtsp('idle', { audio: false })
  await untilWatchable('idle')
  expect(workers().length).toBeGreaterThan(0)
  await until(async () => workers().length === 0, 45_000)
  expect((await fetch(index('idle'))).status).toBe(200)
})

test('a stop leaves no process and no socket behind', async () => {
  publishRtsp('last', { audio: false })
  await untilWatchable('last')
  const pids = workers()
  expect(pids.length).toBeGreaterThan(0)
  expect(await service.stop()).toBe(0)
  for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow()
})
