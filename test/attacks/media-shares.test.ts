/**
 * What one key, or nobody at all, could take from all others: a file for each keyframe, by timestamps that jump; every UDP
 * port of RTSP; every place of WebRTC's TCP port, and all its time; every connection of RTSP, by asking and never playing; and as
 * many readers as there was memory for.
 */
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createH264Packetizer } from '../../src/media/rtp/h264-codec.ts'
import { type AttackedService, createChild, startAttacked } from '../support/attacked-service.ts'
import { childrenOf } from '../support/child-processes.ts'
import { cpuMsOf } from '../support/cpu-time.ts'
import { encodeClip } from '../builders/h264-clip.ts'
import { createFrameMaker } from '../builders/h264-rtp.ts'
import { connectRtsp } from '../support/rtsp-client.ts'
import { basic, prepareReader, startPublisher } from '../support/rtsp-roles.ts'
import { framed, stunRequest } from '../builders/stun-request.ts'
import { until } from '../support/until.ts'
import { webrtcOffer } from '../builders/webrtc-offer.ts'

let service: AttackedService
let rtsp: number
const clients: { close(): void }[] = []
beforeAll(async () => {
  service = await startAttacked()
  rtsp = Number(service.ready['rtsp_port'])
})
afterAll(async () => {
  for (const client of clients) client.close()
  await service.installation.remove()
})

async function publish(path: string, username: string, key: string) {
  const publisher = await startPublisher(rtsp, path, basic(username, key))
  clients.push(publisher.client)
  return publisher
}

interface Recorded {
  readonly duration_seconds: number
  readonly segments: readonly unknown[]
}

test('timestamps that jump make neither files nor seconds', async () => {
  const pictures = (await encodeClip({ seconds: 1 })).filter(({ isKeyframe }) => isKeyframe)
  const url = service.rtspUrl('mallory/jump')
  const body = { alias: 'jump', input_url: url, stream_type: 'rtsp' }
  expect((await service.call('POST', '/stream', { key: service.mallory, body })).status).toBe(201)
  const sinceMs = Date.now()
  const publisher = await publish('mallory/jump', 'mallory', service.mallory)
  const packetize = createH264Packetizer({ payloadType: 96, ssrc: 7 })
  for (let i = 0; i < 300; i++) {
    const { nalUnits } = pictures[i % pictures.length]!
    for (const packet of packetize(nalUnits, (i * 70 * 90_000) % 2 ** 32)) publisher.sendVideo(packet)
    await wait(20)
  }
  publisher.client.close()
  const recordings = async () => {
    const answer = await service.call('GET', '/sources/recordings', { key: service.mallory })
    return (await answer.json()) as (Recorded & { ended_at: string | null })[]
  }
  await until(async () => (await recordings()).some(({ ended_at }) => ended_at !== null), 20_000)
  const [recording] = await recordings()
  expect(recording!.duration_seconds).toBeLessThanOrEqual((Date.now() - sinceMs) / 1000)
  expect(recording!.segments).toHaveLength(1)
})

test('one account has a share of the UDP ports, and others have theirs', async () => {
  for (const [username, key] of [
    ['mallory', service.mallory],
    ['bob', service.bob],
  ] as const)
    (await publish(`${username}/udp`, username, key)).sendVideo(createFrameMaker()('key'))
  const setUp = async (username: string, key: string, transport: string) => {
    const client = await connectRtsp(rtsp)
    clients.push(client)
    const url = service.rtspUrl(`${username}/udp`)
    await client.request('DESCRIBE', url, basic(username, key))
    return (await client.request('SETUP', `${url}/trackID=0`, { Transport: transport })).status
  }
  const byUdp = 'RTP/AVP;unicast;client_port=9000-9001'
  const statuses = []
  for (let i = 0; i < 252; i++) statuses.push(await setUp('mallory', service.mallory, byUdp))
  expect(statuses.filter((status) => status === 200)).toHaveLength(250)
  expect(statuses.slice(-2)).toEqual([461, 461])
  expect(await setUp('mallory', service.mallory, 'RTP/AVP/TCP;unicast;interleaved=0-1')).toBe(200)
  expect(await setUp('bob', service.bob, byUdp)).toBe(200)
})

