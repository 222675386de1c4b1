/**
 * Clips as somebody asks for them who was not there: of a camera whose pictures count, one before which people walk, and one that changes.
 */
import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startChromium } from '../support/chromium.ts'
import {
  type ClipClient,
  createClipClient,
  decode,
  type OpenedClip,
  probe,
  type ShownClip,
} from '../support/clip-client.ts'
import { brightnessOf, countsIn } from '../support/counted-clip.ts'
import { dataFiles } from '../support/data-files.ts'
import { timesIn } from '../support/recorded-clip.ts'
import { createHttpReceiver, type HttpReceiver } from '../support/http-receiver.ts'
import { createProcessRig, type ProcessRig } from '../support/process-rig.ts'
import { until } from '../support/until.ts'

interface Recording {
  readonly ended_at: string | null
  readonly gaps: readonly unknown[]
  readonly segments: readonly {
    readonly start: string
    readonly duration_seconds: number | null
    readonly download_url: string
  }[]
}
interface Track {
  readonly track_id: number
  readonly first_seen: number
  readonly last_seen: number
}

const clean = { code: 0, complaints: '' }

const live = ['-preset', 'ultrafast', '-bf', '0', '-pix_fmt', 'yuv420p']
const h264 = ['-c:v', 'libx264', '-sc_threshold', '0', ...live]
const h265 = ['-c:v', 'libx265', '-x265-params', 'log-level=none:keyint=25', ...live]
const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000', '-c:a', 'aac']
/** As `countsIn` reads them. */
const counting = ['-vf', `geq=lum='20+2*mod(N,100)':cb=128:cr=128,format=yuv420p`, '-crf', '10']
const counted = [
  '-re',
  '-f',
  'lavfi',
  '-i',
  'color=gray:size=160x96:rate=25',
  ...tone,
  ...counting,
  ...h264,
  '-g',
  '50',
]
const moving = (size: string) => ['-re', '-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=25`, '-t', '5']

let rig: ProcessRig
let clips: ClipClient
let receiver: HttpReceiver
let browser: Browser
/** What counts; what changes its size and its codec; before which people walk. */
let gate: string
let door: string
let yard: string
let processId: string
/** Milliseconds since the epoch. */
const began = { gate: 0, door: 0, yard: 0 }
let doorEnd: number
let notified: Promise<OpenedClip>
let eventId: string

const recordingsOf = async (sourceId: string) => {
  const recordings = await rig.ask<Recording[]>('GET', `/sources/recordings?source_uuid=${sourceId}`)
  return recordings.toSorted((a, b) => (a.segments[0]!.start < b.segments[0]!.start ? -1 : 1))
}
const segmentsOf = async (sourceId: string) => (await recordingsOf(sourceId)).flatMap(({ segments }) => segments)
const at = (from: number, seconds: number) => new Date(from + seconds * 1_000).toISOString()
const hasEnded = async (sourceId: string) =>
  (await recordingsOf(sourceId)).every(({ ended_at: endedAt }) => endedAt !== null)
const whole = async (sourceId: string) =>
  (await segmentsOf(sourceId)).filter(({ duration_seconds: seconds }) => seconds !== null)
const isOffline = async (sourceId: string) =>
  (await rig.ask<{ status: string }>('GET', `/source/${sourceId}`)).status !== 'streaming'

async function watchPeople(): Promise<void> {
  const output = [{ type: 'webhook', config: { url: receiver.url } }]
  const trigger = { for_seconds: 0, cooldown_seconds: 3_600 }
  await rig.ask('POST', '/alert', { body: { alias: 'somebody', type: 'filter-search', trigger, output } })
  const people = await rig.goLive('yard')
  yard = people.sourceId
  processId = (await rig.start(yard)).process_uuid
  const [call] = await receiver.received(1, 40_000)
  const { clip_url: url, event_uuid: id } = JSON.parse(call!.body) as { clip_url: string; event_uuid: string }
  eventId = id
  notified = clips.open(url)
  // Whoever waits for it says so.
  notified.catch(() => {})
  await until(async () => (await whole(yard)).length >= 3, 60_000)
  await rig.ask('DELETE', `/process/${processId}`)
  await people.publisher.kill()
}

async function changeFormat(): Promise<void> {
  door = await rig.register('door')
  for (const input of [
    [...moving('160x96'), ...h264, '-g', '25'],
    [...moving('320x192'), ...h264, '-g', '25'],
    [...moving('320x192'), ...h265],
  ]) {
    await until(() => isOffline(door))
    await rig.publish('door', { input }).finished
  }
}

beforeAll(async () => {
  rig = await createProcessRig({ AERIE_RECORDING_SEGMENT_SECONDS: '4' })
  clips = createClipClient(rig)
  ;[receiver, browser] = await Promise.all([createHttpReceiver(), startChromium()])
  gate = await rig.register('gate')
  rig.publish('gate', { input: counted, maxMs: 400_000 })
  await Promise.all([watchPeople(), changeFormat()])
  await until(async () => (await hasEnded(yard)) && (await hasEnded(door)) && (await whole(gate)).length >= 3)
  for (const [name, id] of Object.entries({ gate, door, yard }))
    began[name as keyof typeof began] = Date.parse((await segmentsOf(id))[0]!.start)
  const last = (await segmentsOf(door)).at(-1)!
  doorEnd = Date.parse(last.start) + last.duration_seconds! * 1_000
})
afterAll(async () => {
  await browser.close()
  await receiver.close()
  await rig.remove()
})

/** From a moment of the gate to another. */
const ofGate = (from: number, to: number) => ({
  source_uuid: gate,
  from: at(began.gate, from),
  to: at(began.gate, to),
})

/** What all of the recorded pictures count. */
async function recordedCounts(): Promise<number[]> {
  const counts: number[] = []
  for (const { download_url: url } of await whole(gate)) counts.push(...countsIn((await clips.open(url)).file))
  return counts
}

test('of a source: from the exact picture to the exact picture, over several files, and it plays everywhere', async () => {
  const { clip, files } = await clips.cut(ofGate(1.5, 9.5))
  expect(clip).toMatchObject({ state: 'ready', progress: 100, error: null, note: null, gaps: [] })
  expect(clip.parts).toMatchObject([{ video: { codec: 'h264', width: 160, height: 96 } }])
  const counts = countsIn(files[0]!)
  const recorded = await recordedCounts()
  const { file } = await clips.open((await whole(gate))[0]!.download_url)
  // No keyframe: these are at 0 and at 2 s.
  const first = timesIn(file, 'v').findIndex((seconds) => seconds >= 1.4995)
  expect([counts[0], Math.abs(counts.length - 200) <= 1]).toEqual([recorded[first], true])
  expect(counts).toEqual(recorded.slice(first, first + counts.length))
  expect(await decode(files[0]!)).toEqual(clean)
  const { codecs, seconds } = await probe(files[0]!)
  expect([codecs.toSorted(), Math.round(seconds)]).toEqual([['aac', 'h264'], 8])
  expect(await playInBrowser(clip.url!)).toEqual({ width: 160, height: 96, seconds: 8 })
})

/** As somebody does who clicks on it: at four times its pace, with a jump into the middle. */
async function playInBrowser(url: string) {
  const page = await browser.newPage()
  try {
    await page.goto(url)
    return await page.evaluate(`(async () => {
      const video = document.querySelector('video')
      const next = (event) => new Promise((resolve, reject) => {
        video.addEventListener(event, resolve, { once: true })
        video.addEventListener('error', () => reject(new Error(video.error.message)), { once: true })
      })
      video.playbackRate = 4
      video.currentTime = 3.3
      await next('seeked')
      const ended = next('ended')
      await video.play()
      await ended
      return { width: video.videoWidth, height: video.videoHeight, seconds: Math.round(video.duration) }
    })()`)
  } finally {
    await page.close()
  }
}

test('of a notification of an alert: its link is answered by 202 while it lasts, and then plays', async () => {
  const { file, waits } = await notified
  // What is about it goes on for ten seconds after it was sent.
  expect(waits.length).toBeGreaterThan(0)
  expect(waits.every((seconds) => seconds > 0)).toBe(true)
  expect(await decode(file)).toEqual(clean)
  const { clip, files } = await clips.cut({ event_uuid: eventId })
  expect(clip).toMatchObject({ event_uuid: eventId, process_uuid: processId, source_uuid: yard })
  expect((await probe(files[0]!)).pictures).toBe((await probe(file)).pictures)
})

test('of a track, in one call: two seconds before and after it', async () => {
  const { tracks } = await rig.ask<{ tracks: Track[] }>('GET', `/process/${processId}/tracks?time_window_minutes=60`)
  const [{ track_id: id, first_seen: first, last_seen: last }] = tracks as [Track]
  const { file } = await clips.open(`/process/${processId}/tracks/${id}/clip.mp4`, rig.installation.masterKey)
  expect(await decode(file)).toEqual(clean)
  const end = Date.parse((await recordingsOf(yard)).at(-1)!.ended_at!)
  const seconds = Math.min(last + 2, end / 1_000) - Math.max(first - 2, began.yard / 1_000)
  expect(Math.abs((await probe(file)).seconds - seconds)).toBeLessThan(1)
})

test('where size and codec change it has several parts, and says so; what was not recorded is left out', async () => {
  const { clip, files } = await clips.cut({ source_uuid: door, from: at(began.door, -2), to: at(doorEnd, 0) })
  expect(clip.parts.map(({ video }) => [video.codec, video.width])).toEqual([
    ['h264', 160],
    ['h264', 320],
    ['h264', 320],
  ])
  expect(clip.note).toMatch(
    /^The picture changed from 160×96 to 320×192 at .*Z: the clip has 3 parts\. Of \d+ s, \d+ s were not recorded\.$/,
  )
  expect(clip.gaps[0]).toMatchObject({ start: at(began.door, -2), duration_seconds: 2 })
  for (const file of files) expect(await decode(file)).toEqual(clean)
})

test.each([
  ['an end before its beginning', () => ofGate(5, 4), 422, /`to` must be later than `from`/],
  ['more than an hour', () => ofGate(-3_600, 1), 422, /at most an hour long: make several/],
  ['a time of which nothing was recorded', () => ofGate(-100, -50), 404, /^Nothing of gate was recorded between/],
])('%s is refused with a sentence', async (_what, body, status, sentence) => {
  const response = await rig.service.call('POST', '/clip', { body: body() })
  expect(response.status).toBe(status)
  const { detail, errors } = (await response.json()) as { detail: string; errors?: { message: string }[] }
  expect(errors?.[0]?.message ?? detail).toMatch(sentence)
})

test('a recording that goes before it is cut is a gap of it', async () => {
  const to = new Date(Date.now() + 500).toISOString()
  const asked = await clips.ask({ source_uuid: door, from: at(began.door, 0), to })
  const [path] = dataFiles(rig.installation, 'recordings', door).toSorted()
  rmSync(dirname(path!), { recursive: true })
  const clip = await clips.done(asked)
  expect([clip.state, clip.parts.map(({ video }) => video.width)]).toEqual(['ready', [320, 320]])
  expect(clip.gaps[0]).toMatchObject({ start: at(began.door, 0) })
})

const people = () => ({ process_uuid: processId, from: at(began.yard, 1), to: at(began.yard, 12) })

test('of a process with boxes; a worker that is killed in the middle leaves nothing, and it is cut all the same', async () => {
  const asked = await clips.ask({ ...people(), with_boxes: true })
  const worker = await clips.pauseInTheMiddle(asked.clip_uuid)
  const middle = await clips.show(asked.clip_uuid)
  expect(middle).toMatchObject({ state: 'working', url: null, parts: [], process_uuid: processId })
  expect(middle.progress).toBeLessThan(100)
  expect(clips.filesOf(asked.clip_uuid)).toEqual([expect.stringMatching(/-1\.mp4\.partial$/)])
  process.kill(worker, 'SIGKILL')

  const clip = await clips.done(asked)
  expect(clip).toMatchObject({ state: 'ready', with_boxes: true, error: null, note: null })
  const boxed = (await clips.open(clip.url!)).file
  expect(await decode(boxed)).toEqual(clean)
  const plain = (await clips.cut(people())).files[0]!
  expect((await probe(boxed)).pictures).toBe((await probe(plain)).pictures)
  const changed = [20, 40, 60].map((picture) => strongChanges(plain, boxed, picture))
  // A box of a person has more pixels than that, and what encoding changes is little.
  expect(Math.max(...changed)).toBeGreaterThan(200)
  expect(Math.max(...changed)).toBeLessThan(0.2 * 768 * 576)
})

/** How many pixels are another in the same picture of the two. */
function strongChanges(before: string, after: string, picture: number): number {
  const [one, other] = [brightnessOf(before, picture), brightnessOf(after, picture)]
  return one.filter((value, index) => Math.abs(value - other[index]!) > 60).length
}

test('as many at once as a key may have are cut one after the other; those that are deleted leave nothing', async () => {
  const asked = await Promise.all(
    Array.from({ length: 220 }, () => rig.service.call('POST', '/clip', { body: ofGate(2, 4) })),
  )
  const refused = asked.filter(({ status }) => status !== 202)
  expect(refused.length).toBeGreaterThan(0)
  expect(refused[0]!.status).toBe(403)
  expect(await refused[0]!.json()).toMatchObject({ code: 'clip-limit-reached', detail: expect.stringMatching(/200/) })
  const made = await Promise.all(asked.filter(({ ok }) => ok).map(async (one) => (await one.json()) as ShownClip))
  let maxAtOnce = 0
  const areSomeCut = async () => {
    maxAtOnce = Math.max(maxAtOnce, clips.workers().length)
    const files = dataFiles(rig.installation, 'clips').filter((path) => path.endsWith('.mp4'))
    return made.filter(({ clip_uuid: id }) => files.some((path) => path.includes(id))).length >= 2
  }
  await until(areSomeCut, 90_000)
  expect(maxAtOnce).toBe(1)
  for (const { clip_uuid: id } of made) await rig.ask('DELETE', `/clip/${id}`)
  await until(async () => clips.workers().length === 0)
  expect(made.filter(({ clip_uuid: id }) => clips.filesOf(id).length > 0)).toEqual([])
})
