import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Certificate } from '../../src/core/certificate.ts'
import { systemClock } from '../../src/core/clock.ts'
import { createHub, type Hub, type HubEvent } from '../../src/media/hub.ts'
import { MediaRefusal } from '../../src/media/refusal.ts'
import { createRtmpServer, type RtmpServerOptions } from '../../src/media/rtmp/server/server.ts'
import { type CollectingReader, createCollectingReader } from '../builders/collecting-reader.ts'
import { createSelfSigned } from '../builders/self-signed.ts'

const KEY = 'ak_0123456789abcdef'
const OPEN = { remoteAddress: '127.0.0.1', protocol: 'rtmp', credentials: { kind: 'none' } } as const
const FRAMES = 150
const FPS = 25
/** Every warning of FFmpeg counts, and the first error ends it. */
const STRICT = ['-v', 'warning', '-xerror', '-err_detect', 'explode']
const PICTURE = `testsrc=size=640x360:rate=${FPS}`
const SOUND = 'sine=frequency=440:sample_rate=44100'

let folder: string
const cleanups: (() => unknown)[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'aerie-rtmp-'))
  const input = ['-y', '-f', 'lavfi', '-i', PICTURE, '-f', 'lavfi', '-i', SOUND, '-t', String(FRAMES / FPS)]
  const h264 = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-preset', 'veryfast', '-g', '25', '-bf', '3']
  const h265 = ['-an', '-c:v', 'libx265', '-pix_fmt', 'yuv420p', '-preset', 'ultrafast']
  await succeeds(ffmpeg('-v', 'error', ...input, ...h264, '-c:a', 'aac', join(folder, 'h264.mkv')))
  const x265 = ['-x265-params', 'log-level=none:keyint=25:bframes=3']
  await succeeds(ffmpeg('-v', 'error', ...input, ...h265, ...x265, join(folder, 'h265.mkv')))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

interface Rig {
  readonly hub: Hub
  readonly events: HubEvent[]
  readonly port: number
  /** Resolves with the next event of this kind. */
  next(type: HubEvent['type']): Promise<HubEvent>
}

async function createRig(options: Partial<RtmpServerOptions> = {}, certificate?: Certificate): Promise<Rig> {
  const events: HubEvent[] = []
  let wake = () => {}
  const hub = createHub({
    async authorize(action, _path, { credentials }) {
      if (action === 'read') return { principal: 'reader' }
      if (credentials.kind === 'key' && credentials.key === KEY) return { principal: 'admin' }
      throw new MediaRefusal('credentials-wrong', 'The key is wrong.')
    },
    onEvent(event) {
      events.push(event)
      wake()
    },
  })
  const log = { info: () => undefined, warn: (fields: unknown, text: string) => console.warn(text, fields) }
  const server = createRtmpServer({ hub, host: '127.0.0.1', log, ...options })
  const secureContext = certificate && createSecureContext(certificate)
  const port = await server.listen({ port: 0, ...(secureContext && { secureContext: () => secureContext }) })
  cleanups.push(() => server.close())
  return {
    hub,
    events,
    port,
    async next(type) {
      for (;;) {
        const event = events.shift()
        if (event?.type === type) return event
        if (!event) await new Promise<void>((resolve) => (wake = resolve))
      }
    },
  }
}

interface Run {
  readonly child: ChildProcess
  readonly ended: Promise<{ code: number | null; output: string; errors: string }>
}

function run(command: string, ...args: readonly string[]): Run {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  cleanups.push(() => child.kill('SIGKILL'))
  let output = ''
  let errors = ''
  child.stdout.on('data', (data: Buffer) => (output += data.toString()))
  child.stderr.on('data', (data: Buffer) => (errors += data.toString()))
  const ended = new Promise<Awaited<Run['ended']>>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, output, errors }))
  })
  return { child, ended }
}

const ffmpeg = (...args: readonly string[]) => run('ffmpeg', '-nostdin', '-hide_banner', ...args)
const nodeAv = (...args: readonly string[]) =>
  run(process.execPath, join(import.meta.dirname, 'node-av-rtmp.mjs'), ...args)

/** Ends well and without a word of complaint. */
async function succeeds({ ended }: Run): Promise<string> {
  const { code, output, errors } = await ended
  expect({ code, errors }).toEqual({ code: 0, errors: '' })
  return output
}

const publishFile = (url: string, file = 'h264.mkv') =>
  ffmpeg('-v', 'error', '-re', '-i', join(folder, file), '-c', 'copy', '-f', 'flv', url)

/** The checksums of all pictures, in the order of presentation. */
const checksums = (framemd5: string) =>
  framemd5
    .split('\n')
    .filter((line) => line.startsWith('0,'))
    .map((line) => line.split(',').at(-1)!.trim())

async function collect({ hub }: Rig, path: string): Promise<CollectingReader> {
  const subscription = await hub.subscribe(path, OPEN)
  const reader = createCollectingReader(subscription.description)
  subscription.start(reader)
  return reader
}

