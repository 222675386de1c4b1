/**
 * A drone without GPS time sends native telemetry that says 1970, the seconds since it was switched on, or another century. It
 * must reach `drone_data` as it was sent, and locate by its arrival. And `drone_data` is asked of a process without telemetry.
 */
import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { clipPose } from '../../src/cli/demo/steps.ts'
import { createProcessRig, type ProcessRig } from '../support/process-rig.ts'
import { until } from '../support/until.ts'

let rig: ProcessRig
beforeAll(async () => void (rig = await createProcessRig()))
afterEach(() => rig.clear())
afterAll(() => rig.remove())

async function open(url: string): Promise<{ socket: WebSocket; messages: Record<string, number>[] }> {
  const messages: Record<string, number>[] = []
  const socket = new WebSocket(url)
  socket.on('message', (data: Buffer) => messages.push(JSON.parse(data.toString()) as Record<string, number>))
  await once(socket, 'open')
  return { socket, messages }
}

test('a drone whose clock was never set is heard as it speaks, and locates what it sees', async () => {
  const { source_uuid: sourceId } = await rig.ask<{ source_uuid: string }>('POST', '/stream', {
    body: {
      alias: 'drone',
      input_url: `rtsp://127.0.0.1:${rig.rtsp}/admin/drone`,
      stream_type: 'rtsp',
      telemetry_cfg: { type: 'websocket' },
    },
  })
  rig.publish('drone')
  await until(
    async () => (await rig.ask<{ status: string }>('GET', `/source/${sourceId}`)).status === 'streaming',
    30_000,
  )
  const started = await rig.start(sourceId)
  const drone = await open(started.telemetry_url)
  const listener = await open(started.detection_data_url.replace('detection_data', 'drone_data'))
  const strange = [0, 12.5, 4_102_444_800]
  for (const timestamp of strange) drone.socket.send(JSON.stringify({ ...clipPose, timestamp }))
  await until(async () => listener.messages.length === strange.length, 30_000)
  expect(listener.messages).toEqual(strange.map((timestamp) => ({ ...clipPose, timestamp })))

  let uptime = 20
  const flight = setInterval(() => drone.socket.send(JSON.stringify({ ...clipPose, timestamp: (uptime += 0.1) })), 100)
  try {
    const detections = await rig.connect(started)
    let located = 0
    await until(async () => {
      const tracks = (await detections.more(1)).flatMap(({ active_tracks }) => active_tracks)
      located += tracks.filter(({ latitude }) => latitude !== undefined).length
      return located > 10
    }, 60_000)
  } finally {
    clearInterval(flight)
  }
  expect(drone.messages).toEqual([])
  expect((await rig.info(started.process_uuid)).telemetry).toMatchObject({
    clock: 'arrival',
    clock_note: expect.stringContaining('days behind') as string,
    delay_ms: null,
    rejected: {},
  })
  // Malformed messages stay refused by name, and go nowhere.
  const heard = listener.messages.length
  drone.socket.send(JSON.stringify({ ...clipPose, timestamp: 'yesterday' }))
  drone.socket.send(JSON.stringify({ ...clipPose, timestamp: 30, latitude: 91 }))
  await until(async () => drone.messages.length === 2, 30_000)
  expect((await rig.info(started.process_uuid)).telemetry!.rejected).toEqual({
    'timestamp-missing': 1,
    'out-of-range': 1,
  })
  expect(listener.messages).toHaveLength(heard)
  drone.socket.close()
  listener.socket.close()
}, 180_000)

test('drone_data is not attached to a process without telemetry', async () => {
  const { sourceId } = await rig.goLive('deaf')
  const { process_uuid: processId } = await rig.start(sourceId)
  const body = { alias: 'where', type: 'drone_data' }
  const { output_uuid: outputId } = await rig.ask<{ output_uuid: string }>('POST', '/output', { body })
  const answer = await rig.service.call('POST', `/process/${processId}/${outputId}`)
  expect(answer.status).toBe(409)
  expect(await answer.json()).toMatchObject({ code: 'telemetry-not-configured' })
  expect((await rig.info(processId)).outputs).toEqual([])
  expect((await rig.service.call('DELETE', `/output/${outputId}`)).status).toBe(200)
}, 60_000)
