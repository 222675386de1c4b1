/**
 * What was still possible with a key or a token that no longer is one: tokens of a revoked key published and read,
 * streams went on after a key was replaced or had expired, a token revoked after DESCRIBE still played, and an upload that had
 * begun was stored for an account that was gone. Of publishers that came to one path at the same moment, those that were taken
 * over before they listened stayed, uncounted, for as long as they sent.
 */
import { existsSync, readdirSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { type AttackedService, createChild, startAttacked } from '../support/attacked-service.ts'
import { expireKey } from '../support/expire-key.ts'
import { announcement, createFrameMaker } from '../builders/h264-rtp.ts'
import { createRtmpClient } from '../support/rtmp-client.ts'
import { deltaTag, keyTag, sendBeginning } from '../support/rtmp-rig.ts'
import { connectRtsp, type RtspClient } from '../support/rtsp-client.ts'
import { basic, expectOk, prepareReader, startPublisher, startReader } from '../support/rtsp-roles.ts'
import { until } from '../support/until.ts'
import { webrtcOffer } from '../builders/webrtc-offer.ts'
import { digestHa1, digestResponse } from '../../src/core/digest.ts'
import { MESSAGE } from '../../src/media/rtmp/wire/message.ts'

let service: AttackedService
let rtsp: number
let rtmp: number
/** Somebody new for each test: the key, and its name. */
let eve: string
let name: string
let count = 0
beforeAll(async () => {
  service = await startAttacked({ AERIE_MEDIA_AUTH: 'always' })
  rtsp = Number(service.ready['rtsp_port'])
  rtmp = Number(service.ready['rtmp_port'])
})
beforeEach(async () => {
  name = `eve${++count}`
  eve = await createChild(service, name)
})
afterAll(() => service.installation.remove())

/** Three seconds, and what a busy machine adds to them. */
const SOON_MS = 9_000
const asEve = () => basic(name, eve)
const asMaster = () => basic('admin', service.installation.masterKey)

/** Ends with the test; until then the stream is sent to. */
async function publishByRtsp(path: string, headers: Record<string, string>): Promise<RtspClient> {
  const { client, sendVideo } = await startPublisher(rtsp, path, headers)
  const make = createFrameMaker()
  sendVideo(make('key'))
  const timer = setInterval(() => sendVideo(make('key')), 200)
  onTestFinished(() => (clearInterval(timer), client.close()))
  await until(async () => (await describe(path)) === 200, 10_000)
  return client
}

async function publishByRtmp(path: string, credentials: string): Promise<{ closed: Promise<void> }> {
  const client = await createRtmpClient({ port: rtmp })
  expect(await client.publish('', `${path}?${credentials}`)).toMatchObject({ code: 'NetStream.Publish.Start' })
  sendBeginning(client)
  let atMs = 0
  const timer = setInterval(() => client.message(MESSAGE.video, ++atMs % 10 ? deltaTag(2) : keyTag(1), atMs * 200), 200)
  onTestFinished(() => (clearInterval(timer), client.close()))
  return client
}

async function describe(path: string): Promise<number> {
  const client = await connectRtsp(rtsp)
  const { status } = await client.request('DESCRIBE', service.rtspUrl(path), asMaster())
  client.close()
  return status
}

/** A reader who proves that it knows the key and never sends it. */
async function readByDigest(path: string): Promise<RtspClient> {
  const client = await connectRtsp(rtsp)
  const uri = service.rtspUrl(path)
  const { headers } = await client.request('DESCRIBE', uri)
  const nonce = /nonce="([^"]+)"/.exec(headers.get('www-authenticate')!)![1]!
  const fields = { kind: 'digest', username: name, realm: 'aerie', nonce, uri, method: 'DESCRIBE' } as const
  const response = digestResponse(digestHa1(name, 'aerie', eve), fields)
  const proof = `Digest username="${name}", realm="aerie", nonce="${nonce}", uri="${uri}", response="${response}"`
  expectOk(await client.request('DESCRIBE', uri, { Authorization: proof }))
  const transport = { Transport: 'RTP/AVP/TCP;unicast;interleaved=0-1' }
  const setUp = await client.request('SETUP', `${uri}/trackID=0`, transport)
  const session = { Session: setUp.headers.get('session')!.split(';')[0]! }
  expectOk(await client.request('PLAY', uri, session))
  return client
}

