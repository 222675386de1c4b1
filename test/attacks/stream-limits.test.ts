/**
 * What one key could take for itself: a key that may have no source at all published three streams, and any key as many
 * HLS workers and WebRTC sessions as the machine has room for.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AttackedService, createChild, startAttacked } from '../support/attacked-service.ts'
import { type Running, start } from '../support/ffmpeg.ts'
import { announcement } from '../builders/h264-rtp.ts'
import { createRtmpClient } from '../support/rtmp-client.ts'
import { connectRtsp, type RtspClient } from '../support/rtsp-client.ts'
import { basic } from '../support/rtsp-roles.ts'
import { until } from '../support/until.ts'
import { webrtcOffer } from '../builders/webrtc-offer.ts'

let service: AttackedService
let rtsp: number
const clients: { close(): void }[] = []
const publishers: Running[] = []
beforeAll(async () => {
  service = await startAttacked()
  rtsp = Number(service.ready['rtsp_port'])
})
afterAll(async () => {
  for (const client of clients) client.close()
  for (const publisher of publishers) await publisher.kill()
  await service.installation.remove()
})

async function announce(path: string, username: string, key: string) {
  const client: RtspClient = await connectRtsp(rtsp)
  clients.push(client)
  return client.request('ANNOUNCE', service.rtspUrl(path), basic(username, key), announcement)
}

async function publishByRtmp(path: string, key: string) {
  const client = await createRtmpClient({ port: Number(service.ready['rtmp_port']) })
  clients.push(client)
  return client.publish('', `${path}?api_key=${key}`)
}

async function offer(path: string, kind: 'whep' | 'whip', key: string) {
  const answer = await fetch(`${service.url}/webrtc/${path}/${kind}`, {
    method: 'POST',
    headers: { 'content-type': 'application/sdp', api_key: key },
    body: webrtcOffer(kind === 'whep' ? 'recvonly' : 'sendonly'),
  })
  const problem = answer.status === 201 ? {} : ((await answer.json()) as { code: string; detail: string })
  return { status: answer.status, ...problem }
}

/** A camera, small and slow enough for a busy machine; resolves when it is live. */
async function publishVideo(path: string, username: string, key: string): Promise<void> {
  const url = service.rtspUrl(path).replace('//', `//${username}:${key}@`)
  const input = ['-re', '-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=10', '-pix_fmt', 'yuv420p']
  const encoder = ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-g', '10']
  publishers.push(start('ffmpeg', [...input, ...encoder, '-f', 'rtsp', '-rtsp_transport', 'tcp', url]))
  await until(async () => {
    const client = await connectRtsp(rtsp)
    const { status } = await client.request('DESCRIBE', service.rtspUrl(path), basic(username, key))
    client.close()
    return status === 200
  }, 20_000)
}

test('a key that may have no source publishes nothing, and is told so', async () => {
  const key = await createChild(service, 'none', { max_sources: 0 })
  const sentence = 'As many streams are being published as the key of none allows (max_sources: 0); stop one first.'
  const byRtsp = await announce('none/one', 'none', key)
  expect([byRtsp.status, byRtsp.reason]).toEqual([403, sentence])
  expect(await publishByRtmp('none/two', key)).toMatchObject({
    code: 'NetStream.Publish.Denied',
    description: sentence,
  })
  expect(await offer('none/three', 'whip', key)).toMatchObject({
    status: 403,
    code: 'published-stream-limit-reached',
    detail: sentence,
  })
})

test('of many that come at once, as many publish as the key allows, whatever they speak', async () => {
  const key = await createChild(service, 'two', { max_sources: 2 })
  const accepted = await Promise.all([
    ...[1, 2, 3].map(async (i) => (await announce(`two/rtsp${i}`, 'two', key)).status === 200),
    ...[1, 2, 3].map(async (i) => (await publishByRtmp(`two/rtmp${i}`, key)).code === 'NetStream.Publish.Start'),
    ...[1, 2].map(async (i) => (await offer(`two/whip${i}`, 'whip', key)).status === 201),
    // The master's publications below this name count too.
    ...[1, 2].map(async (i) => (await announce(`two/m${i}`, 'admin', service.installation.masterKey)).status === 200),
  ])
  expect(accepted.filter(Boolean)).toHaveLength(2)
})

test('a key has so many streams made into HLS, and so many WebRTC sessions, and no more', async () => {
  const key = await createChild(service, 'watcher', { max_hls_streams: 1, max_webrtc_sessions: 1 })
  await publishVideo('watcher/one', 'watcher', key)
  await publishVideo('watcher/two', 'watcher', key)

  const hls = (path: string) => service.call('GET', `/hls/${path}/index.m3u8`, { key })
  expect((await hls('watcher/one')).status).toBe(200)
  const refused = await hls('watcher/two')
  expect([refused.status, await refused.json()]).toEqual([
    403,
    expect.objectContaining({
      code: 'hls-stream-limit-reached',
      detail: expect.stringContaining('by HLS as the key of watcher allows (max_hls_streams: 1)') as string,
    }),
  ])
  expect((await hls('watcher/one')).status).toBe(200)

  const outcomes = await Promise.all([1, 2, 3].map(() => offer('watcher/one', 'whep', key)))
  expect(outcomes.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(outcomes.find(({ status }) => status !== 201)).toMatchObject({
    status: 403,
    code: 'webrtc-session-limit-reached',
    detail: expect.stringContaining('sessions as the key of watcher allows (max_webrtc_sessions: 1)') as string,
  })
})
