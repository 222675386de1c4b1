import { once } from 'node:events'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type AccessRequest } from '../../src/media/access.ts'
import { createConnectionAdmission } from '../../src/media/connection-admission.ts'
import { publish, start, watch, type PublisherOptions, type Running } from '../support/ffmpeg.ts'
import { authorize } from '../builders/media-access.ts'
import { connectRtsp } from '../support/rtsp-client.ts'
import { startRtspServer, type TestRtspServer, type TestRtspServerOptions } from '../support/rtsp-server.ts'
import { createSelfSigned } from '../builders/self-signed.ts'

let server: TestRtspServer
const running: Running[] = []
const asked: AccessRequest[] = []

async function serve(options: TestRtspServerOptions = {}): Promise<void> {
  server = await startRtspServer({
    authorize: (action, path, request, isAgain) => {
      if (!isAgain) asked.push(request)
      return authorize(action, path, request, isAgain)
    },
    ...options,
  })
}

beforeEach(() => serve())
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.kill()))
  await server.close()
  asked.length = 0
})

const urlOf = (path: string, userinfo = 'ada:secret@', scheme = 'rtsp') =>
  `${scheme}://${userinfo}127.0.0.1:${server.port}/${path}`

async function startPublisher(url: string, options?: PublisherOptions): Promise<Running> {
  const publisher = publish(url, options)
  running.push(publisher)
  const path = /\/(\w+\/\w+)(\?|$)/.exec(url)![1]
  await server.until((hub) => hub.list().some((one) => one.path === path && one.isLive))
  return publisher
}

/** The reader decoded everything, and had nothing to complain about. */
async function expectClean(reader: Running): Promise<void> {
  const { code, complaints } = await reader.finished
  expect(complaints).toBe('')
  expect(code).toBe(0)
}

test.each([
  ['tcp', 'tcp'],
  ['tcp', 'udp'],
  ['udp', 'tcp'],
  ['udp', 'udp'],
] as const)('published by %s, read by %s: no decoder complains', async (from, to) => {
  await startPublisher(urlOf('ada/cam'), { transport: from })
  const early = watch(urlOf('ada/cam'), to, 3)
  await expectClean(early)
  const late = watch(urlOf('ada/cam'), to, 2)
  await expectClean(late)
})

test.each(['tcp', 'udp'] as const)(
  'with ten seconds between keyframes, a reader by %s begins at once and with one',
  async (transport) => {
    const video = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '300', '-sc_threshold', '0']
    await startPublisher(urlOf('ada/cam'), { video })
    await new Promise((resolve) => setTimeout(resolve, 3000))
    await expectClean(watch(urlOf('ada/cam'), transport, 2))
    const probe = start('ffprobe', [
      ...['-rtsp_transport', transport, '-select_streams', 'v', '-show_entries', 'frame=key_frame'],
      ...['-read_intervals', '%+#1', '-of', 'csv=p=0', urlOf('ada/cam')],
    ])
    const { output, complaints } = await probe.finished
    expect([output.trim().split('\n')[0], complaints]).toEqual(['1', ''])
  },
)

test.each([
  ['H.265', ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none:keyint=30']],
  ['H.264 with B-frames', ['-c:v', 'libx264', '-preset', 'superfast', '-bf', '2', '-g', '30']],
  [
    'H.264 with parameter sets in band',
    ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '30', '-bsf:v', 'dump_extra'],
  ],
])('%s', async (_name, video) => {
  await startPublisher(urlOf('ada/cam'), { video, audio: false })
  await expectClean(watch(urlOf('ada/cam'), 'tcp', 3))
  await expectClean(watch(urlOf('ada/cam'), 'udp', 2))
})

test('a stream with intra refresh, which has no keyframes, can be joined late', async () => {
  const video = ['-c:v', 'libx264', '-preset', 'ultrafast', '-x264-params', 'intra-refresh=1:keyint=15']
  await startPublisher(urlOf('ada/cam'), { video, audio: false })
  await new Promise((resolve) => setTimeout(resolve, 3000))
  // The first pictures are incomplete and the decoder says so; what counts is that pictures come, and soon.
  const args = ['-rtsp_transport', 'tcp', '-i', urlOf('ada/cam'), '-frames:v', '20', '-f', 'null', '-']
  const { code } = await start('ffmpeg', args).finished
  expect(code).toBe(0)
})

