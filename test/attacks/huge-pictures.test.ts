/**
 * Tried: small files and streams whose pictures are enormous, openly, behind a header that lies, or from the middle of the stream
 * on; pictures that are deep, of many colours and refer to sixteen others; and MP4 files of some kilobytes whose tables claim a
 * hundred million samples. Each made a worker or the prober take gigabytes.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startAttacked, type AttackedService } from '../support/attacked-service.ts'
import { childrenOf } from '../support/child-processes.ts'
import { claimingEdits, claimingProtection, claimingRun, claimingSamples } from '../builders/claiming-mp4.ts'
import { codedH264 } from '../builders/coded-pictures.ts'
import { start as startTool, type Running } from '../support/ffmpeg.ts'
import { until } from '../support/until.ts'

interface Answer {
  readonly httpStatus: number
  readonly code: string
  readonly detail: string
}

const TOO_LARGE = /A picture of 15000×15000 pixels is too large: up to 8192×4320 are taken/
const TOO_DEEP = /Pictures of 8192×4320 pixels \(yuv444p10le\) with 16 references need 3729 MB of memory/
const WORKER_MEGABYTES = 768
const folder = mkdtempSync(join(tmpdir(), 'aerie-huge-'))
const inFolder = (name: string) => join(folder, name)
const publishers: Running[] = []
let service: AttackedService
/** Peak memory of a prober that looks at a picture of the largest size that is taken. */
let allowedPeakBytes: number

beforeAll(async () => {
  service = await startAttacked({ AERIE_WORKER_MEMORY: String(WORKER_MEGABYTES) })
  const two = (size: string) => ['-f', 'lavfi', '-i', `color=gray:size=${size}:rate=1`, '-frames:v', '2']
  const quick = ['-preset', 'ultrafast', '-tune', 'zerolatency', '-threads', '1']
  const h264 = ['-pix_fmt', 'yuv420p', '-c:v', 'libx264', ...quick]
  await make('huge.mp4', ...two('15000x15000'), ...h264)
  await make('huge.avi', '-i', inFolder('huge.mp4'), '-c', 'copy')
  await make('huge.h264', '-i', inFolder('huge.mp4'), '-c', 'copy')
  await make('largest.mp4', ...two('8192x4320'), ...h264)
  await make('small.mp4', '-f', 'lavfi', '-i', 'testsrc2=size=320x240:rate=10', '-t', '2', ...h264)
  await make('small.h264', '-i', inFolder('small.mp4'), '-c', 'copy')
  const fragments = ['-movflags', 'frag_keyframe+empty_moov+default_base_moof']
  await make('fragmented.mp4', '-i', inFolder('small.mp4'), '-c', 'copy', ...fragments)
  const withReferences = { width: 8192, height: 4320, references: 16, pictures: 20 } as const
  writeFileSync(inFolder('deep.h264'), codedH264({ ...withReferences, chroma: 3, depth: 10 }))
  const growing = [readFileSync(inFolder('small.h264')), codedH264({ ...withReferences, chroma: 1, depth: 8 })]
  writeFileSync(inFolder('growing.h264'), Buffer.concat(growing))
  for (const name of ['deep', 'growing'])
    await make(`${name}.mp4`, '-framerate', '10', '-i', inFolder(`${name}.h264`), '-c', 'copy')
  writeFileSync(inFolder('lying.mp4'), lying(inFolder('huge.mp4')))
  writeFileSync(inFolder('samples.mp4'), claimingSamples(inFolder('small.mp4'), 60_000_000))
  writeFileSync(inFolder('edits.mp4'), claimingEdits(inFolder('small.mp4'), 20_000, 5_000))
  writeFileSync(inFolder('run.mp4'), claimingRun(inFolder('fragmented.mp4'), 60_000_000))
  writeFileSync(inFolder('protected.mp4'), claimingProtection(inFolder('small.mp4'), 100_000_000))
  const largest = await peakWhile('media/probe/worker.js', () => upload('largest.mp4'))
  expect(largest.result.httpStatus).toBe(201)
  allowedPeakBytes = largest.peakBytes
}, 240_000)

