/**
 * What froze the media server for everybody: 65,536 empty messages of one byte each, sent by a stranger; one message of
 * 8 MB that is split into millions of parts, or is thousands of packets for each of many readers, sent by any account; and
 * a paused player that asks and never reads.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MESSAGE } from '../../src/media/rtmp/wire/message.ts'
import { type AttackedService, startAttacked } from '../support/attacked-service.ts'
import { aacConfigurationTag, avcC, avcConfigurationTag, avcFrameTag, flvTag, H264 } from '../builders/flv-tags.ts'
import { costOf } from '../support/media-server-cost.ts'
import { createRtmpClient, type RtmpClient } from '../support/rtmp-client.ts'
import { keyTag } from '../support/rtmp-rig.ts'
import { connectRtsp, type RtspClient } from '../support/rtsp-client.ts'
import { basic, expectOk } from '../support/rtsp-roles.ts'
import { until } from '../support/until.ts'

/** One message, less its head: RTMP takes 8 MB. */
const BOMB_BYTES = 8 * 1024 * 1024 - 100
/** Seconds before; 8 MB take a while. */
const MAX_CPU_MS = 2_000
/** Work that stood between a question and its answer. */
const MAX_WAIT_CPU_MS = 1_000

let service: AttackedService
const clients: RtmpClient[] = []
beforeAll(async () => void (service = await startAttacked()))
afterAll(async () => {
  for (const client of clients) client.close()
  await service.installation.remove()
})

async function connectClient(): Promise<RtmpClient> {
  const client = await createRtmpClient({ port: Number(service.ready['rtmp_port']) })
  clients.push(client)
  return client
}

/** Mallory publishes, with NAL units behind lengths of one byte, and may send chunks of any size. */
async function publishing(name: string): Promise<RtmpClient> {
  const client = await connectClient()
  const { code } = await client.publish('mallory', `${name}?api_key=${service.mallory}`)
  expect(code).toBe('NetStream.Publish.Start')
  client.message(MESSAGE.video, avcConfigurationTag(avcC(H264.sps, H264.pps, 1)))
  client.message(MESSAGE.audio, aacConfigurationTag())
  client.message(MESSAGE.setChunkSize, Buffer.of(1, 0, 0, 0), 0, 0)
  return client
}

/** In one chunk, once the chunk size allows it. */
function inOneChunk(typeId: number, payload: Buffer): Buffer {
  const header = Buffer.from('040000000000000001000000', 'hex')
  header.writeUIntBE(payload.length, 4, 3)
  header[7] = typeId
  return Buffer.concat([header, payload])
}

const filledWith = (part: Buffer) => Buffer.alloc(BOMB_BYTES - (BOMB_BYTES % part.length), part)

test('empty messages of one byte, by a stranger', async () => {
  const client = await connectClient()
  await client.connect('bob')
  const cost = await costOf(service, async () => {
    client.send(Buffer.concat([Buffer.from('050000000000001400000000', 'hex'), Buffer.alloc(5 * 65_536, 0xc5)]))
    await client.closed
  })
  expect(cost.cpuMs).toBeLessThan(MAX_CPU_MS)
  expect(cost.maxWaitCpuMs).toBeLessThan(MAX_WAIT_CPU_MS)
})

describe('one message of 8 MB', () => {
  const frameOf = (part: Buffer) => avcFrameTag(filledWith(part), { isKeyframe: true })
  const pps = Buffer.from('0368ee3c', 'hex')
  test.each([
    { what: 'slices of one byte', typeId: MESSAGE.video, payload: () => frameOf(Buffer.of(1, 0x65)) },
    { what: 'empty SEI', typeId: MESSAGE.video, payload: () => frameOf(Buffer.of(1, 6)) },
    { what: 'parameter sets', typeId: MESSAGE.video, payload: () => frameOf(pps) },
    { what: 'units of no bytes', typeId: MESSAGE.video, payload: () => frameOf(Buffer.of(0)) },
    { what: 'start codes', typeId: MESSAGE.video, payload: () => frameOf(Buffer.of(0, 0, 1, 0x41)) },
    { what: 'a sequence header of start codes', typeId: MESSAGE.video, payload: () => sequenceHeader() },
    { what: 'audio frames', typeId: MESSAGE.aggregate, payload: () => filledWith(flvTag(8, Buffer.of(0xaf, 1, 0x21))) },
    { what: 'empty pictures', typeId: MESSAGE.aggregate, payload: () => filledWith(flvTag(9, Buffer.of(0x27, 1))) },
  ])('of $what', async ({ what, typeId, payload }) => {
    const client = await publishing(what.replaceAll(' ', '-'))
    const bomb = inOneChunk(typeId, payload())
    const cost = await costOf(service, async () => {
      client.send(bomb)
      await client.closed
    })
    expect(cost.cpuMs).toBeLessThan(MAX_CPU_MS)
    expect(cost.maxWaitCpuMs).toBeLessThan(MAX_WAIT_CPU_MS)
  })

  const sequenceHeader = () => {
    const tag = frameOf(Buffer.of(0, 0, 1, 0x67))
    tag[1] = 0
    return tag
  }
})

