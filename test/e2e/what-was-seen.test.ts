/**
 * What happened last night: a stream that breaks off, and a service that is killed, while its clock is three hours slow; looked at in the
 * morning, by one whose clock is not.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHttpReceiver, type HttpReceiver } from '../support/http-receiver.ts'
import { createProcessRig, type ProcessRig } from '../support/process-rig.ts'
import { until } from '../support/until.ts'

interface Track {
  readonly track_id: number
  readonly class_name: string
  readonly first_seen: number
  readonly last_seen: number
}
interface Look {
  readonly timestamp: string
  readonly process_uuid: string
  readonly frame: { readonly width: number; readonly height: number }
  readonly active_tracks: readonly { readonly track_id: number; readonly class_name: string }[]
}
interface Line {
  readonly from: string
  readonly step_seconds: number
  readonly recorded: [number, number][]
  readonly gaps: [number, number][]
  readonly classes: { class_name: string; tracks: number; counts: number[] }[]
  readonly alerts: { count: number; counts: number[]; events: { event_uuid: string; at: string }[] }
  readonly processes: { process_uuid: string; states: [number, string][] }[]
}
interface Recording {
  readonly segments: readonly { readonly start: string; readonly duration_seconds: number | null }[]
}

const HOURS = 3
const SLOW_MS = HOURS * 3_600_000
/** Of the service's, while its clock is slow. */
const thenMs = () => Date.now() - SLOW_MS
const slowClock = `
  const present = Date.now
  const late = () => present() - ${SLOW_MS}
  globalThis.Date = class extends Date {
    constructor(...given) {
      super(...(given.length === 0 ? [late()] : given))
    }
    static now = late
  }`
/** What is in memory when a service is killed, and what a look takes to come so far. */
const LOST_MS = 12_000

let rig: ProcessRig
let receiver: HttpReceiver
let gate: string
let processId: string
let night: string
let tracks: Track[]
/** Milliseconds, by the slow clock. */
const at = { brokenOff: 0, back: 0, killed: 0, upAgain: 0 }

const listTracks = async () =>
  (await rig.ask<{ tracks: Track[] }>('GET', `/process/${processId}/tracks?time_window_minutes=60`)).tracks
const untilSeenAfter = (ms: number) =>
  until(async () => (await listTracks()).some(({ last_seen: last }) => last * 1000 > ms), 40_000)

beforeAll(async () => {
  const preload = `data:text/javascript,${encodeURIComponent(slowClock)}`
  const begun = thenMs()
  rig = await createProcessRig({ NODE_OPTIONS: `--import=${preload}` })
  receiver = await createHttpReceiver()
  const output = [{ type: 'webhook', config: { url: receiver.url } }]
  const trigger = { for_seconds: 0, cooldown_seconds: 0 }
  await rig.ask('POST', '/alert', { body: { alias: 'somebody', type: 'filter-search', trigger, output } })
  const { sourceId, publisher } = await rig.goLive('gate')
  gate = sourceId
  processId = (await rig.start(gate)).process_uuid
  await untilSeenAfter(begun + 8_000)

  await publisher.kill()
  at.brokenOff = thenMs()
  await rig.untilState(processId, 'reconnecting', 30_000)
  await until(async () => thenMs() - at.brokenOff > 5_000)
  const second = rig.publish('gate')
  await rig.untilState(processId, 'running', 30_000)
  at.back = thenMs()
  await untilSeenAfter(at.back + LOST_MS + 5_000)

  await rig.service.stop('SIGKILL')
  at.killed = thenMs()
  await second.kill()
  await rig.restart()
  const third = rig.publish('gate')
  await rig.untilState(processId, 'running', 30_000)
  at.upAgain = thenMs()
  await untilSeenAfter(at.upAgain + 3_000)
  await rig.ask('DELETE', `/process/${processId}`)
  await third.kill()
  tracks = await listTracks()
  await rig.service.stop()
  await rig.restart({ NODE_OPTIONS: '' })
  night = `from=${new Date(begun - 60_000).toISOString()}&to=${new Date(begun + 30 * 60_000).toISOString()}`
}, 240_000)
afterAll(async () => {
  await receiver.close()
  await rig.remove()
})

const readLine = (step: number) => rig.ask<Line>('GET', `/source/${gate}/timeline?${night}&step_seconds=${step}`)
const readLooks = () => rig.ask<Look[]>('GET', `/source/${gate}/detections?${night}`)
const isLost = (ms: number) => ms > at.killed - LOST_MS && ms < at.upAgain + 1_000
/** Wholly seen in what a kill has lost. */
const isTrackLost = ({ first_seen: first, last_seen: last }: Track) => isLost(first * 1000) && isLost(last * 1000)

