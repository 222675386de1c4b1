/** A camera that is recorded by event, before which somebody walks by once: the service's clock is more than an hour slow, and then it is not. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { start as startTool } from '../support/ffmpeg.ts'
import { clip, createProcessRig, type ProcessRig } from '../support/process-rig.ts'
import { until } from '../support/until.ts'

const SLOW_MS = 70 * 60_000
const MARGIN_MS = 10_000
const slowClock = `
  const present = Date.now
  const late = () => present() - ${SLOW_MS}
  globalThis.Date = class extends Date {
    constructor(...given) {
      super(...(given.length === 0 ? [late()] : given))
    }
    static now = late
  }`
const encoder = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '7', '-pix_fmt', 'yuv420p']
const empty = ['-f', 'lavfi', '-i', 'color=gray:size=768x576:rate=7']

interface Segment {
  readonly start: string
  readonly duration_seconds: number | null
  readonly download_url: string
}
interface Recording {
  readonly recording_uuid: string
  readonly ended_at: string | null
  readonly segments: readonly Segment[]
  readonly gaps: readonly { start: string; duration_seconds: number }[]
}
interface Seen {
  readonly class_name: string
  readonly first_seen: number
  readonly last_seen: number
}

let rig: ProcessRig
let gate: string
let yard: string
let seen: readonly Seen[]
/** As they were before the hour was over. */
let before: { readonly gate: readonly Segment[]; readonly yard: readonly Recording[] }

const recordingsOf = (id: string) => rig.ask<Recording[]>('GET', `/sources/recordings?source_uuid=${id}`)
const segmentsOf = async (id: string) =>
  (await recordingsOf(id)).flatMap(({ segments }) => segments).toSorted((a, b) => (a.start < b.start ? -1 : 1))
const isNearby = ({ start, duration_seconds: seconds }: Segment) => {
  const from = Date.parse(start)
  const to = from + seconds! * 1000
  return seen.some((one) => from < one.last_seen * 1000 + MARGIN_MS && to > one.first_seen * 1000 - MARGIN_MS)
}
const change = (id: string, body: object) => rig.ask('PATCH', `/source/${id}`, { body })
const filesOf = (id: string) =>
  readdirSync(join(rig.installation.dataDir, 'recordings', id), { recursive: true }).filter((name) =>
    String(name).endsWith('.mp4'),
  )

beforeAll(async () => {
  const preload = `data:text/javascript,${encodeURIComponent(slowClock)}`
  rig = await createProcessRig({ AERIE_RECORDING_SEGMENT_SECONDS: '2', NODE_OPTIONS: `--import=${preload}` })
  gate = await rig.register('gate')
  yard = await rig.register('yard')
  await change(gate, { recording_mode: 'events', recording_classes: ['person'] })
  const process = await rig.start(gate, { when: 'live' })

  const byYard = rig.publish('yard', { input: ['-re', ...empty, ...encoder] })
  const people = rig.publish('gate', { input: ['-re', '-stream_loop', '-1', '-i', clip, ...encoder] })
  await until(async () => (await segmentsOf(yard)).length > 1)
  await change(yard, { recording_mode: 'events' })
  const tracks = async () => {
    const report = await rig.ask<{ tracks: Seen[] }>('GET', `/process/${process.process_uuid}/tracks`)
    return report.tracks.filter(({ class_name }) => class_name === 'person')
  }
  await until(async () => (await tracks()).length > 0)
  await people.kill()

  await rig.publish('gate', { input: ['-re', ...empty, '-t', '14', ...encoder] }).finished
  await byYard.kill()
  const hasEnded = async (id: string) => (await recordingsOf(id)).every(({ ended_at }) => ended_at !== null)
  await until(async () => (await hasEnded(gate)) && (await hasEnded(yard)))
  seen = await tracks()
  before = { gate: await segmentsOf(gate), yard: await recordingsOf(yard) }
  await rig.service.stop()
  await rig.restart({ NODE_OPTIONS: '' })
  // They go one after the other.
  const isOver = async () => (await segmentsOf(gate)).every(isNearby) && (await recordingsOf(yard)).length < 2
  await until(isOver)
}, 120_000)
afterAll(() => rig.remove())

test('ten seconds before and after somebody was there are left, the rest is gone from the disk too', async () => {
  const left = await segmentsOf(gate)
  const starts = (segments: readonly Segment[]) => segments.map(({ start }) => start)
  expect(starts(left)).toEqual(starts(before.gate.filter(isNearby)))
  expect(left.length).toBeGreaterThan(3)
  expect(before.gate.length - left.length).toBeGreaterThan(0)
  expect(filesOf(gate)).toHaveLength(left.length)
})

test('what is left plays', async () => {
  const left = await segmentsOf(gate)
  for (const { download_url } of [left[0]!, left.at(-1)!]) {
    const { code, complaints } = await startTool('ffmpeg', ['-i', download_url, '-f', 'null', '-']).finished
    expect([code, complaints]).toEqual([0, ''])
  }
})

test('a mode that is changed while it sends counts from then on', async () => {
  expect(before.yard).toHaveLength(2)
  const [always] = before.yard.toSorted((a, b) => (a.recording_uuid < b.recording_uuid ? -1 : 1))
  const left = await recordingsOf(yard)
  expect(left.map(({ recording_uuid, segments }) => [recording_uuid, segments.length])).toEqual([
    [always!.recording_uuid, always!.segments.length],
  ])
})

test('a source that nothing looks at says so, and old clients’ `record` works', async () => {
  expect(await rig.ask('GET', `/source/${yard}`)).toMatchObject({
    record: true,
    recording_mode: 'events',
    recording_classes: null,
    problem: expect.stringMatching(/^Recorded by event, and no process looks at it/),
  })
  expect(await change(yard, { record: true })).toMatchObject({ recording_mode: 'events' })
  expect(await change(yard, { record: false })).toMatchObject({ record: false, recording_mode: 'off', problem: null })
  expect(await change(yard, { record: true })).toMatchObject({ recording_mode: 'always', recording_classes: null })
})

test.each([
  [{ recording_mode: 'never' }, 'body.recording_mode', /always, events, off/],
  [{ recording_mode: 'events', record: false }, 'body.record', /contradicts the recording_mode events/],
  [{ recording_classes: ['car'] }, 'body.recording_classes', /where recording_mode is events, and it is always/],
  [{ recording_mode: 'events', recording_classes: ['persn'] }, 'body.recording_classes.0', /Did you mean person\?/],
  [{ recording_mode: 'events', recording_classes: 'car' }, 'body.recording_classes', /list/],
])('%j is refused with a sentence', async (body, path, message) => {
  await change(yard, { recording_mode: 'always' })
  const response = await rig.service.call('PATCH', `/source/${yard}`, { body })
  expect([response.status, await response.json()]).toMatchObject([
    422,
    { errors: [{ path, message: expect.stringMatching(message) }] },
  ])
})