async function readByRtmp(path: string): Promise<{ closed: Promise<void> }> {
  const client = await createRtmpClient({ port: rtmp })
  expect(await client.play('', `${path}?api_key=${eve}`)).toMatchObject({ code: 'NetStream.Play.Reset' })
  onTestFinished(() => client.close())
  return client
}

async function createToken(
  path: string,
  action: 'publish' | 'read',
): Promise<{ token: string; revoke(): Promise<unknown> }> {
  const stream = { alias: 'cam', input_url: service.rtspUrl(path), stream_type: 'rtsp' }
  const source = await service.call('POST', '/stream', { key: eve, body: stream })
  const { source_uuid: id } = (await source.json()) as { source_uuid: string }
  const answer = await service.call('POST', `/source/${id}/token`, { key: eve, body: { action } })
  expect(answer.status).toBe(201)
  const { token, token_uuid: tokenId } = (await answer.json()) as { token: string; token_uuid: string }
  return { token, revoke: () => service.call('DELETE', `/source/${id}/token/${tokenId}`, { key: eve }) }
}

const yesterday = () => new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
const change = async (method: string, path: string) => {
  expect((await service.call(method, path)).status).toBe(200)
}
const losses = {
  'is replaced': () => change('POST', `/keys/${name}/rotate`),
  'has expired': () => expireKey(service.installation, name, yesterday()),
  'is revoked': () => change('DELETE', `/keys/${name}`),
}

/** Being replaced is not among them: cameras go on by their tokens when a key is changed by schedule. */
const tokenLosses = {
  'is replaced with its tokens': () => change('POST', `/keys/${name}/rotate?revoke_tokens=true`),
  'has expired': losses['has expired'],
  'is revoked': losses['is revoked'],
}

test.each(Object.entries(tokenLosses))('the tokens of a key that %s are good for nothing', async (_loss, lose) => {
  const path = `${name}/cam`
  await publishByRtsp(path, asMaster())
  const [publish, read] = [await createToken(path, 'publish'), await createToken(path, 'read')]
  await lose()

  const client = await connectRtsp(rtsp)
  const url = service.rtspUrl(path)
  expect((await client.request('ANNOUNCE', `${url}?token=${publish.token}`, {}, announcement)).status).toBe(401)
  expect((await client.request('DESCRIBE', `${url}?token=${read.token}`)).status).toBe(401)
  client.close()
  for (const [action, token] of [
    ['publish', publish.token],
    ['play', read.token],
  ] as const) {
    const rtmpClient = await createRtmpClient({ port: rtmp })
    const { code } = await rtmpClient[action]('', `${path}?token=${token}`)
    expect(code).toBe(action === 'publish' ? 'NetStream.Publish.Denied' : 'NetStream.Play.Failed')
  }
  const hls = await fetch(`${service.url}/hls/${path}/index.m3u8?token=${read.token}`)
  const [whep, whip] = await Promise.all([
    offer(`${path}/whep?token=${read.token}`, 'recvonly'),
    offer(`${path}/whip?token=${publish.token}`, 'sendonly'),
  ])
  expect([hls.status, whep.status, whip.status]).toEqual([403, 403, 403])
})

test('tokens outlive a key that is replaced, which is told; who streams by one that is revoked later is gone soon', async () => {
  const path = `${name}/cam`
  const publish = await createToken(path, 'publish')
  const read = await createToken(path, 'read')
  const rotate = async (query = '') =>
    (await service.call('POST', `/keys/${name}/rotate${query}`)).json() as Promise<{ source_tokens: number }>
  expect(await rotate()).toMatchObject({ source_tokens: 2 })
  const publisher = await publishByRtsp(path, basic(name, publish.token))
  const { client: reader } = await startReader(rtsp, path, basic(name, read.token))
  expect(await rotate('?revoke_tokens=true')).toMatchObject({ source_tokens: 0 })
  const ended = Promise.all([publisher.closed, reader.closed]).then(() => 'gone')
  expect(await Promise.race([ended, later(SOON_MS)])).toBe('gone')
})