describe('ffmpeg', () => {
  test('publishes H.264 with B-frames and AAC: every frame arrives at the hub, with right times', async () => {
    const rig = await createRig()
    const publisher = publishFile(`rtmp://127.0.0.1:${rig.port}/admin/cam1?api_key=${KEY}`)
    await rig.next('live')
    const reader = await collect(rig, 'admin/cam1')
    await succeeds(publisher)
    await rig.next('gone')

    expect(reader.pictures).toHaveLength(FRAMES)
    expect(reader.pictures.some(({ isAfterLoss }) => isAfterLoss)).toBe(false)
    const first = reader.pictures[0]!.timestamp
    const times = reader.pictures.map(({ timestamp }) => ((timestamp - first) | 0) / 90)
    const shown = [...times].sort((a, b) => a - b)
    expect(shown).not.toEqual(times)
    for (const [index, ms] of shown.entries()) expect(ms).toBeCloseTo((index * 1000) / FPS, -0.5)

    const soundSteps = reader.sounds
      .slice(1)
      .map(({ timestamp }, index) => (timestamp - reader.sounds[index]!.timestamp) | 0)
    expect(new Set(soundSteps)).toEqual(new Set([1024]))
    // No picture was taken after it came, but for what a report may be behind the estimate (10 ms) and rounding; most came
    // not long before. A busy machine gets to one or the other late.
    const [report] = reader.reports.filter(({ track }) => track === 0).slice(-1)
    const steadyToWallMs = Date.now() - systemClock.steady()
    const ages = reader.pictures.slice(FPS).map(({ timestamp, receivedAtMs }) => {
      const takenAtMs = report!.wallClockMs + ((timestamp - report!.timestamp) | 0) / 90
      return receivedAtMs + steadyToWallMs - takenAtMs
    })
    expect(Math.min(...ages)).toBeGreaterThan(-15)
    expect(ages.toSorted((a, b) => a - b)[Math.floor(ages.length / 2)]).toBeLessThan(500)
  })

  test('reads it back without a complaint, and picture for picture', async () => {
    const rig = await createRig()
    const url = `rtmp://127.0.0.1:${rig.port}/admin/site/cam`
    const publisher = publishFile(`${url}?api_key=${KEY}`)
    await rig.next('live')
    const pictures = ['-map', '0:v', '-fps_mode', 'passthrough', '-f', 'framemd5', '-']
    const readers = [url, url].map((address) => ffmpeg(...STRICT, '-i', address, '-frames:v', '60', ...pictures))
    const original = checksums(await succeeds(ffmpeg('-v', 'error', '-i', join(folder, 'h264.mkv'), ...pictures)))
    for (const reader of readers) {
      const read = checksums(await succeeds(reader))
      expect(read).toHaveLength(60)
      const start = original.indexOf(read[0]!)
      // Late readers begin with a keyframe, which is every 25th picture.
      expect(start % 25).toBe(0)
      expect(original.slice(start, start + 60)).toEqual(read)
    }
    await succeeds(publisher)
  })

  test('hears the sound, too', async () => {
    const rig = await createRig()
    const url = `rtmp://127.0.0.1:${rig.port}/admin/cam`
    publishFile(`${url}?api_key=${KEY}`)
    await rig.next('live')
    const sound = ['-map', '0:a', '-t', '2', '-af', 'volumedetect', '-f', 'null', '-']
    const { code, errors } = await ffmpeg('-v', 'info', '-i', url, ...sound).ended
    expect(code).toBe(0)
    expect(errors).toContain('Audio: aac (LC), 44100 Hz, mono')
    expect(errors).toMatch(/mean_volume: -2\d\.\d dB/)
  })

  test('is told in words why it may not publish', async () => {
    const rig = await createRig()
    const { code, errors } = await publishFile(`rtmp://127.0.0.1:${rig.port}/admin/cam?api_key=wrong`).ended
    expect(code).not.toBe(0)
    expect(errors).toContain('The key is wrong.')
  })

  test('is told that nobody publishes', async () => {
    const rig = await createRig()
    const { code, errors } = await ffmpeg('-i', `rtmp://127.0.0.1:${rig.port}/admin/cam`, '-f', 'null', '-').ended
    expect(code).not.toBe(0)
    expect(errors).toContain('Nothing is being published to admin/cam')
  })

  test('ends well when the publisher leaves', async () => {
    const rig = await createRig()
    const url = `rtmp://127.0.0.1:${rig.port}/admin/cam`
    const publisher = publishFile(`${url}?api_key=${KEY}`)
    await rig.next('live')
    const reader = ffmpeg(...STRICT, '-i', url, '-f', 'null', '-')
    await succeeds(publisher)
    await succeeds(reader)
  })

  test('publishes and reads by RTMPS', async () => {
    const rig = await createRig({}, createSelfSigned())
    const url = `rtmps://127.0.0.1:${rig.port}/admin/cam`
    const publisher = publishFile(`${url}?api_key=${KEY}`)
    await rig.next('live')
    await succeeds(ffmpeg(...STRICT, '-i', url, '-frames:v', '30', '-f', 'null', '-'))
    await succeeds(publisher)
  })
})

describe('FFmpeg 8 with enhanced RTMP', () => {
  test('publishes H.265 and decodes it again', async () => {
    const rig = await createRig()
    const url = `rtmp://127.0.0.1:${rig.port}/admin/hevc`
    const publisher = nodeAv('publish', join(folder, 'h265.mkv'), `${url}?api_key=${KEY}`)
    expect(await rig.next('live')).toMatchObject({ description: { tracks: [{ codec: 'h265' }] } })
    const collected = await collect(rig, 'admin/hevc')
    const output = await succeeds(nodeAv('decode', url, '60'))
    expect(JSON.parse(output)).toEqual({ frames: 60, width: 640, height: 360 })
    expect((await publisher.ended).code).toBe(0)
    await rig.next('gone')
    expect(collected.pictures).toHaveLength(FRAMES)
  })
})
