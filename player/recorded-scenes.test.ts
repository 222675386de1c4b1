import { afterEach, beforeEach, expect, test } from 'vitest'
import { createHttpReceiver, type HttpReceiver } from '../test/support/http-receiver.ts'
import { until } from '../test/support/until.ts'
import { recordedScenes } from './recorded-scenes.js'

const T = Date.parse('2026-11-16T03:00:00.000Z')
const MINUTE = 60_000
const LATER = T + 24 * 60 * MINUTE

interface Sighting {
  readonly ms: number
  readonly process?: string
}

let service: HttpReceiver
/** What was seen, as the service of the test has it. */
let seen: readonly Sighting[]
let refusal: { status: number; code: string; detail: string } | undefined
let nowMs: number

beforeEach(async () => {
  seen = []
  refusal = undefined
  nowMs = LATER
  service = await createHttpReceiver(({ path }, response) => {
    if (refusal) {
      response.writeHead(refusal.status, { 'content-type': 'application/problem+json' }).end(JSON.stringify(refusal))
      return
    }
    const { searchParams } = new URL(path, 'http://test')
    const [from, to] = [Date.parse(searchParams.get('from')!), Date.parse(searchParams.get('to')!)]
    const scenes = seen.filter(({ ms }) => ms >= from && ms < to).map(sceneOf)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(scenes))
  })
})
afterEach(() => service.close())

const sceneOf = ({ ms, process = 'first' }: Sighting) => ({
  timestamp: new Date(ms).toISOString(),
  process_uuid: process,
  frame: { width: 640, height: 360 },
  active_tracks: [{ track_id: 1, class_id: 0, class_name: 'person', scaled_bbox: [0, 0, 1, 1], confidence: 90 }],
})

/** Five looks a second from a moment on. */
const looks = (fromMs: number, seconds: number, process = 'first') =>
  Array.from({ length: seconds * 5 }, (_, index) => ({ ms: fromMs + index * 200, process }))

function open() {
  const address = (from: string, to: string) =>
    `http://127.0.0.1:${service.port}/source/x/detections?${new URLSearchParams({ from, to })}`
  const scenes = recordedScenes(address, { headers: { authorization: 'Bearer ak_x' }, now: () => nowMs })
  const timesAt = (ms: number) => scenes.scenesAt(ms).map(({ timestamp }) => Date.parse(timestamp) - T)
  return { ...scenes, timesAt }
}

const asked = () => service.calls.map(({ path }) => new URL(path, 'http://test').searchParams.get('from'))
const answered = (count: number) => until(async () => service.calls.filter(({ status }) => status).length >= count)

test('a picture has what was seen in it, or just before, and nothing of what is long over', async () => {
  seen = looks(T, 10)
  const scenes = open()
  expect(scenes.timesAt(T + 5_000)).toEqual([])
  await until(async () => scenes.timesAt(T + 5_000).length > 0)
  expect(scenes.timesAt(T + 5_000)).toEqual([5_000])
  expect(scenes.timesAt(T + 5_150)).toEqual([5_000])
  // Wall clocks are in whole milliseconds.
  expect(scenes.timesAt(T + 5_195)).toEqual([5_200])
  expect(scenes.timesAt(T + 9_800 + 690)).toEqual([9_800])
  expect(scenes.timesAt(T + 9_800 + 720)).toEqual([])
})

test('boxes of a slow detector stand until the next are due', async () => {
  seen = Array.from({ length: 10 }, (_, index) => ({ ms: T + index * 1_000 }))
  const scenes = open()
  await until(async () => scenes.timesAt(T).length > 0)
  expect(scenes.timesAt(T + 9_000 + 1_450)).toEqual([9_000])
  expect(scenes.timesAt(T + 9_000 + 1_550)).toEqual([])
})

test('each of several processes that looked has its own', async () => {
  seen = [...looks(T, 3), ...looks(T + 70, 3, 'second')].toSorted((a, b) => a.ms - b.ms)
  const scenes = open()
  await until(async () => scenes.timesAt(T + 2_100).length > 0)
  expect(scenes.timesAt(T + 2_100)).toEqual([2_000, 2_070])
})

test('it asks a minute at a time, the next one before it is needed, and none twice', async () => {
  seen = looks(T + MINUTE - 1_000, 3)
  const scenes = open()
  scenes.scenesAt(T + 1_000)
  scenes.scenesAt(T + 2_000)
  await answered(1)
  expect(asked()).toEqual(['2026-11-16T03:00:00.000Z'])
  scenes.scenesAt(T + 45_000)
  await answered(2)
  expect(asked()).toEqual(['2026-11-16T03:00:00.000Z', '2026-11-16T03:01:00.000Z'])
  expect(service.calls[0]!.headers.authorization).toBe('Bearer ak_x')
  // What was seen at the end of a minute stands at the beginning of the next.
  await until(async () => scenes.timesAt(T + MINUTE + 1_000).length > 0)
  expect(scenes.timesAt(T + MINUTE + 50)).toEqual([MINUTE])
  expect(service.calls).toHaveLength(2)
})

test('of a long stretch it keeps the last minutes only', async () => {
  const scenes = open()
  for (let minute = 0; minute < 7; minute++) {
    scenes.scenesAt(T + minute * MINUTE)
    await answered(minute + 1)
  }
  scenes.scenesAt(T + 6 * MINUTE)
  scenes.scenesAt(T)
  await answered(8)
  expect(asked().at(-1)).toBe('2026-11-16T03:00:00.000Z')
})

test('what is not over yet is asked for again after a while', async () => {
  nowMs = T + 30_000
  seen = looks(T, 10)
  const scenes = open()
  await until(async () => scenes.timesAt(T + 9_000).length > 0)
  seen = looks(T, 20)
  nowMs += 4_000
  expect(scenes.timesAt(T + 19_000)).toEqual([])
  expect(service.calls).toHaveLength(1)
  nowMs += 2_000
  await until(async () => scenes.timesAt(T + 19_000).length > 0)
  expect(service.calls).toHaveLength(2)
})

test.each([401, 403, 404, 422])('after %i it asks no more, and has the sentence of the service', async (status) => {
  refusal = { status, code: 'any', detail: 'There is no route GET /source/x/detections.' }
  const scenes = open()
  scenes.scenesAt(T)
  await until(async () => scenes.problem() !== undefined)
  expect(scenes.problem()).toMatchObject({ status, message: 'There is no route GET /source/x/detections.' })
  nowMs += MINUTE
  scenes.scenesAt(T)
  scenes.scenesAt(T + 5 * MINUTE)
  expect(service.calls).toHaveLength(1)
})

test('trouble that passes is known as long as it lasts', async () => {
  refusal = { status: 503, code: 'database-away', detail: 'The database is away.' }
  seen = looks(T, 5)
  const scenes = open()
  scenes.scenesAt(T)
  await until(async () => scenes.problem() !== undefined)
  refusal = undefined
  scenes.scenesAt(T)
  expect(service.calls).toHaveLength(1)
  nowMs += 6_000
  await until(async () => scenes.timesAt(T + 1_000).length > 0)
  expect(scenes.problem()).toBeUndefined()
})

test('who has stopped hears nothing more, not even that it was broken off', async () => {
  const scenes = open()
  scenes.scenesAt(T)
  scenes.stop()
  scenes.scenesAt(T + 5 * MINUTE)
  await answered(0)
  expect(scenes.problem()).toBeUndefined()
  expect(service.calls.length).toBeLessThan(2)
})