const offer = (path: string, direction: 'recvonly' | 'sendonly') =>
  fetch(`${service.url}/webrtc/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/sdp' },
    body: webrtcOffer(direction),
  })

test.each(Object.entries(losses))('who publishes or reads with a key that %s is gone soon', async (_loss, lose) => {
  const path = `${name}/cam`
  await publishByRtsp(path, asMaster())
  const streams = [
    await publishByRtsp(`${name}/rtsp`, asEve()),
    await publishByRtmp(`${name}/rtmp`, `api_key=${eve}`),
    (await startReader(rtsp, path, asEve())).client,
    await readByDigest(path),
    await readByRtmp(path),
  ]
  await lose()
  const lostAt = performance.now()
  const ends = await Promise.race([
    Promise.all(streams.map(async ({ closed }) => (await closed, performance.now() - lostAt))),
    later(SOON_MS + 10_000),
  ])
  expect(ends).toHaveLength(streams.length)
  expect(Math.max(...(ends as number[]))).toBeLessThan(SOON_MS)
})

test.each([
  { step: 'SETUP', isSetUp: false },
  { step: 'PLAY', isSetUp: true },
])('a token that was revoked meanwhile does not get past $step', async ({ isSetUp }) => {
  const path = `${name}/cam`
  await publishByRtsp(path, asMaster())
  const issued = await createToken(path, 'read')
  if (isSetUp) {
    const reader = await prepareReader(rtsp, path, basic(name, issued.token))
    await issued.revoke()
    expect((await reader.play()).status).toBe(401)
    return reader.client.closed
  }
  const client = await connectRtsp(rtsp)
  const url = service.rtspUrl(path)
  expectOk(await client.request('DESCRIBE', url, basic(name, issued.token)))
  await issued.revoke()
  const setUp = await client.request('SETUP', `${url}/trackID=0`, { Transport: 'RTP/AVP/TCP' })
  expect(setUp.status).toBe(401)
  await client.closed
})

test.each(['SETUP', 'RECORD'])('a key that was replaced meanwhile does not get past %s', async (step) => {
  const client = await connectRtsp(rtsp)
  const url = service.rtspUrl(`${name}/cam`)
  const transport = { Transport: 'RTP/AVP/TCP;unicast;interleaved=0-1;mode=record' }
  expectOk(await client.request('ANNOUNCE', url, asEve(), announcement))
  if (step === 'RECORD') expectOk(await client.request('SETUP', `${url}/streamid=0`, transport))
  await losses['is replaced']()
  const asked = client.request(step, step === 'SETUP' ? `${url}/streamid=0` : url, transport)
  // The server may have heard of it first, and closed the connection.
  expect(await asked.then(({ status }) => status).catch(() => 'closed')).toBeOneOf([401, 'closed'])
  await client.closed
})

test.each(Object.entries(losses))(
  'an upload with a key that %s is refused soon in a sentence, and nothing is stored',
  async (_loss, lose) => {
    const upload = request(`${service.url}/video`, {
      method: 'POST',
      headers: { api_key: eve, 'content-type': 'multipart/form-data; boundary=b' },
    })
    const ended = new Promise<unknown>((resolve) => {
      upload.on('response', (response) => resolve(json(response)))
      upload.on('error', () => resolve('cut off'))
    })
    upload.write('--b\r\nContent-Disposition: form-data; name="file"; filename="a.mp4"\r\n\r\n')
    const timer = setInterval(() => upload.write(Buffer.alloc(1000)), 200)
    onTestFinished(() => (clearInterval(timer), void upload.destroy()))
    await until(async () => incomingFiles().length === 1, 10_000)
    await lose()
    expect(await Promise.race([ended, later(SOON_MS)])).toMatchObject({
      status: 403,
      code: expect.stringMatching(/^api-key-/),
      detail: expect.stringMatching(/\.$/),
    })
    await until(async () => incomingFiles().length === 0, 10_000)
  },
)

function incomingFiles(): string[] {
  const folder = join(service.installation.dataDir, 'videos', 'incoming')
  return existsSync(folder) ? readdirSync(folder) : []
}

const later = (ms: number) => new Promise<string>((resolve) => setTimeout(() => resolve(`open after ${ms} ms`), ms))

test('of publishers that come to one path at the same moment one stays, until its key is gone', async () => {
  const path = `${name}/rush`
  const clients = await Promise.all(Array.from({ length: 6 }, () => connectRtsp(rtsp)))
  onTestFinished(() => clients.forEach((client) => client.close()))
  const headers = { ...asEve(), 'Content-Type': 'application/sdp' }
  await Promise.all(
    clients.map((client) =>
      client.request('ANNOUNCE', service.rtspUrl(path), headers, announcement).catch(() => undefined),
    ),
  )
  const open = new Set(clients)
  for (const client of clients) void client.closed.then(() => open.delete(client))
  await until(async () => open.size <= 1, SOON_MS)
  expect(open.size).toBe(1)
  await losses['is revoked']()
  await until(async () => open.size === 0, SOON_MS)
})
