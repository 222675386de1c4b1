/**
 * A camera, named by a child key, answers with a redirect: to an address that the operator denies, to another account's
 * path on our own media server, and to itself in a circle. Tried by /start and by /stream/probe, over RTSP and RTMP.
 */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { writeCommand } from '../../src/media/rtmp/wire/command.ts'
import { type AttackedService, startAttacked } from '../support/attacked-service.ts'
import { type CameraHabit, type FakeCamera, redirectingTo, startFakeCamera } from '../support/fake-camera.ts'
import { type Running, start as startTool } from '../support/ffmpeg.ts'
import { clip } from '../support/process-rig.ts'
import { listen, receive } from '../support/rtmp-receiver.ts'
import { until } from '../support/until.ts'

const DENIED = '127.0.0.66'

let service: AttackedService
let denied: Server
let deniedPort: number
let dials = 0
let bobsCamera: Running
const cameras: FakeCamera[] = []

beforeAll(async () => {
  service = await startAttacked({ AERIE_OUTBOUND_ALLOW: '127.0.0.1/32', AERIE_OUTBOUND_DENY: `${DENIED}/32` })
  denied = createServer((socket) => {
    dials += 1
    socket.destroy()
  })
  denied.listen(0, DENIED)
  await once(denied, 'listening')
  deniedPort = (denied.address() as AddressInfo).port

  const body = { alias: 'yard', input_url: service.rtspUrl('bob/yard'), stream_type: 'rtsp' }
  const { source_uuid: source } = (await call(service.bob, '/stream', body)).answer as { source_uuid: string }
  bobsCamera = startTool(
    'ffmpeg',
    [
      ...['-re', '-stream_loop', '-1', '-i', clip, '-c', 'copy', '-an', '-f', 'rtsp', '-rtsp_transport', 'tcp'],
      service.rtspUrl('bob/yard').replace('//', `//bob:${service.bob}@`),
    ],
    300_000,
  )
  await until(async () => {
    const response = await service.call('GET', `/source/${source}`, { key: service.bob })
    return ((await response.json()) as { status: string }).status === 'streaming'
  }, 20_000)
})
afterEach(async () => {
  dials = 0
  await service.call('DELETE', '/processes', { key: service.mallory })
  for (const camera of cameras.splice(0)) await camera.close()
})
afterAll(async () => {
  await bobsCamera.kill()
  denied.close()
  await service.installation.remove()
})

async function call(key: string, path: string, body?: unknown): Promise<{ status: number; answer: unknown }> {
  const response = await service.call('POST', path, { key, ...(body !== undefined && { body }) })
  return { status: response.status, answer: await response.json() }
}

interface Attempt {
  readonly started: { readonly status: number; readonly answer: unknown }
  readonly looked: { readonly is_readable: boolean; readonly problems: readonly string[] }
}

/** What mallory gets of an address, by both ways at once. */
async function tryAddress(url: string): Promise<Attempt> {
  const probing = call(service.mallory, '/stream/probe', { input_url: url })
  const body = { alias: 'camera', input_url: url, stream_type: url.split(':')[0], record: false }
  const { source_uuid: source } = (await call(service.mallory, '/stream', body)).answer as { source_uuid: string }
  const started = await call(service.mallory, `/start?source_uuid=${source}`)
  return { started, looked: (await probing).answer as Attempt['looked'] }
}

async function aCamera(habit: CameraHabit): Promise<FakeCamera> {
  const camera = await startFakeCamera({ habit })
  cameras.push(camera)
  return camera
}

test('a camera that redirects to a denied address gets nobody to dial it', async () => {
  const { url } = await aCamera(redirectingTo(() => `rtsp://${DENIED}:${deniedPort}/latest/meta-data`))
  const { started, looked } = await tryAddress(url)
  expect(dials).toBe(0)
  expect(started).toMatchObject({ status: 503, answer: { code: 'source-unreadable' } })
  expect(JSON.stringify([started, looked])).toMatch(/127\.0\.0\.66 may not be called.*127\.0\.0\.66 may not be called/)
})

