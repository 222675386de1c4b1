/** A camera with a clock in its picture, broken off in the middle, and its service killed: what was recorded plays as one, and at its time. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { type Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startChromium } from '../support/chromium.ts'
import { type ClockCameraOptions, startClockCamera, writeClockClip } from '../support/clock-camera.ts'
import { readPictureClock } from '../support/clock-reader.ts'
import { createProcessRig, type ProcessRig } from '../support/process-rig.ts'
import { until } from '../support/until.ts'
import { openVodPage, type VodPage } from '../support/vod-page.ts'
import { readVodPlaylist, type VodPlaylist } from '../support/vod-playlist.ts'

const SIZE = { width: 480, height: 270, fps: 10, bitsPerSecond: 400_000 }
const LARGE = { ...SIZE, width: 800, height: 450 }
const H265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-tune', 'zerolatency', '-x265-params', 'log-level=error']
/** By its RTCP the sender's clock dates the pictures, however late they come. */
const RTSP = { format: ['-f', 'rtsp', '-rtsp_transport', 'tcp'], leadMs: 2_000 }
/** Brings no clock: arrival dates the pictures. */
const FLV = { format: ['-f', 'flv'] }
/** What the date of a picture may be off by: its own time on the screen, and the way from the camera. */
const MAX_OFF_MS = 150
const SEEKS = 10
/** Of the camera that sends H.265, which is encoded before. */
const CLIP_MS = 8_000

interface Recording {
  readonly ended_at: string | null
  readonly segments: readonly { readonly start: string; readonly duration_seconds: number | null }[]
}

let rig: ProcessRig
let browser: Browser
/** Before the first picture of all, and behind the last. */
let from: number
let to: number

const target = (protocol: 'rtsp' | 'rtmp', name: string) =>
  protocol === 'rtsp'
    ? `rtsp://admin:${rig.installation.masterKey}@127.0.0.1:${rig.rtsp}/admin/${name}`
    : `rtmp://127.0.0.1:${rig.rtmp}/admin/${name}?api_key=${rig.installation.masterKey}`
const iso = (ms: number) => new Date(ms).toISOString()
const vodUrl = (name: string, stretch = { from, to }) => {
  const query = { from: iso(stretch.from), to: iso(stretch.to), api_key: rig.installation.masterKey }
  return `${rig.service.url}/hls/admin/${name}/vod.m3u8?${new URLSearchParams(query).toString()}`
}
const playlistOf = (name: string) => readVodPlaylist(vodUrl(name))
const recordedSeconds = async (id: string) => {
  const recordings = await rig.ask<Recording[]>('GET', `/sources/recordings?source_uuid=${id}`)
  return recordings.flatMap(({ segments }) => segments).reduce((sum, one) => sum + (one.duration_seconds ?? 0), 0)
}

/** Sends until so much more of it is recorded in whole files; `beforeItEnds` is done while it still sends. */
async function record(
  cameras: readonly { protocol: 'rtsp' | 'rtmp'; name: string; id: string; options: ClockCameraOptions }[],
  seconds: number,
  beforeItEnds: () => Promise<unknown> = async () => {},
): Promise<void> {
  const before = await Promise.all(cameras.map(({ id }) => recordedSeconds(id)))
  const running = cameras.map(({ protocol, name, options }) => startClockCamera(target(protocol, name), options))
  const isEnough = async () => {
    const now = await Promise.all(cameras.map(({ id }) => recordedSeconds(id)))
    return now.every((recorded, index) => recorded - before[index]! >= seconds)
  }
  await until(isEnough, 100_000)
  await beforeItEnds()
  for (const camera of running) await camera.stop()
}

beforeAll(async () => {
  rig = await createProcessRig({ AERIE_RECORDING_SEGMENT_SECONDS: '4' })
  browser = await startChromium()
  from = Date.now()
  const gate = {
    protocol: 'rtsp',
    name: 'gate',
    id: await rig.register('gate'),
    options: { ...SIZE, ...RTSP },
  } as const
  const yardId = await rig.register('yard', { protocol: 'rtmp' })
  const yard = { protocol: 'rtmp', name: 'yard', id: yardId, options: { ...SIZE, ...FLV } } as const
  const h265 = await rig.register('h265')
  await record([gate, yard], 10)
  // Broken off for as long as it takes to record another camera.
  const clip = join(rig.folder, 'h265.mp4')
  writeClockClip(clip, CLIP_MS / 1000, { ...SIZE, encoder: H265 })
  const looped = rig.publish('h265', { input: ['-re', '-stream_loop', '-1', '-i', clip, '-c', 'copy'] })
  await until(async () => (await recordedSeconds(h265)) > 7, 100_000)
  await looped.kill()
  await record([gate, yard], 3, () => rig.service.stop('SIGKILL'))
  await rig.restart()
  await record([{ ...gate, options: { ...LARGE, ...RTSP } }, yard], 7)
  const isOver = async (id: string) => {
    const recordings = await rig.ask<Recording[]>('GET', `/sources/recordings?source_uuid=${id}`)
    return recordings.every(({ ended_at }) => ended_at !== null)
  }
  for (const id of [gate.id, yard.id, h265]) await until(() => isOver(id), 60_000)
  to = Date.now()
}, 400_000)
afterAll(async () => {
  await browser?.close()
  await rig?.remove()
})

