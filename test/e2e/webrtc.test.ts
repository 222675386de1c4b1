import { type Browser, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { webrtcOffer } from '../builders/webrtc-offer.ts'
import { launchBrowser, untilMoving } from '../support/browser.ts'
import { type Running, start } from '../support/ffmpeg.ts'
import { until } from '../support/until.ts'
import { type Installation, type RunningService } from '../support/installation.ts'
import { createInstallation } from '../support/service.ts'

let installation: Installation
let service: RunningService
let browser: Browser
let rtsp: number
let rtmp: number
const publishers: Running[] = []
const pages: Page[] = []
/** Path → offers of its player pages that were answered: on a busy machine a page may need a second one. */
const begunSessions = new Map<string, number>()

beforeAll(async () => {
  installation = createInstallation()
  service = await installation.start({ AERIE_MEDIA_AUTH: 'always', AERIE_LOG_LEVEL: 'info' })
  rtsp = Number(service.ready['rtsp_port'])
  rtmp = Number(service.ready['rtmp_port'])
  browser = await launchBrowser()
})
afterEach(async () => {
  for (const page of pages.splice(0)) await page.close()
  for (const publisher of publishers.splice(0)) await publisher.kill()
})
afterAll(async () => {
  await browser.close()
  await installation.remove()
})

const zeroLatency = ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-g', '30']
const withBFrames = ['-c:v', 'libx264', '-preset', 'veryfast', '-bf', '2', '-g', '30']

function publish(output: readonly string[], encoder: readonly string[] = zeroLatency): Running {
  const input = ['-re', '-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=30']
  const publisher = start('ffmpeg', [...input, '-pix_fmt', 'yuv420p', ...encoder, ...output])
  publishers.push(publisher)
  return publisher
}
const toRtsp = (path: string) => [
  ...['-f', 'rtsp', '-rtsp_transport', 'tcp'],
  `rtsp://admin:${installation.masterKey}@127.0.0.1:${rtsp}/${path}`,
]
const toRtmp = (path: string) => ['-f', 'flv', `rtmp://127.0.0.1:${rtmp}/${path}?api_key=${installation.masterKey}`]

/** A stream counts as live once its offers are no longer answered with 404. */
const untilLive = (path: string) => until(async () => (await whep(path, 'no offer')).status !== 404, 10_000)

function whep(
  path: string,
  sdp: string,
  { key = installation.masterKey, query = '', kind = 'whep' } = {},
): Promise<Response> {
  return fetch(`${service.url}/webrtc/${path}/${kind}${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/sdp', ...(key && { api_key: key }) },
    body: sdp,
  })
}

async function open(path: string, query = `api_key=${installation.masterKey}`, script = ''): Promise<Page> {
  const page = await browser.newPage()
  pages.push(page)
  page.on('response', (response) => {
    if (response.status() === 201) begunSessions.set(path, (begunSessions.get(path) ?? 0) + 1)
  })
  if (script) await page.addInitScript(script)
  await page.goto(`${service.url}/webrtc/${path}?${query}`)
  return page
}

const stateOf = (page: Page) => page.evaluate<string>('document.body.dataset.state')
const untilState = (page: Page, state: string) =>
  until(async () => (await stateOf(page)) === state, 15_000).catch(async () => {
    throw new Error(`not ${state} but ${await stateOf(page)}: ${await page.textContent('#problem')}`)
  })

/** An offer as a browser makes it, of a page that is not the player. */
async function makeOffer(direction: 'recvonly' | 'sendonly' = 'recvonly'): Promise<string> {
  const page = await browser.newPage()
  pages.push(page)
  await page.goto(`${service.url}/healthz`)
  return page.evaluate<string>(`(async () => {
    const connection = new RTCPeerConnection()
    connection.addTransceiver('video', { direction: '${direction}' })
    await connection.setLocalDescription()
    return connection.localDescription.sdp
  })()`)
}

const gateways = () => service.children('webrtc/worker')

/** Publishes a browser's fake camera by WHIP. */
async function openCamera(path: string, key: string): Promise<string> {
  const page = await browser.newPage()
  pages.push(page)
  await page.goto(`${service.url}/healthz`)
  const location = await page.evaluate<string>(`(async () => {
    const stream = await navigator.mediaDevices.getUserMedia({ video: true, audio: true })
    window.connection = new RTCPeerConnection()
    for (const track of stream.getTracks()) connection.addTransceiver(track, { direction: 'sendonly', streams: [stream] })
    await connection.setLocalDescription()
    const response = await fetch('/webrtc/${path}/whip', {
      method: 'POST',
      headers: { 'content-type': 'application/sdp', authorization: 'Bearer ${key}' },
      body: connection.localDescription.sdp,
    })
    if (response.status !== 201) throw new Error(await response.text())
    await connection.setRemoteDescription({ type: 'answer', sdp: await response.text() })
    return new URL(response.headers.get('location'), response.url).href
  })()`)
  return location
}

async function created(path: string, body: unknown): Promise<Record<string, string>> {
  return (await (await service.call('POST', path, { body })).json()) as Record<string, string>
}

test.each([
  ['RTSP', toRtsp],
  ['RTMP', toRtmp],
])('what is published by %s moves in the player page', async (name, to) => {
  const path = `admin/by-${name}`
  publish(to(path))
  await untilLive(path)
  const page = await open(path)
  await untilState(page, 'live by WebRTC')
  await untilMoving(page)
  await until(async () => /\d+ ms/.test((await page.textContent('#latency')) ?? ''), 5_000)
})

test('several browsers share one reader of the hub, a late one included, and none is left behind', async () => {
  publish(toRtsp('admin/many'))
  await untilLive('admin/many')
  const watching = await Promise.all([open('admin/many'), open('admin/many')])
  await Promise.all(watching.map((page) => untilState(page, 'live by WebRTC')))
  const late = await open('admin/many')
  await untilState(late, 'live by WebRTC')
  for (const page of [...watching, late]) await untilMoving(page)
  expect(service.stderr().match(/A reader plays/g)?.length).toBe(readersBefore('admin/many') + 1)

  expect(begunSessions.get('admin/many')).toBeGreaterThanOrEqual(3)
  for (const page of pages.splice(0)) await page.close()
  await until(async () => endedSessions('admin/many') === begunSessions.get('admin/many'), 12_000)
})

test('a browser’s camera, published by WHIP, arrives at an RTSP reader without a fault', async () => {
  const location = await openCamera('admin/phone', installation.masterKey)
  await untilLive('admin/phone')
  const url = `rtsp://admin:${installation.masterKey}@127.0.0.1:${rtsp}/admin/phone`
  const read = await start('ffmpeg', [
    ...['-xerror', '-err_detect', 'explode', '-rtsp_transport', 'tcp', '-i', url, '-t', '3', '-f', 'null', '-'],
  ]).finished
  expect(read.code).toBe(0)
  // A browser's frames come when they come, which ffmpeg's own output grid may round together; nothing else is wrong.
  expect(read.complaints.replace(/^.*non monotonically increasing dts.*\n/gm, '')).toBe('')
  const { output } = await start('ffprobe', [
    ...['-rtsp_transport', 'tcp', '-show_entries', 'stream=codec_name', '-of', 'csv=p=0', url],
  ]).finished
  expect(output.trim().split('\n')).toEqual(['h264', 'opus'])

  // And back into a browser, sound included.
  const viewer = await open('admin/phone')
  await untilState(viewer, 'live by WebRTC')
  await untilMoving(viewer, 0.1)

  expect((await fetch(location, { method: 'DELETE' })).status).toBe(200)
  await until(async () => (await whep('admin/phone', 'no offer')).status === 404, 5_000)
  // Once more does no harm, and reveals nothing about what never was.
  expect((await fetch(location, { method: 'DELETE' })).status).toBe(200)
  const elsewhere = location.replace('/phone/', '/tablet/')
  expect((await fetch(elsewhere, { method: 'DELETE' })).status).toBe(404)
  const unknown = location.replace(/[^/]{24}$/, 'A'.repeat(24))
  expect((await fetch(unknown, { method: 'DELETE' })).status).toBe(404)
})

test('by WHIP a publisher takes over from itself, and from nobody else', async () => {
  const { source_uuid: uuid } = await created('/stream', {
    alias: 'shared',
    input_url: `rtsp://localhost:${rtsp}/admin/shared`,
    stream_type: 'rtsp',
  })
  const { token } = await created(`/source/${uuid}/token`, { action: 'publish' })
  const publishWith = async (credentials: { key?: string; query?: string }) => {
    const answer = await whep('admin/shared', webrtcOffer('sendonly'), { kind: 'whip', ...credentials })
    return answer.status === 201 ? 'answered' : ((await answer.json()) as { code: string }).code
  }
  const byToken = { key: '', query: `?token=${token}` }
  expect(await publishWith({})).toBe('answered')
  expect(await publishWith(byToken)).toBe('stream-path-in-use')
  expect(endedSessions('admin/shared')).toBe(0)
  expect(await publishWith({})).toBe('answered')
  await until(async () => endedSessions('admin/shared') === 1, 5_000)
})

test('B-frames are refused in words, with the way to HLS', async () => {
  publish(toRtsp('admin/reordered'), withBFrames)
  await untilLive('admin/reordered')
  const refused = await whep('admin/reordered', await makeOffer())
  expect(refused.headers.get('content-type')).toContain('application/problem+json')
  expect(await refused.json()).toMatchObject({
    status: 415,
    code: 'webrtc-cannot-carry',
    detail: expect.stringMatching(/B-frames.*\/hls\/admin\/reordered\/index\.m3u8/),
  })
})

test('wrong offers, wrong keys, wrong paths and wrong tokens are refused', async () => {
  publish(toRtsp('admin/private'))
  await untilLive('admin/private')
  const { key: stranger } = await created('/keys', { username: 'stranger' })
  const offer = await makeOffer()
  const cases: [Response, number, string][] = [
    [await whep('admin/private', 'v=0'), 400, 'offer-invalid'],
    [await whep('admin/private', offer.replace(/^a=mid:.*$/gm, 'a=mid:\u0000')), 400, 'offer-invalid'],
    [
      await whep('admin/private', offer.replace(/^a=fingerprint:.*$/gm, 'a=fingerprint:sha-256 zz')),
      400,
      'offer-invalid',
    ],
    [await whep('admin/private', 'x'.repeat(70_000)), 413, 'body-too-large'],
    [await whep('admin/private', offer, { key: '' }), 403, 'api-key-missing'],
    [await whep('admin/private', offer, { key: 'ak_wrong' }), 403, 'api-key-invalid'],
    [await whep('admin/private', offer, { key: stranger }), 404, 'stream-not-found'],
    [await whep('admin/private', offer, { key: stranger, kind: 'whip' }), 404, 'stream-not-found'],
    [await whep('admin/private', offer, { key: '', query: '?token=tk_none' }), 403, 'token-invalid'],
    [await whep('admin/nobody', offer), 404, 'stream-not-live'],
    [await whep('admin/private', await makeOffer('sendonly'), { kind: 'whip' }), 409, 'stream-path-in-use'],
    [await whep('admin/..%2f..', offer), 404, 'not-found'],
    [await service.call('POST', '/webrtc/admin/private/whep', { body: {} }), 415, 'media-type-unsupported'],
    [await service.call('PATCH', '/webrtc/admin/private/whep/abcdefghijklmnopqrstuvwx'), 405, 'trickle-unsupported'],
    [
      await service.call('DELETE', '/webrtc/admin/private/whep/abcdefghijklmnopqrstuvwx'),
      404,
      'webrtc-session-not-found',
    ],
  ]
  for (const [response, status, code] of cases) {
    expect(response.headers.get('content-type'), code).toContain('application/problem+json')
    expect(await response.json()).toMatchObject({ status, code })
  }
})

test('a read token plays until it has expired', async () => {
  const { source_uuid: uuid } = await created('/stream', {
    alias: 'lent',
    input_url: `rtsp://localhost:${rtsp}/admin/lent`,
    stream_type: 'rtsp',
  })
  const issue = (seconds: number) =>
    created(`/source/${uuid}/token`, { action: 'read', expires_in_seconds: seconds }).then(({ token }) => token!)
  publish(toRtsp('admin/lent'))
  await untilLive('admin/lent')
  const page = await open('admin/lent', `token=${await issue(600)}`)
  const short = await issue(4)
  const soonOver = await open('admin/lent', `token=${short}`)
  await untilState(page, 'live by WebRTC')
  await untilState(soonOver, 'refused')
  expect(await soonOver.textContent('#problem')).toContain('expired')
  expect((await whep('admin/lent', await makeOffer(), { key: '', query: `?token=${short}` })).status).toBe(403)
  expect(await stateOf(page)).toBe('live by WebRTC')
  await untilMoving(page)
})

test('a key that is revoked ends its viewers and its publishers within seconds', async () => {
  const { key } = await created('/keys', { username: 'guest' })
  publish(toRtsp('guest/cam'))
  await untilLive('guest/cam')
  const page = await open('guest/cam', `api_key=${key}`)
  await untilState(page, 'live by WebRTC')
  await openCamera('guest/phone', key!)
  await untilLive('guest/phone')

  await service.call('DELETE', '/keys/guest')
  await until(async () => endedSessions('guest/cam') === 1 && endedSessions('guest/phone') === 1, 6_000)
  await untilState(page, 'refused')
})

test('an offer after the gateway died is answered by the next one', async () => {
  publish(toRtsp('admin/phoenix'))
  await untilLive('admin/phoenix')
  await untilState(await open('admin/phoenix'), 'live by WebRTC')
  for (const pid of gateways()) process.kill(pid, 'SIGKILL')
  const answer = await whep('admin/phoenix', await makeOffer())
  expect(answer.status).toBe(201)
  await untilState(await open('admin/phoenix'), 'live by WebRTC')
  // The page that was interrupted finds its way back, too.
  await untilState(pages[0]!, 'live by WebRTC')
})

test('two hundred offers at once are answered or refused in time, and leave nothing behind', async () => {
  // More than the gateway takes in, and than the key would allow.
  await installation.command('keys', 'update', 'admin', '--max-webrtc-sessions', '1000')
  publish(toRtsp('admin/rush'))
  await untilLive('admin/rush')
  const offer = await makeOffer()
  // Nobody waits for ever: the test's own time bounds the answers.
  const statuses = await Promise.all(Array.from({ length: 200 }, async () => (await whep('admin/rush', offer)).status))
  expect(new Set(statuses)).toEqual(new Set([201, 503]))
  const answered = statuses.filter((status) => status === 201).length
  // None of them connects: all are gone again ten seconds later.
  await until(async () => endedSessions('admin/rush') === answered, 20_000)
  await untilState(await open('admin/rush'), 'live by WebRTC')
})

/** The browser never learns the server's addresses. */
const hideServer = `const { prototype } = RTCPeerConnection, { setRemoteDescription } = prototype
  prototype.setRemoteDescription = function ({ type, sdp }) {
    return setRemoteDescription.call(this, { type, sdp: sdp.replace(/a=candidate.*\\r\\n/g, '') })
  }`

test.each([
  ['the browser has no WebRTC', 'admin/no-webrtc', zeroLatency, 'delete window.RTCPeerConnection'],
  ['nothing of WebRTC gets through', 'admin/walled-in', zeroLatency, hideServer],
  ['the stream has B-frames', 'admin/reordered', withBFrames, ''],
])('the page plays by HLS when %s, and says so', async (_name, path, encoder, script) => {
  publish(toRtsp(path), encoder)
  await untilLive(path)
  const page = await open(path, undefined, script)
  await untilState(page, 'live by HLS')
  await untilMoving(page)
  expect(await page.isVisible('#problem')).toBe(false)
  await until(async () => /^\d+ ms behind/.test((await page.textContent('#latency')) ?? ''), 5_000)
})

test('a viewer by HLS who has fallen far behind does not stay there', async () => {
  publish(toRtsp('admin/behind'))
  await untilLive('admin/behind')
  const page = await open('admin/behind', undefined, 'delete window.RTCPeerConnection')
  await untilState(page, 'live by HLS')
  const time = () => page.evaluate<number>(`document.querySelector('video').currentTime`)
  const begunAt = await time()
  await until(async () => (await time()) > begunAt + 7, 20_000)
  const before = await page.evaluate<number>(`(() => {
    const video = document.querySelector('video')
    const before = video.currentTime
    video.currentTime = before - 6
    return before
  })()`)
  const startMs = performance.now()
  const behind = async () => before + (performance.now() - startMs) / 1000 - (await time())
  await until(async () => (await behind()) < 3, 8_000)
})

test('where a firewall lets no UDP through the page plays by WebRTC over TCP', async () => {
  publish(toRtsp('admin/walled'))
  await untilLive('admin/walled')
  const walled = await launchBrowser('--webrtc-ip-handling-policy=disable_non_proxied_udp')
  try {
    const page = await walled.newPage()
    await page.goto(`${service.url}/webrtc/admin/walled?api_key=${installation.masterKey}`)
    await untilState(page, 'live by WebRTC')
    await untilMoving(page)
  } finally {
    await walled.close()
  }
  await until(async () => endedSessions('admin/walled') === 1, 12_000)
})

test('the page weighs less than 20 kB, and other sites may show it only where they are allowed to', async () => {
  const page = await browser.newPage()
  pages.push(page)
  const sizes: number[] = []
  page.on('response', (response) => void response.body().then(({ length }) => sizes.push(length)))
  const answer = await page.goto(`${service.url}/webrtc/admin/nobody?api_key=${installation.masterKey}`)
  await untilState(page, 'waiting')
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(20_000)
  const headers = answer!.headers()
  expect(headers['content-security-policy']).toMatch(/frame-ancestors 'self'$/)
})

/** What the log says about sessions that ended. */
function endedSessions(path: string): number {
  return logged().filter((line) => line['msg'] === 'a WebRTC session ended' && line['path'] === path).length
}

function readersBefore(path: string): number {
  return logged().filter((line) => line['msg'] === 'A reader plays.' && line['path'] !== path).length
}

function logged(): Record<string, unknown>[] {
  return service
    .stderr()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}
