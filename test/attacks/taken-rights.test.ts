/**
 * A viewer goes on with what it was let in to, after the right to it was taken: by every protocol of the media server, by HLS, recordings
 * and WebRTC, and by the streams of HTTP. Its own streams stay.
 */
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createFrameMaker } from '../builders/h264-rtp.ts'
import { webrtcOffer } from '../builders/webrtc-offer.ts'
import { type AttackedService, startAttacked } from '../support/attacked-service.ts'
import { connectDetections } from '../support/detection-socket.ts'
import { publish as publishClip, type Running } from '../support/ffmpeg.ts'
import { createRtmpClient } from '../support/rtmp-client.ts'
import { connectRtsp } from '../support/rtsp-client.ts'
import { basic, startPublisher, startReader } from '../support/rtsp-roles.ts'
import { until } from '../support/until.ts'

let service: AttackedService
let rtsp: number
let camera: Running
let sourceId: string
let processId: string
const PATH = 'bob/cam'
/** Three seconds, and what a busy machine adds to them. */
const SOON_MS = 9_000

beforeAll(async () => {
  service = await startAttacked()
  rtsp = Number(service.ready['rtsp_port'])
  const answer = await service.call('POST', '/stream', {
    key: service.bob,
    body: { alias: 'cam', input_url: service.rtspUrl(PATH), stream_type: 'rtsp' },
  })
  sourceId = ((await answer.json()) as { source_uuid: string }).source_uuid
  camera = publishClip(service.rtspUrl(PATH).replace('//', `//bob:${service.bob}@`), { audio: false })
  await until(async () => (await describe(PATH, basic('bob', service.bob))) === 200, 20_000)
  const started = await service.call('POST', `/start?when=live&source_uuid=${sourceId}`, { key: service.bob })
  processId = ((await started.json()) as { process_uuid: string }).process_uuid
})
beforeEach(() => give('watch', 'events'))
afterAll(async () => {
  await camera.kill()
  await service.installation.remove()
})

const asMallory = () => basic('mallory', service.mallory)

async function publish(path: string, headers: Record<string, string>): Promise<{ closed: Promise<unknown> }> {
  const { client, sendVideo } = await startPublisher(rtsp, path, headers)
  const make = createFrameMaker()
  sendVideo(make('key'))
  const timer = setInterval(() => sendVideo(make('key')), 200)
  void client.closed.then(() => clearInterval(timer))
  await until(async () => (await describe(path, basic('admin', service.installation.masterKey))) === 200, 20_000)
  return client
}

async function describe(path: string, headers: Record<string, string>): Promise<number> {
  const client = await connectRtsp(rtsp)
  const { status } = await client.request('DESCRIBE', service.rtspUrl(path), headers)
  client.close()
  return status
}

const RIGHT = () => `/keys/mallory/sources/${sourceId}`
async function give(...rights: string[]): Promise<void> {
  expect((await service.call('PUT', RIGHT(), { body: { rights } })).ok).toBe(true)
}
const ways = {
  'is taken': async () => void expect((await service.call('DELETE', RIGHT())).status).toBe(200),
  'is replaced by another': () => give('control'),
}

async function readByRtmp(): Promise<{ closed: Promise<unknown> }> {
  const client = await createRtmpClient({ port: Number(service.ready['rtmp_port']) })
  expect(await client.play('', `${PATH}?api_key=${service.mallory}`)).toMatchObject({ code: 'NetStream.Play.Reset' })
  onTestFinished(() => client.close())
  return client
}

/** An answer that goes on, until it breaks off. */
async function listen(path: string): Promise<{ closed: Promise<unknown> }> {
  const leaving = new AbortController()
  onTestFinished(() => leaving.abort())
  const headers = { api_key: service.mallory }
  const response = await fetch(`${service.url}${path}`, { headers, signal: leaving.signal })
  expect(response.status).toBe(200)
  return { closed: response.arrayBuffer().catch(() => 'cut off') }
}

async function listenByWebsocket(): Promise<{ closed: Promise<unknown> }> {
  const path = `/process/${processId}/detection_data?api_key=${service.mallory}`
  return connectDetections(`${service.url.replace('http', 'ws')}${path}`)
}

test.each(Object.entries(ways))('who goes on with a right that %s is gone soon', async (_way, lose) => {
  const own = await publish('mallory/own', asMallory())
  const streams = {
    rtsp: (await startReader(rtsp, PATH, asMallory())).client,
    rtmp: await readByRtmp(),
    feed: await listen(`/process/${processId}/feed`),
    events: await listen(`/process/${processId}/events`),
    severalEvents: await listen(`/processes/events?process_uuids=${processId}`),
    websocket: await listenByWebsocket(),
  }
  await lose()
  const left = new Set(Object.keys(streams))
  for (const [name, { closed }] of Object.entries(streams)) void closed.then(() => left.delete(name))
  await until(async () => left.size === 0, SOON_MS)
  let isOwnClosed = false
  void own.closed.then(() => (isOwnClosed = true))
  expect(await describe('mallory/own', asMallory())).toBe(200)
  expect(isOwnClosed).toBe(false)
})

const offer = (kind: 'whep' | 'whip', direction: 'recvonly' | 'sendonly') =>
  fetch(`${service.url}/webrtc/${PATH}/${kind}?api_key=${service.mallory}`, {
    method: 'POST',
    headers: { 'content-type': 'application/sdp' },
    body: webrtcOffer(direction),
  })
/** Whether it was let in: that what it asked for could be given is another matter, on a busy machine too. */
async function isLetIn(answer: Response): Promise<boolean> {
  return answer.ok || ((await answer.json()) as { code: string }).code !== 'stream-not-found'
}
const asks = {
  RTSP: async () => (await describe(PATH, asMallory())) === 200,
  HLS: async () => isLetIn(await fetch(`${service.url}/hls/${PATH}/index.m3u8?api_key=${service.mallory}`)),
  WHEP: async () => isLetIn(await offer('whep', 'recvonly')),
}

test.each(Object.entries(asks))(
  'by %s who may watch is let in, and soon no more when that is taken',
  async (_by, ask) => {
    await until(ask, 20_000)
    await ways['is taken']()
    await until(async () => !(await ask()), SOON_MS)
    await give('events')
    expect(await ask()).toBe(false)
  },
)

test('nobody publishes with a right to watch', async () => {
  await give('watch', 'events', 'control')
  await expect(startPublisher(rtsp, PATH, asMallory())).rejects.toThrow(/got 403/)
  expect((await offer('whip', 'sendonly')).status).toBe(404)
})