/**
 * Places all over a playlist, those behind its gaps among them: in seconds, away from the very edge of a picture, and of the second
 * behind a gap, since the camera has to draw the first before it connects.
 */
function seeksIn({ afterGaps, totalSeconds }: VodPlaylist): number[] {
  const even = Array.from({ length: SEEKS - afterGaps.length }, (_, index) => ((index + 0.37) * totalSeconds) / SEEKS)
  return [...afterGaps.map(({ start }) => start + 1 / SIZE.fps + 0.02), ...even]
}

describe.each(['gate', 'yard'])('of the camera %s', (name) => {
  test('the playlist leads over gaps that take no time in it, and dates what is behind them', async () => {
    const { pieces, afterGaps, totalSeconds, dateAt } = await playlistOf(name)
    // The break, and the time without a service.
    expect(afterGaps).toHaveLength(2)
    expect(pieces[0]!.takenAtMs).toBeGreaterThan(from)
    // A camera begins with what it sends ahead of its time.
    expect(dateAt(totalSeconds)).toBeLessThan(to + 500)
  })

  test('a moment in a gap is what comes after it', async () => {
    const { afterGaps } = await playlistOf(name)
    const vod = await openVod(name)
    for (const { takenAtMs } of afterGaps)
      expect(Math.abs((await vod.seek(takenAtMs - 500)) - takenAtMs)).toBeLessThan(50)
    await vod.close()
  })

  test('the picture of a browser is of the time that it says, wherever it is sought', async () => {
    const vod = await openVod(name)
    const playlist = await playlistOf(name)
    const off: number[] = []
    for (const place of seeksIn(playlist)) {
      const wanted = playlist.dateAt(place)
      const shown = await vod.seek(wanted)
      expect(Math.abs(shown - wanted), `sought ${place} s`).toBeLessThan(50)
      off.push(Math.round((await vod.readClock(shown))! - shown))
    }
    expect(off.filter((one) => !(Math.abs(one) <= MAX_OFF_MS))).toEqual([])
    await vod.close()
  })

  test('it plays across a gap by itself', async () => {
    const vod = await openVod(name)
    const { afterGaps, dateAt } = await playlistOf(name)
    const [after] = afterGaps
    await vod.seek(dateAt(after!.start - 0.7))
    await vod.play()
    await until(async () => (await vod.playingAtMs()) > after!.takenAtMs + 1_000, 20_000)
    const shown = await vod.freeze()
    expect(Math.abs((await vod.readClock(shown))! - shown)).toBeLessThanOrEqual(MAX_OFF_MS)
    await vod.close()
  })

  test.each([
    ['ffmpeg of Debian, which gets MPEG-TS', pictureByFfmpeg],
    ['FFmpeg 8, which gets MP4', pictureByNodeAv],
  ])('%s seeks to the pictures of that moment', async (_which, pictureAt) => {
    const { totalSeconds, dateAt } = await playlistOf(name)
    for (const share of [0.1, 0.45, 0.6]) {
      const wanted = dateAt(share * totalSeconds)
      const clock = pictureAt(vodUrl(name), share * totalSeconds, wanted)
      expect(Math.abs(clock! - wanted), `at ${share}`).toBeLessThanOrEqual(MAX_OFF_MS)
    }
  })
})

