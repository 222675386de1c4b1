/**
 * What a viewer asks for again by a few bytes. 136 bytes asked for 512 packets, and 40 such requests a second, by a viewer,
 * froze WebRTC for everybody; 12 bytes asked for all pictures since a keyframe that is long ago.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildPictureLoss } from '../../src/media/webrtc/feedback.ts'
import { type AttackedService, startAttacked } from '../support/attacked-service.ts'
import { childrenOf } from '../support/child-processes.ts'
import { cpuMsOf } from '../support/cpu-time.ts'
import { publish, type PublisherOptions, type Running } from '../support/ffmpeg.ts'
import { until } from '../support/until.ts'
import { webrtcOffer } from '../builders/webrtc-offer.ts'
import { watchByWebrtc, type WebrtcViewer } from '../support/webrtc-viewer.ts'

let service: AttackedService
const cameras: Running[] = []
const viewers: WebrtcViewer[] = []
beforeAll(async () => void (service = await startAttacked()))
afterAll(async () => {
  for (const viewer of viewers) viewer.close()
  for (const camera of cameras) await camera.kill()
  await service.installation.remove()
})

const whepUrl = (path: string) => `${service.url}/webrtc/${path}/whep`
const offerTo = (path: string, key: string) =>
  fetch(whepUrl(path), {
    method: 'POST',
    headers: { api_key: key, 'content-type': 'application/sdp' },
    body: webrtcOffer('recvonly'),
  })

async function goLive(username: 'bob' | 'mallory', name: string, options: PublisherOptions = {}): Promise<void> {
  const path = `${username}/${name}`
  const url = service.rtspUrl(path).replace('//', `//${username}:${service[username]}@`)
  cameras.push(publish(url, { ...options, audio: false }))
  await until(async () => (await offerTo(path, service[username])).status === 201, 20_000)
}

async function watch(path: string, credential: string): Promise<WebrtcViewer> {
  const viewer = await watchByWebrtc(whepUrl(path), credential)
  viewers.push(viewer)
  return viewer
}

async function readToken(): Promise<string> {
  const body = { alias: 'cam', input_url: service.rtspUrl('mallory/cam'), stream_type: 'rtsp' }
  const source = await service.call('POST', '/stream', { key: service.mallory, body })
  const { source_uuid: id } = (await source.json()) as { source_uuid: string }
  const token = await service.call('POST', `/source/${id}/token`, { key: service.mallory, body: { action: 'read' } })
  return ((await token.json()) as { token: string }).token
}

/** Asks for the last 527 packets by 136 bytes: 31 numbers, each with a mask of the sixteen behind it. */
function greedyNack({ ssrc, newest }: WebrtcViewer): Buffer {
  const nack = Buffer.alloc(12 + 4 * 31)
  nack.writeUInt32BE(0x81cd_0000 + nack.length / 4 - 1)
  nack.writeUInt32BE(1, 4)
  nack.writeUInt32BE(ssrc, 8)
  for (let pair = 0; pair < 31; pair++) {
    nack.writeUInt16BE((newest - 17 * (pair + 1) + 1) & 0xffff, 12 + 4 * pair)
    nack.writeUInt16BE(0xffff, 14 + 4 * pair)
  }
  return nack
}

test('a viewer that asks for everything again, all the time, gets its share, and others get all of theirs', async () => {
  await goLive('bob', 'cam')
  await goLive('mallory', 'cam')
  const bob = await watch('bob/cam', service.bob)
  const mallory = await watch('mallory/cam', await readToken())
  await until(async () => mallory.packets > 600 && bob.packets > 0, 30_000)
  // What comes a second time SRTP drops before it can be counted; sending it takes time all the same.
  const gateway = childrenOf(service.process.pid!, 'webrtc')[0]!
  const before = cpuMsOf(gateway)
  bob.maxGapMs()
  const offer = wait(2_500).then(async () => {
    const askedAtMs = performance.now()
    expect((await offerTo('bob/cam', service.bob)).status).toBe(201)
    return performance.now() - askedAtMs
  })
  for (let sent = 0; sent < 100; sent++) {
    for (let i = 0; i < 5; i++) mallory.send(greedyNack(mallory))
    await wait(50)
  }
  expect(await offer).toBeLessThan(2_000)
  expect(bob.maxGapMs()).toBeLessThan(1_000)
  expect(cpuMsOf(gateway) - before).toBeLessThan(2_000)
}, 120_000)

test('a viewer that asks for a keyframe all the time gets little more of a long group than one that does not', async () => {
  await goLive('mallory', 'long', {
    video: ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-g', '99999', '-sc_threshold', '0'],
  })
  const honest = await watch('mallory/long', service.mallory)
  const greedy = await watch('mallory/long', service.mallory)
  for (let asked = 0; asked < 40; asked++) {
    greedy.send(buildPictureLoss(1, greedy.ssrc))
    await wait(300)
  }
  expect(greedy.bytes).toBeGreaterThan(honest.bytes)
  expect(greedy.bytes).toBeLessThan(3 * honest.bytes)
}, 120_000)
