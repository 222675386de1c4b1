/** Other people's RTMP servers, which are FFmpeg here, read into the hub by our own client. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createHub } from '../../src/media/hub.ts'
import { type ReadRtmpOptions, readRtmpStream } from '../../src/media/rtmp/client/stream-reader.ts'
import { RtmpUnreadableError } from '../../src/media/rtmp/client/server-sentence.ts'
import { createRtmpServer } from '../../src/media/rtmp/server/server.ts'
import { splitByStartCodes } from '../../src/media/rtp/annex-b.ts'
import { isH264Slice } from '../../src/media/rtp/h264-nal-unit.ts'
import { isH265Slice } from '../../src/media/rtp/h265-nal-unit.ts'
import { createCollectingReader } from '../builders/collecting-reader.ts'
import { freePort } from '../support/free-port.ts'

const ANYBODY = { remoteAddress: '127.0.0.1', protocol: 'rtmp', credentials: { kind: 'none' } } as const
const FRAMES = 100
const FPS = 25

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'aerie-rtmp-pull-'))
  const picture = ['-f', 'lavfi', '-i', `testsrc=size=640x360:rate=${FPS}`]
  const input = [...picture, '-f', 'lavfi', '-i', 'sine=sample_rate=44100', '-t', String(FRAMES / FPS)]
  const h264 = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-preset', 'veryfast', '-g', '25', '-bf', '3', '-c:a', 'aac']
  const h265 = ['-an', '-c:v', 'libx265', '-pix_fmt', 'yuv420p', '-preset', 'ultrafast']
  ffmpeg(...input, ...h264, join(folder, 'h264.mkv'))
  ffmpeg(...input, ...h265, '-x265-params', 'log-level=none:keyint=25', join(folder, 'h265.mkv'))
  for (const name of ['h264', 'hevc']) {
    const file = join(folder, `${name.replace('hevc', 'h265')}.mkv`)
    ffmpeg('-i', file, '-map', '0:v', '-c', 'copy', '-bsf:v', `${name}_mp4toannexb`, '-f', name, `${file}.annex-b`)
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function ffmpeg(...args: readonly string[]): void {
  const { status, stderr } = spawnSync('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args], { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
}

function start(command: string, ...args: readonly string[]): void {
  const child = spawn(command, args, { stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
}

/** FFmpeg needs a while until it listens, where it serves only the first who connects, or until it publishes. */
async function pullWhenThere(options: Pick<ReadRtmpOptions, 'url' | 'publication' | 'onLive'>): Promise<never> {
  const log = { info: () => {}, warn: () => {} }
  const { signal } = new AbortController()
  for (;;) {
    try {
      await readRtmpStream({ ...options, dial: async () => '127.0.0.1', silenceMs: 20_000, signal, log })
    } catch (error) {
      if (!/^Nothing answers|has no such stream/.test((error as Error).message)) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

async function openPublication() {
  const hub = createHub({ authorize: async () => ({ principal: 'p' }), onEvent: () => {} })
  return { hub, publication: await hub.publish('admin/camera', ANYBODY) }
}

/** The stream as a reader gets it who was there when it began, and the sentence of its end. */
async function readAll(url: string) {
  const { hub, publication } = await openPublication()
  let reader: Promise<ReturnType<typeof createCollectingReader>> | undefined
  const subscribe = async () => {
    const subscription = await hub.subscribe('admin/camera', ANYBODY)
    const collecting = createCollectingReader(subscription.description)
    subscription.start(collecting)
    return { ...collecting, codecs: subscription.description.tracks.map(({ codec }) => codec) }
  }
  const failure = await pullWhenThere({ url, publication, onLive: () => void (reader = subscribe()) }).catch(
    (error: unknown) => error as Error,
  )
  return { reader: (await reader) as Awaited<ReturnType<typeof subscribe>>, end: failure.message }
}

const slicesOfFile = (name: string, isSlice: (unit: Buffer) => boolean) =>
  splitByStartCodes(readFileSync(join(folder, `${name}.mkv.annex-b`))).filter(isSlice)

test('H.264 with B-frames and AAC: every picture comes as it is, at its time, until the server leaves', async () => {
  const url = `rtmp://127.0.0.1:${await freePort()}/live/cam`
  start('ffmpeg', '-nostdin', '-re', '-i', join(folder, 'h264.mkv'), '-c', 'copy', '-f', 'flv', '-listen', '1', url)
  const { reader, end } = await readAll(url)
  expect(end).toMatch(/^127\.0\.0\.1:\d+ (closed the connection|ended the stream|broke)/)
  expect(reader.codecs).toEqual(['h264', 'aac'])
  expect(reader.pictures.some(({ isAfterLoss }) => isAfterLoss)).toBe(false)
  const slices = reader.pictures.flatMap(({ nalUnits }) => nalUnits.filter(isH264Slice))
  expect(slices).toEqual(slicesOfFile('h264', isH264Slice))
  const times = reader.pictures.map(({ timestamp }) => ((timestamp - reader.pictures[0]!.timestamp) | 0) / 90)
  const shown = [...times].sort((a, b) => a - b)
  expect(shown).not.toEqual(times)
  for (const [index, ms] of shown.entries()) expect(ms).toBeCloseTo((index * 1000) / FPS, -0.5)
  expect(reader.sounds.length).toBeGreaterThan(100)
})

test('H.265 by enhanced RTMP, from FFmpeg 8 by way of our own server: every picture from the first that it has', async () => {
  const { hub } = await openPublication()
  const log = { info: () => {}, warn: () => {} }
  const server = createRtmpServer({ hub, host: '127.0.0.1', log })
  onTestFinished(() => server.close())
  const url = `rtmp://127.0.0.1:${await server.listen({ port: 0 })}/admin/cam`
  start(process.execPath, join(import.meta.dirname, 'node-av-rtmp.mjs'), 'publish', join(folder, 'h265.mkv'), url)
  const { reader, end } = await readAll(url)
  expect(end).toMatch(/ended the stream: its sender has left/)
  expect(reader.codecs).toEqual(['h265'])
  const slices = reader.pictures.flatMap(({ nalUnits }) => nalUnits.filter(isH265Slice))
  expect(slices.length).toBeGreaterThan(FRAMES / 4)
  expect(slices).toEqual(slicesOfFile('h265', isH265Slice).slice(-slices.length))
})

test('a codec that cannot be read is named, as an error of its own', async () => {
  const url = `rtmp://127.0.0.1:${await freePort()}/live/cam`
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=320x240:rate=10', '-c:v', 'flv1']
  start('ffmpeg', '-nostdin', '-re', ...picture, '-f', 'flv', '-listen', '1', url)
  const { publication } = await openPublication()
  const pulling = pullWhenThere({ url, publication })
  await expect(pulling).rejects.toBeInstanceOf(RtmpUnreadableError)
  await expect(pulling).rejects.toThrow('The video is flv1; set the sender to H.264 or H.265.')
})