test('neither does one that redirects to the metadata of a cloud', async () => {
  const { url } = await aCamera(redirectingTo(() => 'rtsp://169.254.169.254:80/latest'))
  const { started, looked } = await tryAddress(url)
  expect(started.answer).toMatchObject({
    detail: expect.stringContaining('169.254.169.254 may not be called') as string,
  })
  expect(looked.problems[0]).toContain('169.254.169.254 may not be called')
})

test('neither does one that describes a stream, and redirects when it is set up', async () => {
  const { url } = await aCamera(({ method }, peer) => {
    if (method === 'SETUP') peer.answer(302, [`Location: rtsp://${DENIED}:${deniedPort}/x`])
    return method === 'SETUP'
  })
  const { started, looked } = await tryAddress(url)
  expect([dials, started.status, looked.is_readable]).toEqual([0, 503, false])
})

test('neither does one that asks its client to leave for it while it plays', async () => {
  const { url } = await aCamera(({ method }, peer) => {
    if (method !== 'PLAY') return false
    peer.answer(200)
    peer.write(`REDIRECT * RTSP/1.0\r\nCSeq: 1\r\nLocation: rtsp://${DENIED}:${deniedPort}/x\r\n\r\n`)
    return true
  })
  const { started, looked } = await tryAddress(url)
  expect([dials, started.status < 300, looked.is_readable]).toEqual([0, false, false])
})

test('nor one whose control URLs, base and RTP sources name it', async () => {
  const elsewhere = `rtsp://${DENIED}:${deniedPort}/x`
  const sdp = ['v=0', 's=-', `c=IN IP4 ${DENIED}`, `m=video ${deniedPort} RTP/AVP 96`, 'a=rtpmap:96 H264/90000']
  const { url } = await aCamera(({ method }, peer) => {
    if (method === 'DESCRIBE')
      peer.answer(200, [`Content-Base: ${elsewhere}/`], [...sdp, `a=control:${elsewhere}/1`, ''].join('\r\n'))
    return method === 'DESCRIBE'
  })
  const { started } = await tryAddress(url)
  expect([dials, started.status]).toEqual([0, 400])
})

test('a camera that redirects to another account’s path brings nothing of it', async () => {
  const { url } = await aCamera(redirectingTo(() => service.rtspUrl('bob/yard')))
  const { started, looked } = await tryAddress(url)
  expect(started).toMatchObject({ status: 503, answer: { code: 'source-unreadable' } })
  expect(looked.is_readable).toBe(false)
  expect(looked.problems[0]).toContain('is the media server of this service')
})

test('a camera that redirects to itself is followed three times', async () => {
  const camera: FakeCamera = await aCamera(redirectingTo(() => `${camera.url}?again=${camera.connections}`))
  const { started, looked } = await tryAddress(camera.url)
  expect(started.status).toBe(400)
  expect(looked.problems[0]).toContain('It redirects more than 3 times')
  // Once by each way, and three times more.
  expect(camera.connections).toBe(8)
})

test('an RTMP server that rejects with a redirect gets nobody to dial it', async () => {
  let connections = 0
  const port = await listen((socket) => {
    connections += 1
    receive(socket, ({ name, transactionId }, peer) => {
      if (name !== 'connect') return false
      const redirect = `rtmp://${DENIED}:${deniedPort}/live/x`
      const ex = { code: 302, redirect }
      const information = { level: 'error', code: 'NetConnection.Connect.Rejected', description: redirect, ex }
      peer.send(writeCommand(0, '_error', transactionId, null, information))
      return true
    })
  })
  const { started, looked } = await tryAddress(`rtmp://127.0.0.1:${port}/live/x`)
  expect([dials, connections]).toEqual([0, 2])
  expect([started.status, looked.is_readable]).toEqual([400, false])
})