test('a key’s streams have so many readers, and who comes then is told so', async () => {
  const key = await createChild(service, 'few', { max_readers: 2 })
  const publisher = await publish('few/cam', 'few', key)
  publisher.sendVideo(createFrameMaker()('key'))
  for (let i = 0; i < 2; i++) {
    const reader = await prepareReader(rtsp, 'few/cam', basic('few', key))
    clients.push(reader.client)
    expect((await reader.play()).status).toBe(200)
  }
  const client = await connectRtsp(rtsp)
  clients.push(client)
  const { status, reason } = await client.request('DESCRIBE', service.rtspUrl('few/cam'), basic('few', key))
  expect([status, reason]).toEqual([
    403,
    'As many read by RTSP and RTMP as the key of few allows (max_readers: 2); end one first, or watch by HLS or WebRTC.',
  ])
})

test('who asks on many connections and plays on none keeps nobody at its address out', async () => {
  const { sendVideo } = await publish('bob/cam', 'bob', service.bob)
  sendVideo(createFrameMaker()('key'))
  const mallorys = await publish('mallory/cam', 'mallory', service.mallory)
  mallorys.sendVideo(createFrameMaker()('key'))
  const keepLive = setInterval(() => {
    sendVideo(createFrameMaker()('key'))
    mallorys.sendVideo(createFrameMaker()('key'))
  }, 1_000)
  clients.push({ close: () => clearInterval(keepLive) })
  for (let i = 0; i < 720; i++) {
    const client = await connectRtsp(rtsp)
    clients.push(client)
    await client.request('DESCRIBE', service.rtspUrl('mallory/cam'), basic('mallory', service.mallory))
  }
  for (let i = 0; i < 3; i++) {
    const reader = await prepareReader(rtsp, 'bob/cam', basic('bob', service.bob))
    clients.push(reader.client)
    expect((await reader.play()).status).toBe(200)
  }
})

/** An offer of Mallory's; answers WebRTC's TCP port, a request that names the session without its password, and how long it took. */
async function offer(name: string): Promise<{ port: number; stun: Buffer; tookMs: number }> {
  const askedAt = performance.now()
  const answer = await fetch(`${service.url}/webrtc/mallory/${name}/whip`, {
    method: 'POST',
    headers: { 'content-type': 'application/sdp', api_key: service.mallory },
    body: webrtcOffer('sendonly'),
  })
  const sdp = await answer.text()
  const port = Number(/ tcp \d+ \S+ (\d+) typ host tcptype passive/i.exec(sdp)![1])
  const stun = framed(stunRequest(`${/^a=ice-ufrag:(\S+)/m.exec(sdp)![1]}:abcd`))
  return { port, stun, tookMs: performance.now() - askedAt }
}

test('whom WebRTC does not know keeps no place at its TCP port, whatever it sends', async () => {
  const { port, stun } = await offer('whip')
  const open = new Set<Socket>()
  for (let i = 0; i < 100; i++) {
    const socket = connect(port, '127.0.0.1')
    open.add(socket)
    clients.push({ close: () => socket.destroy() })
    const nagging = setInterval(() => socket.write(stun), 100)
    socket.on('error', () => {})
    socket.on('close', () => {
      clearInterval(nagging)
      open.delete(socket)
    })
  }
  await until(async () => open.size <= 32, 10_000)
  await until(async () => open.size === 0, 20_000)
})

test('frames of a byte by whom WebRTC does not know leave it time for others', async () => {
  const { port, stun } = await offer('before')
  const bytes = Buffer.alloc(3 * 200_000, Buffer.of(0, 1, 7))
  const gateway = childrenOf(service.process.pid!, 'webrtc')[0]!
  const before = cpuMsOf(gateway)
  for (let i = 0; i < 4; i++) {
    const socket = connect(port, '127.0.0.1')
    clients.push({ close: () => socket.destroy() })
    socket.on('error', () => {})
    socket.write(stun)
    socket.write(bytes)
  }
  await wait(1_000)
  expect((await offer('meanwhile')).tookMs).toBeLessThan(2_000)
  expect(cpuMsOf(gateway) - before).toBeLessThan(1_500)
})
