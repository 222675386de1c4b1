import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { DetectionMessage } from '../../src/processes/detection-message.ts'
import { refusedStatus } from '../support/detection-socket.ts'
import { listenToEvents } from '../support/event-listener.ts'
import { clip, createProcessRig, type Info, type ProcessRig } from '../support/process-rig.ts'
import { until } from '../support/until.ts'

let rig: ProcessRig
beforeAll(async () => void (rig = await createProcessRig()))
afterEach(() => rig.clear())
afterAll(() => rig.remove())

const statusOf = async (sourceId: string) => (await rig.ask<{ status: string }>('GET', `/source/${sourceId}`)).status

test.each(['rtsp', 'rtmp'] as const)(
  'people in a stream by %s are found and keep their ids, until the process is stopped',
  async (protocol) => {
    const { sourceId } = await rig.goLive(`people-${protocol}`, { protocol })
    const started = await rig.start(sourceId)
    const id = started.process_uuid
    const key = rig.installation.masterKey
    // On a machine that is busy with other tests there is a warning too.
    const { warning: _, ...answer } = started
    expect(answer).toEqual({
      process_uuid: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      feed_url: `${rig.service.url}/process/${id}/feed?api_key=${key}`,
      detection_data_url: `${rig.service.url.replace('http', 'ws')}/process/${id}/detection_data?api_key=${key}`,
      telemetry_url: 'Not configured',
    })
    const socket = await rig.connect(started)
    const messages = await socket.more(35)
    expect(await statusOf(sourceId)).toBe('processing')

    for (const [index, message] of messages.entries()) {
      expect(DetectionMessage.parse(message)).toEqual(message)
      expect(message).toMatchObject({
        source_uri: `${protocol}://127.0.0.1:${rig[protocol]}/admin/people-${protocol}`,
        process_uuid: id,
        sequence: messages[0]!.sequence + index,
        frame: { width: 768, height: 576 },
      })
      expect(message.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      expect(Math.abs(Date.parse(message.timestamp) - Date.now())).toBeLessThan(20_000)
      expectSoundTracks(message)
    }
    const times = messages.map(({ timestamp }) => Date.parse(timestamp))
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(Math.abs(times.at(-1)! - Date.now())).toBeLessThan(2_000)

    expect(longFollowed(messages).length).toBeGreaterThanOrEqual(3)
    for (const seen of longFollowed(messages)) expectSmooth(seen)

    const info = await rig.info(id)
    expect(info).toMatchObject({ state: 'running', source_uuid: sourceId, restarts: 0, error: null, stop_reason: null })
    // How many is a matter of the machine, and of the benchmarks.
    expect(info.stats.processed_fps).toBeGreaterThan(0)
    expect(info.stats.inference_ms_p50).toBeGreaterThan(1)
    const models = await rig.ask<{ name: string; speed: object | null }[]>('GET', '/models')
    expect(models.find(({ name }) => name === 'fast')!.speed).not.toBeNull()
    expect(info.stats.latency_ms_p95).toBeGreaterThan(info.stats.inference_ms_p50!)

    expect(rig.workers()).toHaveLength(1)
    expect(await rig.ask('DELETE', `/process/${id}`)).toEqual({ stopped: [id] })
    expect(rig.workers()).toEqual([])
    expect(await socket.closed).toBe('process stopped')
    expect(await rig.info(id)).toMatchObject({ state: 'stopped', stop_reason: 'requested' })
    expect(await statusOf(sourceId)).toBe('streaming')
    expect(await rig.ask('DELETE', `/process/${id}`)).toEqual({ stopped: [] })
  },
)

function expectSoundTracks({ active_tracks: tracks, frame: { width, height } }: DetectionMessage): void {
  const ids = tracks.map(({ track_id: id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { track_id: id, bbox, scaled_bbox: scaled, confidence } of tracks) {
    expect(id).toBeGreaterThan(0)
    expect(confidence).toBeGreaterThan(0)
    expect(confidence).toBeLessThanOrEqual(100)
    const [x, y, w, h] = bbox as [number, number, number, number]
    expect(Math.min(x, y)).toBeGreaterThanOrEqual(0)
    expect(x + w).toBeLessThanOrEqual(width + 0.02)
    expect(y + h).toBeLessThanOrEqual(height + 0.02)
    const expected = [x / width, y / height, w / width, h / height]
    for (const [index, value] of scaled.entries()) expect(value).toBeCloseTo(expected[index]!, 4)
  }
}

interface Seen {
  readonly box: readonly number[]
  readonly atMs: number
}

/** Where each person was that was reported at least twenty times. */
function longFollowed(messages: readonly DetectionMessage[]): Seen[][] {
  const seenById = new Map<number, Seen[]>()
  for (const { active_tracks: tracks, timestamp } of messages)
    for (const { track_id: id, class_name: name, bbox } of tracks)
      if (name === 'person') seenById.set(id, [...(seenById.get(id) ?? []), { box: bbox, atMs: Date.parse(timestamp) }])
  return [...seenById.values()].filter((seen) => seen.length >= 20)
}

const MAX_STEP_PX = 40
/** A busy machine looks seldom. */
const MAX_WALK_PX_PER_MS = 0.1

/** Who walks is never far from where he was a moment ago; the clip's end, where all jump, is among the moments. */
function expectSmooth(seen: readonly Seen[]): void {
  const isLarge = ({ box: [x = 0, y = 0], atMs }: Seen, { box: before, atMs: beforeMs }: Seen) =>
    Math.hypot(x - before[0]!, y - before[1]!) > MAX_STEP_PX + MAX_WALK_PX_PER_MS * (atMs - beforeMs)
  const large = seen.slice(1).filter((one, index) => isLarge(one, seen[index]!))
  expect(large.length).toBeLessThanOrEqual(1)
}

test('the websocket is for one at a time, the events are for many', async () => {
  const { sourceId } = await rig.goLive('clients')
  const started = await rig.start(sourceId)
  const url = started.detection_data_url
  const plain = await fetch(url.replace('ws', 'http'))
  expect([plain.status, await plain.json()]).toMatchObject([426, { code: 'websocket-required' }])

  const socket = await rig.connect(started)
  expect(await refusedStatus(url)).toBe(409)
  expect(await refusedStatus(url.replace(/api_key=.*/, 'api_key=ak_wrong'))).toBe(403)
  const listeners = await Promise.all(
    [1, 2, 3].map(() => listenToEvents(rig.service.url, started.process_uuid, rig.installation.masterKey)),
  )
  const [first] = await socket.more(6)
  for (const { events } of listeners) await until(async () => events.length >= 4, 5_000)
  const from = Math.max(first!.sequence, ...listeners.map(({ events }) => events[0]!.id))
  const since = (sequence: number) => sequence >= from && sequence < from + 3
  const wanted = socket.messages.filter(({ sequence }) => since(sequence))
  expect(wanted).toHaveLength(3)
  for (const { events } of listeners)
    expect(events.filter(({ id }) => since(id)).map(({ data }) => data)).toEqual(wanted)

  socket.close()
  await until(async () => (await rig.connect(started).catch(() => undefined)) !== undefined, 2_000)
  await rig.ask('DELETE', `/process/${started.process_uuid}`)
  for (const { ended } of listeners)
    expect(await ended).toEqual({ process_uuid: started.process_uuid, state: 'stopped' })
  expect(await refusedStatus(url)).toBe(409)
})

test('a pause stops detection and charging but not the connection', async () => {
  const { sourceId } = await rig.goLive('pause')
  const started = await rig.start(sourceId)
  const path = `/process/${started.process_uuid}`
  const socket = await rig.connect(started)
  await socket.more(3)
  expect(await rig.ask('POST', `${path}/pause`)).toMatchObject({ state: 'paused' })
  expect(await rig.ask('POST', `${path}/pause`)).toMatchObject({ state: 'paused' })
  // What the model was looking at still comes, however long it takes on a busy machine.
  await socket.quiet(1_000)
  const received = socket.messages.length
  const before = await rig.info(started.process_uuid)
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  expect(socket.messages).toHaveLength(received)
  const after = await rig.info(started.process_uuid)
  expect(after.stats.consumed_seconds).toBe(before.stats.consumed_seconds)
  // Some were dropped before the pause and counted since; what comes during it does not count.
  expect(after.stats.dropped_frames - before.stats.dropped_frames).toBeLessThan(8)
  expect(socket.isOpen).toBe(true)

  const resumedAt = Date.now()
  expect(await rig.ask('POST', `${path}/resume`)).toMatchObject({ state: 'running' })
  const [next] = await socket.more(1)
  expect(next!.sequence).toBe(socket.messages[received - 1]!.sequence + 1)
  // What came during the pause is not seen any more.
  expect(Date.parse(next!.timestamp)).toBeGreaterThan(resumedAt - 1_000)

  await rig.ask('DELETE', path)
  for (const word of ['pause', 'resume'])
    expect(await (await rig.service.call('POST', `${path}/${word}`)).json()).toMatchObject({
      status: 409,
      code: 'process-not-live',
    })
})

test('a source may be processed twice; processes are listed, and stopped together', async () => {
  const { sourceId } = await rig.goLive('twice')
  const [a, b] = await Promise.all([rig.start(sourceId), rig.start(sourceId, { model: 'balanced' })])
  const running = await rig.ask<Info[]>('GET', '/processes?state=running')
  expect(running.map(({ process_uuid: id }) => id).toSorted()).toEqual([a.process_uuid, b.process_uuid].toSorted())
  expect(await rig.ask('GET', '/status')).toMatchObject({ processes_running: 2 })
  expect((await rig.service.call('DELETE', `/source/${sourceId}`)).status).toBe(409)

  const one = await rig.service.call('POST', `/process/${a.process_uuid}/stop`)
  expect(one.headers.get('deprecation')).not.toBeNull()
  expect(await one.json()).toEqual({ stopped: [a.process_uuid] })
  const rest = await rig.service.call('POST', '/process/stop_all')
  expect(rest.headers.get('link')).toContain('successor-version')
  expect(await rest.json()).toEqual({ stopped: [b.process_uuid] })
  expect(rig.workers()).toEqual([])
  const [newest] = await rig.ask<Info[]>('GET', '/processes?limit=1')
  expect(newest).toMatchObject({ process_uuid: expect.any(String) as string, state: 'stopped' })
})

test('people are found in H.265 too', async () => {
  const x265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'keyint=7:log-level=none']
  const { sourceId } = await rig.goLive('hevc', { input: ['-re', '-stream_loop', '-1', '-i', clip, ...x265] })
  const socket = await rig.connect(await rig.start(sourceId))
  const messages = await socket.more(15)
  expect(messages.at(-1)!.active_tracks.map(({ class_name: name }) => name)).toContain('person')
})