test('ffmpeg comes in by Digest, and with a wrong password not at all', async () => {
  await startPublisher(urlOf('ada/cam'))
  await expectClean(watch(urlOf('ada/cam', 'eve:evil@'), 'tcp', 1))
  expect(asked.map(({ credentials }) => credentials.kind)).toEqual(['none', 'digest', 'none', 'digest'])
  const { code, complaints } = await watch(urlOf('ada/cam', 'eve:guess@'), 'tcp', 1).finished
  expect(code).not.toBe(0)
  expect(complaints).toContain('401 Unauthorized')
})

test('keys and tokens in the URL let in publishers and readers', async () => {
  await startPublisher(`${urlOf('ada/cam', '')}?api_key=key-of-ada`)
  await expectClean(watch(`${urlOf('ada/cam', '')}?token=token-of-eve`, 'udp', 1))
})

test('a second publisher is told that the path is in use; the same one coming back takes over', async () => {
  const first = await startPublisher(urlOf('shared/cam'))
  const { code, complaints } = await publish(urlOf('shared/cam', 'eve:evil@')).finished
  expect(code).not.toBe(0)
  expect(complaints).toContain('409 Somebody else is publishing to')
  await expectClean(watch(urlOf('shared/cam'), 'tcp', 1))

  await startPublisher(urlOf('shared/cam'))
  expect((await first.finished).code).not.toBe(0)
  await server.until((hub) => hub.list()[0]?.isLive === true)
  await expectClean(watch(urlOf('shared/cam'), 'tcp', 1))
})

test('readers learn that the publisher has gone', async () => {
  const publisher = await startPublisher(urlOf('ada/cam'))
  const readers = [watch(urlOf('ada/cam'), 'tcp', 50), watch(urlOf('ada/cam'), 'udp', 50)]
  running.push(...readers)
  await Promise.all(readers.map((reader) => once(reader.process.stdout!, 'data')))
  publisher.process.kill('SIGTERM')
  for (const reader of readers) expect(await reader.finished).toMatchObject({ code: 0 })
  expect(server.hub.list()).toEqual([])
})

test('a power cut on both sides leaves nothing behind', async () => {
  const publisher = await startPublisher(urlOf('ada/cam'), { transport: 'udp' })
  const readers = [watch(urlOf('ada/cam'), 'tcp', 50), watch(urlOf('ada/cam'), 'udp', 50)]
  await server.until((hub) => hub.list()[0]!.readers === 2)
  await Promise.all(readers.map((reader) => reader.kill()))
  await server.until((hub) => hub.list()[0]!.readers === 0)
  await publisher.kill()
  await server.until((hub) => hub.list().length === 0)
  await server.until(() => !process.getActiveResourcesInfo().includes('UDPWrap'))
})

test('by RTSPS media stay in the connection, also of clients that would rather have UDP', async () => {
  await server.close()
  await serve({ certificate: createSelfSigned() })
  const url = urlOf('ada/cam', 'ada:secret@', 'rtsps')
  await startPublisher(url)
  await expectClean(watch(url, 'tcp', 2))
  await expectClean(start('ffmpeg', ['-xerror', '-i', url, '-t', '1', '-f', 'null', '-']))
})

test('a thousand silent connections do not disturb a stream', async () => {
  await server.close()
  await serve({ admission: createConnectionAdmission({ maxPerAddress: 1500, maxPendingPerAddress: 1500 }) })
  await startPublisher(urlOf('ada/cam'))
  const reader = watch(urlOf('ada/cam'), 'tcp', 4)
  const silent = await Promise.all(Array.from({ length: 1000 }, () => connectRtsp(server.port)))
  await expectClean(reader)
  for (const client of silent) client.close()
})
