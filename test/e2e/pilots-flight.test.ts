/** A pilot's day: the process is started before take-off, and is there for every flight. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { clipPose } from '../../src/cli/demo/steps.ts'
import { type DetectionSocket } from '../support/detection-socket.ts'
import { type Running } from '../support/ffmpeg.ts'
import { createProcessRig, type ProcessRig, type Started } from '../support/process-rig.ts'
import { until } from '../support/until.ts'

/** Landing is noticed after this long without video. */
const LANDED_AFTER_SECONDS = 5

let rig: ProcessRig
let sourceId: string
let started: Started
let socket: DetectionSocket
let remote: { close(): void } | undefined
let flight: Running
beforeAll(async () => {
  rig = await createProcessRig({ AERIE_RECONNECT_SECONDS: String(LANDED_AFTER_SECONDS) })
  ;({ source_uuid: sourceId } = await rig.ask<{ source_uuid: string }>('POST', '/stream', {
    body: {
      alias: 'Heron',
      input_url: `rtsp://127.0.0.1:${rig.rtsp}/admin/heron`,
      stream_type: 'rtsp',
      telemetry_cfg: { type: 'websocket', parameters: {} },
    },
  }))
})
afterAll(async () => {
  remote?.close()
  await rig.clear()
  await rig.remove()
})

/** The remote control sends where the drone is, ten times a second, until it is closed. */
function sendTelemetry(): { close(): void } {
  const sender = new WebSocket(started.telemetry_url)
  sender.on('error', () => {})
  const timer = setInterval(() => {
    if (sender.readyState === WebSocket.OPEN) sender.send(JSON.stringify({ ...clipPose, timestamp: Date.now() / 1000 }))
  }, 100)
  return {
    close() {
      clearInterval(timer)
      sender.terminate()
    },
  }
}

const info = () => rig.info(started.process_uuid)
const located = async () => {
  const messages = await socket.more(10, 60_000)
  return messages.flatMap(({ active_tracks: tracks }) => tracks.filter(({ latitude }) => latitude !== undefined)).length
}
const trackIds = async (query = '') => {
  const path = `/process/${started.process_uuid}/tracks?patches=false${query}`
  return (await rig.ask<{ tracks: { track_id: number }[] }>('GET', path)).tracks.map(({ track_id: id }) => id)
}

test('before take-off: the process waits, and the remote control is heard already', async () => {
  expect(await rig.tryStart(sourceId)).toMatchObject({
    code: 'source-not-live',
    detail: expect.stringContaining('when=live') as string,
  })
  expect(await rig.tryStart(sourceId, { again: 'true' })).toMatchObject({ status: 422, code: 'input-invalid' })
  started = await rig.start(sourceId, { when: 'live', again: 'true' })
  expect(await info()).toMatchObject({ state: 'waiting', error: null, when: 'live', again: true, started_at: null })
  expect(rig.workers()).toEqual([])
  socket = await rig.connect(started)
  remote = sendTelemetry()
  await until(async () => ((await info()).telemetry?.age_ms ?? Infinity) < 2_000)
})

test('a restart of the service in the meantime is not noticed', async () => {
  await rig.service.stop('SIGKILL')
  remote?.close()
  await rig.restart()
  const to = (url: string) => url.replace(/:\d+\//, `:${new URL(rig.service.url).port}/`)
  started = { ...started, telemetry_url: to(started.telemetry_url), detection_data_url: to(started.detection_data_url) }
  expect(await info()).toMatchObject({ state: 'waiting' })
  socket = await rig.connect(started)
  remote = sendTelemetry()
})

test('take-off: it begins by itself, and what it sees is on the map', async () => {
  flight = rig.publish('heron')
  await rig.untilState(started.process_uuid, 'running', 60_000)
  expect(await located()).toBeGreaterThan(0)
})

test('the link of the remote control is lost: that is said, and that it is back', async () => {
  remote!.close()
  await until(async () => /^No message for \d+ s/.test((await info()).telemetry?.error ?? ''))
  expect(await info()).toMatchObject({ state: 'running', problem: expect.stringContaining('No message') as string })
  remote = sendTelemetry()
  await until(async () => (await info()).telemetry?.error === null)
  expect((await info()).problem).toBeNull()
})

test('landing: the process waits for the next flight, without a worker', async () => {
  await flight.kill()
  await rig.untilState(started.process_uuid, 'waiting', (LANDED_AFTER_SECONDS + 30) * 1000)
  await until(async () => rig.workers().length === 0)
  const { stats } = await info()
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect((await info()).stats.consumed_seconds).toBe(stats.consumed_seconds)
})

test('the second flight: the same process, its own time in the report', async () => {
  const first = await trackIds()
  expect(first.length).toBeGreaterThan(0)
  const from = new Date().toISOString()
  flight = rig.publish('heron')
  await rig.untilState(started.process_uuid, 'running', 60_000)
  expect(await located()).toBeGreaterThan(0)
  await until(async () => (await trackIds(`&from=${from}`)).length > 0)
  const second = await trackIds(`&from=${from}`)
  expect(second.filter((id) => first.includes(id))).toEqual([])
  expect(socket.isOpen).toBe(true)
  await rig.ask('DELETE', `/process/${started.process_uuid}`)
  expect(await info()).toMatchObject({ state: 'stopped', stop_reason: 'requested' })
})