afterAll(async () => {
  for (const publisher of publishers) await publisher.kill()
  await service.installation.remove()
  rmSync(folder, { recursive: true })
})

async function make(name: string, ...args: string[]): Promise<void> {
  expect(await startTool('ffmpeg', ['-y', ...args, inFolder(name)]).finished).toMatchObject({ code: 0 })
}

/** The same file, whose header says 320×240. */
function lying(file: string): Buffer {
  const bytes = readFileSync(file)
  const entry = bytes.indexOf('avc1', bytes.indexOf('stsd'))
  bytes.writeUInt16BE(320, entry + 28)
  bytes.writeUInt16BE(240, entry + 30)
  return bytes
}

async function upload<T = Answer>(name: string): Promise<T & { httpStatus: number }> {
  const form = new FormData()
  form.set('file', new Blob([readFileSync(inFolder(name))]), name)
  const headers = { api_key: service.mallory }
  const response = await fetch(`${service.url}/video`, { method: 'POST', headers, body: form })
  return { ...((await response.json()) as T), httpStatus: response.status }
}

async function ask<T = Answer>(method: string, path: string, body?: unknown): Promise<T & { httpStatus: number }> {
  const response = await service.call(method, path, { key: service.mallory, ...(body !== undefined && { body }) })
  return { ...((await response.json()) as T), httpStatus: response.status }
}

/** The largest memory that any child with these words in its command line had, as the kernel counts it. */
async function peakWhile<T>(words: string, work: () => Promise<T>): Promise<{ result: T; peakBytes: number }> {
  let peakBytes = 0
  const watching = setInterval(() => {
    for (const pid of childrenOf(service.process.pid!, words)) peakBytes = Math.max(peakBytes, peakBytesOf(pid))
  }, 20)
  try {
    return { result: await work(), peakBytes }
  } finally {
    clearInterval(watching)
  }
}

function peakBytesOf(pid: number): number {
  try {
    return 1024 * Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    // It is gone.
    return 0
  }
}

describe('an upload', () => {
  test.each([['huge.mp4'], ['lying.mp4'], ['huge.avi']])(
    '%s is refused with both sizes, for no more memory than the largest picture takes',
    async (name) => {
      const { result, peakBytes } = await peakWhile('media/probe/worker.js', () => upload(name))
      expect(result).toMatchObject({ httpStatus: 422, code: 'video-unreadable' })
      expect(result.detail).toMatch(TOO_LARGE)
      expect(peakBytes).toBeLessThan(1.2 * allowedPeakBytes)
    },
  )

  test('deep.mp4 is refused after one of its pictures', async () => {
    const { result, peakBytes } = await peakWhile('media/probe/worker.js', () => upload('deep.mp4'))
    expect(result).toMatchObject({ httpStatus: 422, code: 'video-unreadable' })
    expect(result.detail).toMatch(TOO_DEEP)
    expect(peakBytes).toBeLessThan(2 ** 29)
  })

  test('growing.mp4, harmless at its beginning, ends its process with the sentence, and no worker comes back', async () => {
    const { source_uuid: id } = await upload<{ source_uuid: string }>('growing.mp4')
    const { result: ended, peakBytes } = await peakWhile('pipeline/worker.js', async () => {
      const { process_uuid: processId } = await ask<{ process_uuid: string }>('POST', `/start?source_uuid=${id}`)
      const info = () => ask<{ state: string; error: string | null }>('GET', `/process/${processId}`)
      await until(async () => (await info()).state === 'failed', 60_000)
      return info()
    })
    expect(ended).toMatchObject({ restarts: 0, stop_reason: 'source-unreadable' })
    expect(ended.error).toContain(`took more than the ${WORKER_MEGABYTES} MB of memory that it may`)
    expect(peakBytes).toBeLessThan(1.4 * WORKER_MEGABYTES * 2 ** 20)
    await until(async () => childrenOf(service.process.pid!, 'pipeline/worker.js').length === 0, 10_000)
  }, 90_000)

  test.each([['samples.mp4'], ['edits.mp4'], ['run.mp4'], ['protected.mp4']])(
    '%s, which claims what it cannot hold, is refused before memory is taken for it',
    async (name) => {
      const { result, peakBytes } = await peakWhile('media/probe/worker.js', () => upload(name))
      expect(result).toMatchObject({ httpStatus: 422, code: 'video-unreadable' })
      expect(result.detail).toContain('It claims to hold more than 4000000 pictures')
      expect(peakBytes).toBeLessThan(1.2 * allowedPeakBytes)
    },
  )
})

