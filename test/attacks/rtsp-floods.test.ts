/**
 * What froze the media server for everybody: many who play and pause a stream of very many packets, again and again; and cameras
 * that send as many as they can.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildPacket } from '../../src/media/rtp/packet.ts'
import { interleave } from '../../src/media/rtsp/wire/interleave.ts'
import { type AttackedService, startAttacked } from '../support/attacked-service.ts'
import { createFrameMaker } from '../builders/h264-rtp.ts'
import { type FakeCamera, startFakeCamera } from '../support/fake-camera.ts'
import { costOf } from '../support/media-server-cost.ts'
import { until } from '../support/until.ts'
import { basic, prepareReader, startPublisher } from '../support/rtsp-roles.ts'

/** Twice that before, and seconds with a hundred readers. */
const MAX_WAIT_CPU_MS = 250

let service: AttackedService
const cameras: FakeCamera[] = []
beforeAll(async () => void (service = await startAttacked({ AERIE_OUTBOUND_ALLOW: '127.0.0.1/32' })))
afterAll(async () => {
  await service.installation.remove()
  for (const camera of cameras) await camera.close()
})

test('many who play and pause a stream of tiny packets in a loop', async () => {
  const port = Number(service.ready['rtsp_port'])
  const asMallory = basic('mallory', service.mallory)
  const publisher = await startPublisher(port, 'mallory/tiny', asMallory)
  // So many fit into the bytes that are kept; all are one picture.
  const make = (sequenceNumber: number) =>
    buildPacket({ payloadType: 96, sequenceNumber, timestamp: 9_000, ssrc: 0x1234, marker: false }, Buffer.of(0x41, 1))
  publisher.sendVideo(createFrameMaker()('key'))
  for (let i = 0; i < 60_000; i++) publisher.sendVideo(make(i))
  const keepLive = setInterval(() => publisher.sendVideo(make(0)), 1_000)
  const readers = await Promise.all(Array.from({ length: 50 }, () => prepareReader(port, 'mallory/tiny', asMallory)))
  const cost = await costOf(service, async () => {
    await Promise.all(readers.map(playAndPause))
  })
  clearInterval(keepLive)
  for (const { client } of [...readers, publisher]) client.close()
  expect(cost.maxWaitCpuMs).toBeLessThan(MAX_WAIT_CPU_MS)
})

/** Four times, all at once; of what comes only the answers are looked for. */
async function playAndPause({ client, url, session }: Awaited<ReturnType<typeof prepareReader>>): Promise<void> {
  let answers = 0
  let tail = ''
  client.socket.removeAllListeners('data').on('data', (chunk: Buffer) => {
    const text = tail + chunk.toString('latin1')
    answers += text.split('RTSP/1.0 200').length - 1
    tail = text.slice(-11)
  })
  const request = (method: string) => `${method} ${url} RTSP/1.0\r\nCSeq: 9\r\nSession: ${session.Session}\r\n\r\n`
  client.socket.write((request('PLAY') + request('PAUSE')).repeat(4))
  await until(async () => answers === 8, 15_000)
}

test('cameras that send nothing but tiny packets', async () => {
  const make = createFrameMaker({ payloadBytes: 2 })
  const packets = Array.from({ length: 1000 }, () => interleave([{ channel: 0, data: make('delta') }]))
  const flood = Buffer.concat(Array.from({ length: 60 }, () => packets).flat())
  const sent: Promise<unknown>[] = []
  for (let i = 0; i < 8; i++) {
    const camera = await startFakeCamera({
      habit({ method }, peer) {
        if (method !== 'PLAY') return false
        peer.answer(200)
        sent.push(new Promise((resolve) => peer.socket.write(flood, resolve)))
        return true
      },
    })
    cameras.push(camera)
  }
  const cost = await costOf(service, async () => {
    for (const { url } of cameras) await callCamera(url)
    await until(async () => sent.length === cameras.length)
    await Promise.all(sent)
  })
  expect(cost.maxWaitCpuMs).toBeLessThan(MAX_WAIT_CPU_MS)
})

/** Has the service call it from now on. */
async function callCamera(url: string): Promise<void> {
  const body = { alias: url, input_url: url, stream_type: 'rtsp' }
  expect((await service.call('POST', '/stream', { key: service.mallory, body })).status).toBe(201)
}
