/**
 * Tried: keys that asked for as many looks at silent cameras and at uploads as they could send. The queue took all of them, without
 * an end, and the next one waited for minutes.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createChild, startAttacked, type AttackedService } from '../support/attacked-service.ts'
import { childrenOf } from '../support/child-processes.ts'
import { type FakeCamera, startFakeCamera } from '../support/fake-camera.ts'
import { start as startTool } from '../support/ffmpeg.ts'
import { until } from '../support/until.ts'

const KEYS = 10
const UPLOADS_OF_EACH = 4
const MAX_WAITING = 32
const folder = mkdtempSync(join(tmpdir(), 'aerie-prober-'))
let service: AttackedService
let silent: FakeCamera
let video: Buffer

beforeAll(async () => {
  silent = await startFakeCamera({ habit: () => true })
  service = await startAttacked({ AERIE_OUTBOUND_ALLOW: '127.0.0.1' })
  const file = join(folder, 'small.mp4')
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=64x64:rate=5', '-t', '1', '-pix_fmt', 'yuv420p']
  expect(await startTool('ffmpeg', [...source, file]).finished).toMatchObject({ code: 0 })
  video = readFileSync(file)
})
afterAll(async () => {
  await service.installation.remove()
  await silent.close()
  rmSync(folder, { recursive: true })
})

/** Another file each time: what is known is not looked at again. */
function aVideo(index: number): Blob {
  const padding = Buffer.alloc(16)
  padding.writeUInt32BE(16)
  padding.write('free', 4)
  padding.writeUInt32BE(index, 8)
  return new Blob([video, padding])
}

async function upload(key: string, index: number): Promise<Response> {
  const form = new FormData()
  form.set('file', aVideo(index), `${index}.mp4`)
  return fetch(`${service.url}/video`, { method: 'POST', headers: { api_key: key }, body: form })
}

const probers = () => childrenOf(service.process.pid!, 'media/probe/worker.js')
const look = (key: string) => service.call('POST', '/stream/probe', { key, body: { input_url: silent.url } })

test('a key that keeps the prober busy waits for itself, and others have their turn', async () => {
  const looking = look(service.mallory)
  await until(async () => probers().length === 1, 20_000)
  const waiting = Array.from({ length: UPLOADS_OF_EACH }, (_, index) => upload(service.mallory, index))
  const bobs = await upload(service.bob, 100)
  expect(bobs.status).toBe(201)
  const early = await Promise.race([...waiting, Promise.resolve(undefined)])
  expect(early).toBeUndefined()
  expect((await looking).status).toBe(200)
  for (const answer of waiting) expect((await answer).status).toBe(201)
})

test('beyond what may wait for all keys together, it is refused with when to come again', async () => {
  const names = Array.from({ length: KEYS }, (_, index) => `crowd-${index}`)
  const crowd = await Promise.all(names.map((name) => createChild(service, name)))
  const looking = [look(service.mallory), look(service.bob)]
  await until(async () => probers().length === 2, 20_000)
  const uploads = crowd.flatMap((key, number) =>
    Array.from({ length: UPLOADS_OF_EACH }, (_, index) => upload(key, 1000 + number * UPLOADS_OF_EACH + index)),
  )
  const answers = await Promise.all(uploads)
  const refused = answers.filter(({ status }) => status === 503)
  // On a slow machine some of those who wait are too late as well.
  expect(refused.length).toBeGreaterThanOrEqual(KEYS * UPLOADS_OF_EACH - MAX_WAITING)
  expect(answers.filter(({ status }) => status === 201).length).toBe(answers.length - refused.length)
  for (const answer of refused) {
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await answer.json()).toMatchObject({ code: 'prober-busy' })
  }
  for (const answer of looking) expect((await answer).status).toBe(200)
  expect((await upload(service.bob, 101)).status).toBe(201)
})