test('a change of size is another format, which plays on', async () => {
  const { text, pieces, dateAt } = await playlistOf('gate')
  expect(text.match(/#EXT-X-DISCONTINUITY/g)).toHaveLength(1)
  expect(text.match(/#EXT-X-MAP/g)).toHaveLength(2)
  const vod = await openVod('gate')
  await vod.seek(dateAt(1))
  expect(await vod.width()).toBe(SIZE.width)
  await vod.seek(pieces.at(-1)!.takenAtMs)
  expect(await vod.width()).toBe(LARGE.width)
  await vod.close()
})

test('H.265 is called by its name, and plays as both', async () => {
  const { text } = await playlistOf('h265')
  for (const pictureAt of [pictureByFfmpeg, pictureByNodeAv]) {
    // Its clock counts from the beginning of the clip, which comes again and again.
    const [early, late] = [1, 4.5].map((seconds) => pictureAt(vodUrl('h265'), seconds, 0)!)
    const betweenMs = (late! - early! + CLIP_MS) % CLIP_MS
    expect(Math.abs(betweenMs - 3_500)).toBeLessThanOrEqual(MAX_OFF_MS)
  }
  const map = /#EXT-X-MAP:URI="([^"]+)"/.exec(text)![1]!
  const init = Buffer.from(await (await fetch(new URL(map, vodUrl('h265')))).arrayBuffer())
  // Apple's players take no `hev1`.
  expect(init.includes('hvc1')).toBe(true)
  expect(init.includes('hev1')).toBe(false)
})

test('the page plays the past of its address, says when that was, and what a read token does not show', async () => {
  const sources = await rig.ask<{ source_uuid: string; alias: string }[]>('GET', '/sources')
  const gate = sources.find(({ alias }) => alias === 'gate')
  const { token } = await rig.ask<{ token: string }>('POST', `/source/${gate!.source_uuid}/token`, {
    body: { action: 'read' },
  })
  const page = await browser.newPage({ viewport: { width: 640, height: 420 } })
  const wanted = (await playlistOf('gate')).dateAt(5.5)
  await page.goto(pageUrl('gate', { from: iso(wanted), to: iso(to), token }))
  await page.waitForSelector('body[data-state="recorded"]')
  await page.waitForSelector('#clock[datetime]')
  await page.evaluate(`document.querySelector('video').pause()`)
  const shown = Date.parse((await page.getAttribute('#clock', 'datetime'))!)
  expect(shown).toBeGreaterThanOrEqual(wanted - 50)
  expect(await page.textContent('#latency')).toMatch(/^No boxes: /)
  expect(await page.isHidden('#problem')).toBe(true)
  await page.close()
})

describe('what cannot be', () => {
  const answerTo = async (url: string) => {
    const response = await fetch(url)
    const { code, detail, errors } = (await response.json()) as Record<string, unknown>
    return { status: response.status, code, text: JSON.stringify(errors ?? detail) }
  }
  const DAY = 24 * 3_600_000

  test.each([
    ['`from` after `to`', () => ({ from: to, to: from }), 422, 'input-invalid', /`to` must be later than `from`/],
    ['25 hours', () => ({ from: to - 25 * 3_600_000, to }), 422, 'input-invalid', /at most 24 hours/],
    ['a day without', () => ({ from: from - 3 * DAY, to: from - 2 * DAY }), 404, 'nothing-recorded', /admin\/gate/],
  ])('%s is refused with a sentence', async (_what, stretch, status, code, sentence) => {
    const answer = await answerTo(vodUrl('gate', stretch()))
    expect(answer).toMatchObject({ status, code, text: expect.stringMatching(sentence) })
    const page = await browser.newPage()
    const given = { from: iso(stretch().from), to: iso(stretch().to), api_key: rig.installation.masterKey }
    await page.goto(pageUrl('gate', given))
    await page.waitForSelector('body[data-state="refused"]')
    expect((await page.textContent('#problem'))!.length).toBeGreaterThan(20)
    await page.close()
  })

  test('a path that nobody registered', async () => {
    expect(await answerTo(vodUrl('nowhere'))).toMatchObject({ status: 404, code: 'stream-not-found' })
  })
})

const pageUrl = (name: string, given: Record<string, string>) =>
  `${rig.service.url}/webrtc/admin/${name}?${new URLSearchParams(given).toString()}`

/** With a playlist that plays. */
async function openVod(name: string): Promise<VodPage> {
  const vod = await openVodPage(browser, rig.service.url, rig.installation.masterKey)
  await vod.open(vodUrl(name))
  return vod
}

function pictureByFfmpeg(url: string, seconds: number, nearMs: number): number | undefined {
  const output = ['-frames:v', '1', '-f', 'rawvideo', '-pix_fmt', 'gray', '-vf', `scale=${SIZE.width}:-2`, '-']
  const args = ['-v', 'error', '-ss', seconds.toFixed(3), '-i', url, ...output]
  return readPictureClock(execFileSync('ffmpeg', args, { maxBuffer: 2 ** 24, timeout: 60_000 }), SIZE.width, nearMs)
}

/** A process of its own: it blocks while it waits for the service, which this one has started. */
function pictureByNodeAv(url: string, seconds: number, nearMs: number): number | undefined {
  const program = new URL('node-av-picture.mjs', import.meta.url).pathname
  const grey = execFileSync(process.execPath, [program, url, seconds.toFixed(3)], {
    maxBuffer: 2 ** 24,
    timeout: 60_000,
  })
  return readPictureClock(grey.subarray(4), grey.readUInt32LE(0), nearMs)
}