test('every look is there but those of the last seconds before the kill, in the order of time', async () => {
  const looks = await readLooks()
  const times = looks.map(({ timestamp }) => Date.parse(timestamp))
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect(new Set(looks.map((look) => look.process_uuid))).toEqual(new Set([processId]))
  expect(looks[0]!.frame).toEqual({ width: 768, height: 576 })
  const seen = new Set(looks.flatMap((look) => look.active_tracks.map((one) => one.track_id)))
  const kept = tracks.filter((track) => !isTrackLost(track)).map((track) => track.track_id)
  expect(kept.length).toBeGreaterThan(3)
  expect(kept.filter((id) => !seen.has(id))).toEqual([])
  const beforeKill = times.filter((ms) => ms < at.killed)
  expect(at.killed - beforeKill.at(-1)!).toBeLessThan(LOST_MS)
  expect(times.at(-1)).toBeGreaterThan(at.upAgain)
})

test.each([5, 60])('steps of %i s have the tracks of the report', async (step) => {
  const line = step === 5 ? await readLine(5) : await readLine(60)
  const countIn = (list: readonly Track[]) => {
    const counts = new Map<string, number>()
    for (const { class_name: name } of list) counts.set(name, (counts.get(name) ?? 0) + 1)
    return counts
  }
  const [all, kept] = [countIn(tracks), countIn(tracks.filter((track) => !isTrackLost(track)))]
  for (const { class_name: name, tracks: count } of line.classes) {
    // Somebody whose class was unsure at first counts where it was seen as such.
    if (!all.has(name)) continue
    expect(count).toBeGreaterThanOrEqual(kept.get(name) ?? 0)
    expect(count).toBeLessThanOrEqual(all.get(name)!)
  }
  const startMs = Date.parse(line.from)
  const person = line.classes.find(({ class_name: name }) => name === 'person')!
  for (const track of tracks.filter((one) => one.class_name === 'person' && !isTrackLost(one))) {
    const stepOf = (seconds: number) => Math.floor((seconds * 1000 - startMs) / (step * 1000))
    expect(person.counts[stepOf(track.first_seen)]).toBeGreaterThan(0)
  }
  expect(person.counts.slice(0, Math.floor(60 / step))).toEqual(new Array(Math.floor(60 / step)).fill(0))
})

test('what was missed is a gap, to the second', async () => {
  const line = await readLine(5)
  const startMs = Date.parse(line.from)
  const recordings = await rig.ask<Recording[]>('GET', `/sources/recordings?source_uuid=${gate}`)
  const files = recordings
    .flatMap(({ segments }) => segments)
    .filter(({ duration_seconds: seconds }) => seconds !== null)
    .map(({ start, duration_seconds: seconds }) => ({
      from: Date.parse(start),
      to: Date.parse(start) + seconds! * 1000,
    })) // prettier-ignore
    .toSorted((a, b) => a.from - b.from)
  const gaps = files.slice(1).flatMap(({ from }, index) => {
    const { to } = files[index]!
    return from - to >= 1_000 ? [[(to - startMs) / 1000, (from - to) / 1000]] : []
  })
  expect(line.gaps).toHaveLength(gaps.length)
  for (const [index, [start, seconds]] of line.gaps.entries()) {
    expect(start).toBeCloseTo(gaps[index]![0]!, 1)
    expect(seconds).toBeCloseTo(gaps[index]![1]!, 1)
  }
  const [start, seconds] = line.gaps[0]!
  expect(seconds).toBeGreaterThan(4)
  expect(Math.abs(startMs + start * 1000 - at.brokenOff)).toBeLessThan(2_000)
  expect(line.recorded).toHaveLength(gaps.length + 1)
})

test('what alerts notified of stands where it was', async () => {
  const line = await readLine(5)
  const events = await rig.ask<{ event_uuid: string; at: string }[]>(
    'GET',
    `/alert_events?source_uuid=${gate}&limit=100`,
  )
  expect(events.length).toBeGreaterThan(0)
  expect(line.alerts.count).toBe(events.length)
  expect(line.alerts.events.map(({ event_uuid: id, at: time }) => [id, time])).toEqual(
    events.map(({ event_uuid: id, at: time }) => [id, time]),
  )
  for (const { at: time } of events) {
    const step = Math.floor((Date.parse(time) - Date.parse(line.from)) / 5_000)
    expect(line.alerts.counts[step]).toBeGreaterThan(0)
  }
})

test('states of the process stand where they came', async () => {
  const line = await readLine(5)
  expect(line.processes.map((one) => one.process_uuid)).toEqual([processId])
  const { states } = line.processes[0]!
  const timesOf = (name: string) => states.filter(([, state]) => state === name).map(([since]) => Date.parse(line.from) + since * 1000) // prettier-ignore
  expect(timesOf('reconnecting').some((ms) => ms > at.brokenOff - 1_000 && ms < at.back)).toBe(true)
  expect(timesOf('running').some((ms) => Math.abs(ms - at.back) < 2_000)).toBe(true)
  expect(timesOf('running').some((ms) => Math.abs(ms - at.upAgain) < 2_000)).toBe(true)
  expect(states.at(-1)![1]).toBe('stopped')
})

test('the day before has nothing, and says so', async () => {
  const to = new Date(Date.now() - 26 * 3_600_000).toISOString()
  const line = await rig.ask<Line>('GET', `/source/${gate}/timeline?to=${to}`)
  expect([line.recorded, line.gaps, line.classes, line.alerts.count, line.processes]).toEqual([[], [], [], 0, []])
})
