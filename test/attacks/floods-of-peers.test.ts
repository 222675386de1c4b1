/**
 * What our peers could send without end. A telemetry broker's 200 kB of PINGRESP stopped the service for 11 seconds; a
 * receiver's interim answers were read for as long as they came; a telemetry websocket sent millions of messages and was never
 * closed, or a few that were long lists, and stopped the service for seconds. And an uploaded video hid what it claims to hold in a header within its header.
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { claimingTrack, rewriteBoxes } from '../builders/claiming-mp4.ts'
import { box } from '../builders/mp4-boxes.ts'
import { start as startTool } from '../support/ffmpeg.ts'
import { createHostileBroker, PINGRESP, PUBACK, publishPacket, repeated } from '../support/hostile-broker.ts'
import { createProcessRig, type ProcessRig } from '../support/process-rig.ts'
import { startWithTelemetry } from '../support/telemetry-process.ts'
import { until } from '../support/until.ts'

let rig: ProcessRig
beforeAll(async () => void (rig = await createProcessRig()))
afterEach(() => rig.clear())
afterAll(() => rig.remove())

test.each([
  ['pingresp', repeated(PINGRESP, 100_000), 'sends more than it is asked for'],
  ['puback', repeated(PUBACK, 100_000), 'sends more than it is asked for'],
  ['publish', repeated([...publishPacket('t', '')], 100_000), 'messages a second; choose a narrower topic'],
])(
  'a telemetry broker that floods by %s is left, which is told, and tried again',
  async (name, load, sentence) => {
    const broker = await createHostileBroker(load)
    try {
      const parameters = { ip: '127.0.0.1', port: broker.port, topic: 't' }
      const { process_uuid: processId } = await startWithTelemetry(rig, name, { type: 'mqtt', parameters })
      const error = async () => (await rig.info(processId)).telemetry?.error ?? ''
      await until(async () => (await error()).includes(sentence), 30_000)
      await until(async () => broker.visits() > 2, 30_000)
    } finally {
      await broker.close()
    }
  },
  120_000,
)

test('a telemetry websocket that floods is closed, and may not go on by coming again', async () => {
  const { telemetry_url: url } = await startWithTelemetry(rig, 'flood', { type: 'websocket' })
  for (let visit = 0; visit < 2; visit++) {
    const socket = new WebSocket(url)
    socket.on('error', () => {})
    const closed = once(socket, 'close')
    await once(socket, 'open')
    for (let sent = 0; sent < 20_000; sent++) socket.send('{}')
    const [code, reason] = (await closed) as [number, Buffer]
    expect([code, reason.toString()]).toEqual([1008, expect.stringContaining('messages a second')])
  }
}, 120_000)

test('a telemetry websocket that sends few messages, which are long lists, does not hold up others', async () => {
  const cfg = { type: 'websocket', format: 'vendor_a' }
  const { telemetry_url: url, process_uuid: processId } = await startWithTelemetry(rig, 'lists', cfg)
  const socket = new WebSocket(url)
  socket.on('error', () => {})
  await once(socket, 'open')
  const cameras = Array.from({ length: 20_000 }, () => ({}))
  const data = { attitude_head: 1, latitude: 1, longitude: 2, '1-0-0': {}, cameras }
  const message = JSON.stringify({ timestamp: Date.now(), data })
  for (let sent = 0; sent < 30; sent++) socket.send(message)
  const rejected = async () => (await rig.info(processId)).telemetry?.rejected ?? {}
  const sinceMs = performance.now()
  await until(async () => ((await rejected())['too-many'] ?? 0) >= 20, 10_000)
  // They were two seconds of work.
  expect(performance.now() - sinceMs).toBeLessThan(1_500)
  socket.close()
}, 60_000)

test('a receiver that sends interim answers without end fails, which is told', async () => {
  const sockets = new Set<Socket>()
  const receiver = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    const flood = () =>
      void (socket.writable && socket.write('HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'.repeat(500)))
    socket.on('drain', flood)
    socket.once('data', flood)
    socket.resume()
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  try {
    const { sourceId } = await rig.goLive('hints')
    const { process_uuid: processId } = await rig.start(sourceId)
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
    await rig.ask('POST', `/subscribe/${processId}`, { body: { notification_url: url, event_type: 'target-count' } })
    const path = `/subscriptions/${processId}/deliveries?state=waiting`
    const errors = async () => (await rig.ask<{ error: string | null }[]>('GET', path)).map(({ error }) => error ?? '')
    await until(async () => (await errors()).join().includes('interim answers (1xx) without an end'), 60_000)
  } finally {
    for (const socket of sockets) socket.destroy()
    receiver.close()
  }
}, 120_000)

test('a video with a header within its header is not taken', async () => {
  const file = join(rig.folder, 'plain.mp4')
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=64x64:rate=5', '-t', '1', '-pix_fmt', 'yuv420p']
  expect(await startTool('ffmpeg', [...source, file]).finished).toMatchObject({ code: 0 })
  const hidden = box('moov', claimingTrack(file, 26_000_000))
  const content = rewriteBoxes(readFileSync(file), (type, body) =>
    type === 'moov' ? box('moov', body, hidden) : undefined,
  )
  const form = new FormData()
  form.set('file', new Blob([content]), 'hidden.mp4')
  const headers = { api_key: rig.installation.masterKey }
  const answer = await fetch(`${rig.service.url}/video`, { method: 'POST', headers, body: form })
  expect(answer.status).toBe(422)
  expect(await answer.text()).toContain('as no program does it')
})