describe('a stream', () => {
  async function goLive(name: string, ...input: string[]): Promise<string> {
    const stream = { alias: name, input_url: service.rtspUrl(`mallory/${name}`), stream_type: 'rtsp' }
    const { source_uuid: id } = await ask<{ source_uuid: string }>('POST', '/stream', stream)
    const url = service.rtspUrl(`mallory/${name}`).replace('rtsp://', `rtsp://mallory:${service.mallory}@`)
    const target = ['-c', 'copy', '-f', 'rtsp', '-rtsp_transport', 'tcp', url]
    publishers.push(startTool('ffmpeg', ['-re', ...input, ...target], 180_000))
    await until(async () => (await ask<{ status: string }>('GET', `/source/${id}`)).status === 'streaming', 60_000)
    return id
  }

  test('of huge pictures starts no process, and is recorded and watched without being decoded', async () => {
    const huge = readFileSync(inFolder('huge.h264'))
    writeFileSync(inFolder('long.h264'), Buffer.concat(Array.from({ length: 60 }, () => huge)))
    const id = await goLive('huge', '-framerate', '2', '-f', 'h264', '-i', inFolder('long.h264'))
    const { result, peakBytes } = await peakWhile('/worker.js', async () => {
      const started = await ask('POST', `/start?source_uuid=${id}`)
      const input_url = service.rtspUrl('mallory/huge')
      const probed = await ask<{ problems: string[] }>('POST', '/stream/probe', { input_url })
      await service.call('GET', '/hls/mallory/huge/index.m3u8', { key: service.mallory })
      return { started, probed }
    })
    expect(result.started).toMatchObject({ httpStatus: 503, code: 'source-unreadable' })
    expect(result.started.detail).toMatch(TOO_LARGE)
    expect(result.probed.problems.join(' ')).toMatch(TOO_LARGE)
    // A pipeline also holds its model; each picture would have taken 340 MB more.
    expect(peakBytes).toBeLessThan(2 * allowedPeakBytes)
  }, 180_000)

  test('whose pictures become huge ends its process with the sentence, and no worker comes back', async () => {
    const small = readFileSync(inFolder('small.h264'))
    const parts = [...Array.from({ length: 10 }, () => small), readFileSync(inFolder('huge.h264'))]
    writeFileSync(inFolder('changing.h264'), Buffer.concat(parts))
    const id = await goLive('changing', '-framerate', '10', '-f', 'h264', '-i', inFolder('changing.h264'))
    const { process_uuid: processId } = await ask<{ process_uuid: string }>('POST', `/start?source_uuid=${id}`)
    const info = () => ask<{ state: string; error: string | null }>('GET', `/process/${processId}`)
    await until(async () => (await info()).state === 'failed', 60_000)
    const ended = await info()
    expect(ended).toMatchObject({ state: 'failed', restarts: 0, stop_reason: 'source-unreadable' })
    expect(ended.error).toMatch(TOO_LARGE)
    await until(async () => childrenOf(service.process.pid!, 'pipeline/worker.js').length === 0, 10_000)
  }, 180_000)
})

test('pictures that are brought to the command line are refused with both sizes', async () => {
  await make('huge.png', '-f', 'lavfi', '-i', 'color=gray:size=15000x15000', '-frames:v', '1', '-pix_fmt', 'gray')
  for (const command of ['enhance', 'detect']) {
    const failed = await service.installation.command(command, inFolder('huge.png')).catch((error: unknown) => error)
    expect((failed as { stderr: string }).stderr).toMatch(TOO_LARGE)
  }
})
