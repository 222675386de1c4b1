import { appendFileSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type FakeCameraOptions, startFakeCamera } from '../support/fake-camera.ts'
import { start as startTool } from '../support/ffmpeg.ts'
import { clip, createProcessRig, type ProcessRig, type Refusal } from '../support/process-rig.ts'
import { until } from '../support/until.ts'

let rig: ProcessRig
beforeAll(async () => void (rig = await createProcessRig()))
afterEach(() => rig.clear())
afterAll(() => rig.remove())

async function registerAddress(url: string): Promise<string> {
  // Not recorded, so that it is called when a process wants it.
  const body = { alias: url, input_url: url, stream_type: url.split(':')[0], record: false }
  return (await rig.ask<{ source_uuid: string }>('POST', '/stream', { body })).source_uuid
}

test('a source that is not live, or not there, is refused at once', async () => {
  const answer = await rig.tryStart(await rig.register('silent'))
  expect(answer).toMatchObject({
    status: 400,
    code: 'source-not-live',
    detail: expect.stringContaining('Nothing is being published to admin/silent;') as string,
  })
  expect(await rig.tryStart('01890000-0000-7000-8000-000000000000')).toMatchObject({
    status: 404,
    code: 'source-not-found',
  })
  expect(await rig.tryStart('camera')).toMatchObject({ status: 422 })
  expect(await rig.ask('GET', '/processes')).toEqual([])
})

const mjpegSdp = ['v=0', 'o=- 0 0 IN IP4 127.0.0.1', 's=-', 't=0 0', 'm=video 0 RTP/AVP 26', 'a=control:0', '']

test.each<[string, FakeCameraOptions, number, string, string]>([
  ['says nothing', { habit: () => true }, 400, 'source-not-live', ''],
  ['sends no picture', {}, 400, 'source-not-live', ''],
  [
    'sends MJPEG',
    { sdp: mjpegSdp.join('\r\n') },
    503,
    'source-unreadable',
    'The video is mjpeg; set the sender to H.264',
  ],
])('a camera that %s is refused in bounded time', async (_name, options, status, code, sentence) => {
  const camera = await startFakeCamera(options)
  try {
    const startMs = Date.now()
    const answer = await rig.tryStart(await registerAddress(camera.url))
    expect(answer).toMatchObject({ status, code, detail: expect.stringContaining(sentence) as string })
    expect(Date.now() - startMs).toBeLessThan(15_000)
    expect(rig.workers()).toEqual([])
    expect(await rig.ask('GET', '/processes')).toEqual([])
  } finally {
    await camera.close()
  }
})

test('an RTMP server whose video is neither H.264 nor H.265 is refused with the codec', async () => {
  const port = await freePort()
  const url = `rtmp://127.0.0.1:${port}/live/old`
  const server = startTool('ffmpeg', [
    ...['-re', '-f', 'lavfi', '-i', 'testsrc2=size=320x240:rate=10', '-c:v', 'flv1', '-g', '10'],
    ...['-f', 'flv', '-listen', '1', url],
  ])
  const sourceId = await registerAddress(url)
  let answer: Refusal | undefined
  // It serves one client, and is not there at once.
  await until(async () => (answer = await rig.tryStart(sourceId)).code === 'source-unreadable', 15_000)
  expect(answer!.detail).toContain('The video is flv1; set the sender to H.264 or H.265.')
  await server.kill()
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

test.each([
  ['rtsp://no-such-host.invalid/camera', 400, /no host no-such-host.invalid/],
  ['rtsp://127.0.0.1:9/camera', 400, /cannot be opened/],
])('%s is told of', async (url, status, sentence) => {
  const answer = await rig.tryStart(await registerAddress(url))
  expect(answer.status).toBe(status)
  expect(answer.detail).toMatch(sentence)
})

const encoded = (size: string) => [
  ...['-re', '-stream_loop', '-1', '-i', clip, '-vf', `scale=${size}`, '-an'],
  ...['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-g', '7'],
]

test('a stream that comes back in another size goes on', async () => {
  const { sourceId, publisher } = await rig.goLive('resized', { input: encoded('640:360') })
  const started = await rig.start(sourceId)
  const socket = await rig.connect(started)
  await socket.more(10)
  await publisher.kill()
  rig.publish('resized', { input: encoded('1280:720') })
  await until(async () => socket.messages.at(-1)!.frame.width === 1280, 10_000)
  const messages = await socket.more(10)
  expect(messages.every(({ frame }) => frame.width === 1280 && frame.height === 720)).toBe(true)
  expect(messages.at(-1)!.active_tracks.length).toBeGreaterThan(0)
  expect(await rig.info(started.process_uuid)).toMatchObject({ state: 'running', restarts: 0 })
})

test('a stream that changes its size in the middle goes on', async () => {
  const parts: string[] = []
  for (const size of ['640:360', '1280:720', '320:180']) {
    const part = join(rig.folder, `${size.replace(':', 'x')}.h264`)
    const args = encoded(size).filter((arg) => arg !== '-re' && arg !== '-stream_loop' && arg !== '-1')
    await startTool('ffmpeg', ['-y', ...args, '-t', '3', '-f', 'h264', part]).finished
    parts.push(part)
  }
  // Over and over in the file itself: ffmpeg reads a bare H.264 file once, whatever -stream_loop says.
  const file = join(rig.folder, 'changing.h264')
  for (let round = 0; round < 10; round++) for (const part of parts) appendFileSync(file, readFileSync(part))
  const input = ['-re', '-framerate', '7', '-f', 'h264', '-i', file, '-c', 'copy']
  const { sourceId } = await rig.goLive('changing', { input })
  const started = await rig.start(sourceId)
  const socket = await rig.connect(started)
  const widths = () => new Set(socket.messages.map(({ frame }) => frame.width))
  await until(async () => widths().size === 3)
  expect(await rig.info(started.process_uuid)).toMatchObject({ state: 'running', restarts: 0 })
})