test('an aggregate of pictures with as many units as they may have', async () => {
  const client = await publishing('aggregate')
  const picture = avcFrameTag(Buffer.alloc(2 * 2_000, Buffer.of(1, 0x65)), { isKeyframe: true })
  const cost = await costOf(service, async () => {
    client.send(inOneChunk(MESSAGE.aggregate, Buffer.concat(Array.from({ length: 400 }, () => flvTag(9, picture)))))
    await Promise.race([client.closed, answeredPing(client)])
  })
  expect(cost.maxWaitCpuMs).toBeLessThan(MAX_WAIT_CPU_MS)
})

test('a picture of thousands of packets for many readers by UDP', async () => {
  const client = await publishing('large')
  client.send(inOneChunk(MESSAGE.video, avcConfigurationTag()))
  const frames = setInterval(() => client.send(inOneChunk(MESSAGE.video, keyTag(1))), 100)
  const readers = await Promise.all(Array.from({ length: 50 }, () => readByUdp('mallory/large')))
  clearInterval(frames)
  const cost = await costOf(service, async () => {
    client.send(inOneChunk(MESSAGE.video, keyTag(2, 2_000_000)))
    await answeredPing(client)
  })
  for (const reader of readers) reader.close()
  expect(cost.maxWaitCpuMs).toBeLessThan(MAX_WAIT_CPU_MS / 2)
})

/** Nobody listens where it wants to have them; what was published a moment ago may not be live yet. */
async function readByUdp(path: string): Promise<RtspClient> {
  const client = await connectRtsp(Number(service.ready['rtsp_port']))
  const url = service.rtspUrl(path)
  const transport = { Transport: 'RTP/AVP;unicast;client_port=9000-9001' }
  await until(
    async () => (await client.request('DESCRIBE', url, basic('mallory', service.mallory))).status === 200,
    5_000,
  )
  expectOk(await client.request('SETUP', `${url}/trackID=0`, transport))
  expectOk(await client.request('PLAY', url))
  return client
}

test('a paused player that pings and never reads', async () => {
  const publisher = await publishing('played')
  publisher.send(inOneChunk(MESSAGE.video, avcConfigurationTag()))
  publisher.send(inOneChunk(MESSAGE.video, keyTag(1)))
  const frames = setInterval(() => publisher.send(inOneChunk(MESSAGE.video, keyTag(1))), 100)
  const player = await playerOf('mallory', `played?api_key=${service.mallory}`)
  player.command('pause', 0, null, true, 0)
  player.pauseReading()
  const pings = Buffer.concat(Array.from({ length: 2_000 }, () => ping(7)))
  const cost = await costOf(service, async () => {
    let isClosed = false
    const closed = player.closed.then(() => (isClosed = true))
    for (let sent = 0; sent < 100 && !isClosed; sent++) {
      player.send(pings)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    expect(await Promise.race([closed, later(5_000)])).toBe(true)
  })
  clearInterval(frames)
  expect(cost.cpuMs).toBeLessThan(MAX_CPU_MS)
  expect(cost.maxWaitCpuMs).toBeLessThan(MAX_WAIT_CPU_MS)
})

/** What was published a moment ago may not be live yet. */
async function playerOf(app: string, name: string): Promise<RtmpClient> {
  for (;;) {
    const player = await connectClient()
    if ((await player.play(app, name)).code === 'NetStream.Play.Reset') return player
  }
}

async function answeredPing(client: RtmpClient): Promise<void> {
  client.send(ping(9))
  await client.waitFor(({ typeId, payload }) => typeId === MESSAGE.userControl && payload.at(-1) === 9)
}

function ping(id: number): Buffer {
  return inOneChunk(MESSAGE.userControl, Buffer.of(0, 6, 0, 0, 0, id))
}

const later = (ms: number) => new Promise<string>((resolve) => setTimeout(() => resolve(`open after ${ms} ms`), ms))
