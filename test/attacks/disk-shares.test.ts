/**
 * One account against the recordings of another, on a disk budget of 12 MB: four uploads of 4 MB each that never end, from a
 * key with a quota of 5 MB, and endless recordings beside them; then uploads that would fill the disk within a large quota.
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { type ClientRequest, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type AttackedService, createChild, startAttacked } from '../support/attacked-service.ts'
import { type Running, start } from '../support/ffmpeg.ts'
import { until } from '../support/until.ts'

const MB = 2 ** 20
let service: AttackedService
let folder: string
let clip: string
const publishers: Running[] = []
const uploads: ClientRequest[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'aerie-disk-'))
  clip = join(folder, 'clip.mp4')
  service = await startAttacked({ AERIE_DISK_BUDGET: '12MB', AERIE_RECORDING_SEGMENT_SECONDS: '2' })
  // Noise, so that a second has about a megabyte.
  const input = ['-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=15', '-t', '6', '-vf', 'noise=alls=80:allf=t']
  const codec = ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-pix_fmt', 'yuv420p', '-g', '15']
  const rate = ['-b:v', '8M', '-minrate', '8M', '-maxrate', '8M', '-bufsize', '4M']
  await start('ffmpeg', [...input, ...codec, ...rate, clip]).finished
})
afterEach(async () => {
  for (const upload of uploads.splice(0)) upload.destroy()
  for (const publisher of publishers.splice(0)) await publisher.kill()
  await until(async () => incomingBytes() === 0, 10_000)
})
afterAll(async () => {
  await service.installation.remove()
  rmSync(folder, { recursive: true })
})

interface Answer {
  readonly status: number
  readonly body: { readonly code: string; readonly detail: string }
}

/** Sends the head of an upload and this much of its file, and then no more. */
function beginUpload(key: string, bytes: number): Promise<Answer | 'no answer'> {
  return new Promise((resolve) => {
    const upload = request(`${service.url}/video`, {
      method: 'POST',
      headers: { api_key: key, 'content-type': 'multipart/form-data; boundary=b' },
    })
    uploads.push(upload)
    upload.on('error', () => resolve('no answer'))
    upload.on('response', (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () => resolve({ status: response.statusCode!, body: JSON.parse(text) as Answer['body'] }))
    })
    const patience = setTimeout(() => resolve('no answer'), 20_000)
    upload.on('close', () => clearTimeout(patience))
    upload.write('--b\r\ncontent-disposition: form-data; name="file"; filename="a.mp4"\r\n\r\n')
    upload.write(Buffer.alloc(bytes))
  })
}

function incomingBytes(): number {
  const incoming = join(service.installation.dataDir, 'videos', 'incoming')
  try {
    return readdirSync(incoming).reduce((sum, name) => sum + statSync(join(incoming, name)).size, 0)
  } catch {
    return 0
  }
}

function publish(username: string, key: string): Running {
  const url = service.rtspUrl(`${username}/cam`).replace('://', `://${username}:${key}@`)
  const output = ['-c', 'copy', '-f', 'rtsp', '-rtsp_transport', 'tcp', url]
  const publisher = start('ffmpeg', ['-re', '-stream_loop', '-1', '-i', clip, ...output], 120_000)
  publishers.push(publisher)
  return publisher
}

async function register(username: string, key: string): Promise<void> {
  const body = { alias: 'cam', input_url: service.rtspUrl(`${username}/cam`), stream_type: 'rtsp' }
  expect((await service.call('POST', '/stream', { key, body })).status).toBe(201)
}

interface Recording {
  readonly ended_at: string | null
  readonly size_bytes: number
  readonly segments: readonly { readonly start: string }[]
}

const recordingsOf = async (key: string) =>
  (await (await service.call('GET', '/sources/recordings', { key })).json()) as Recording[]
/** When the segments of an account begin, the oldest first. */
const startsOf = async (key: string) =>
  (await recordingsOf(key)).flatMap(({ segments }) => segments.map((segment) => segment.start)).sort()
const recordedBytes = async (key: string) =>
  (await recordingsOf(key)).reduce((sum, { size_bytes: size }) => sum + size, 0)

test(
  'uploads that never end, and recordings without end, cost nobody else a segment',
  { timeout: 180_000 },
  async () => {
    const greedy = await createChild(service, 'greedy', { total_storage_size_bytes: 5 * MB })
    await register('bob', service.bob)
    const publisher = publish('bob', service.bob)
    await until(async () => (await recordedBytes(service.bob)) > 3.5 * MB, 60_000)
    await publisher.kill()
    await until(async () => (await recordingsOf(service.bob)).every(({ ended_at: endedAt }) => endedAt), 20_000)
    const bobsBefore = await startsOf(service.bob)
    expect(bobsBefore.length).toBeGreaterThan(1)

    await register('greedy', greedy)
    publish('greedy', greedy)
    await until(async () => (await startsOf(greedy)).length > 0, 60_000)
    const [oldest] = await startsOf(greedy)
    const answers = Array.from({ length: 4 }, () => beginUpload(greedy, 4 * MB))
    // Until the budget is used up, and somebody's oldest go.
    const hasBobLost = async () => (await startsOf(service.bob)).length < bobsBefore.length
    await until(async () => !(await startsOf(greedy)).includes(oldest!) || (await hasBobLost()), 60_000)
    expect(await startsOf(service.bob)).toEqual(bobsBefore)
    expect(incomingBytes()).toBeLessThanOrEqual(5 * MB)
    expect(await Promise.race(answers)).toMatchObject({ status: 413, body: { code: 'video-storage-full' } })
  },
)

test('a large quota is no right to the disk of others', async () => {
  // Bob's recordings and this key divide the budget, whatever is left of it.
  const answer = await beginUpload(service.mallory, 7 * MB)
  expect(answer).toMatchObject({ status: 413, body: { code: 'disk-share-used-up' } })
  expect((answer as Answer).body.detail).toMatch(/share of the disk, \d+ bytes/)
})

test('a key has a few uploads at a time, and what is cut off is given back', async () => {
  const modest = await createChild(service, 'modest', { total_storage_size_bytes: 2 * MB })
  const isIncoming = (bytes: number) => until(async () => incomingBytes() === bytes, 10_000)
  for (let n = 1; n <= 4; n += 1) {
    void beginUpload(modest, 0.5 * MB)
    await isIncoming(n * 0.5 * MB)
  }
  expect(await beginUpload(modest, 1)).toMatchObject({ status: 403, body: { code: 'upload-limit-reached' } })
  for (const upload of uploads.splice(0)) upload.destroy()
  await isIncoming(0)
  void beginUpload(modest, 1.5 * MB)
  await isIncoming(1.5 * MB)
  expect(await beginUpload(modest, MB)).toMatchObject({ status: 413, body: { code: 'video-storage-full' } })
})
