/** Files that go to an object store and leave the disk: nobody notices, whatever happens to the store. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type z } from 'zod'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RecordingRecord as Recording } from '../../src/recordings/recordings.schema.ts'
import { type SystemInfo } from '../../src/system/system.schema.ts'
import { dataFiles } from '../support/data-files.ts'
import { start } from '../support/ffmpeg.ts'
import { createProcessRig, type ProcessRig } from '../support/process-rig.ts'
import { type S3Server, startS3Server } from '../support/s3-server.ts'
import { until } from '../support/until.ts'

type RecordingRecord = z.infer<typeof Recording>

let s3: S3Server
let rig: ProcessRig
/** Of a key whose video is kept, and which is purged in the end. */
let key: string
beforeAll(async () => {
  s3 = await startS3Server()
  rig = await createProcessRig({
    ...s3.settings,
    AERIE_RECORDING_SEGMENT_SECONDS: '2',
    AERIE_OBJECT_STORE_KEEP_LOCAL: '0',
  })
  const created = { username: 'pilot', minutes: 60, process_recording: true }
  key = (await rig.ask<{ key: string }>('POST', '/keys', { body: created })).key
})
afterAll(async () => {
  await rig.remove()
  await s3.remove()
})

const pilot = () => ({ username: 'pilot', key })
const inStore = (kind: string) => s3.keys().filter((name) => name.startsWith(`${kind}/`))
const onDisk = (kind: string) => dataFiles(rig.installation, kind).filter((name) => name.endsWith('.mp4'))
async function segments(): Promise<RecordingRecord['segments']> {
  const recordings = await rig.ask<RecordingRecord[]>('GET', '/sources/recordings', { key })
  return recordings
    .flatMap((recording) => recording.segments)
    .filter(({ duration_seconds: seconds }) => seconds !== null)
}
const oldest = async () => (await segments()).sort((a, b) => (a.start < b.start ? -1 : 1))[0]!
async function storeStatus() {
  const { object_store } = await rig.ask<SystemInfo>('GET', '/system')
  return object_store!
}
async function expectToDecode(url: string): Promise<void> {
  const response = await fetch(url)
  expect(response.status).toBe(200)
  const file = join(rig.folder, 'downloaded.mp4')
  writeFileSync(file, Buffer.from(await response.arrayBuffer()))
  const decoded = await start('ffmpeg', ['-xerror', '-i', file, '-f', 'null', '-']).finished
  expect(decoded).toMatchObject({ code: 0, complaints: '' })
}

test('what is recorded goes to the store, leaves the disk, and is downloaded as before', async () => {
  await rig.goLive('front', pilot())
  await until(async () => inStore('recordings').length >= 2 && (await storeStatus()).stored_files >= 2)
  // The one that is being written, and one that is on its way.
  await until(async () => onDisk('recordings').length <= 2 && (await segments()).length >= 3)
  const { download_url: url, size_bytes: size } = await oldest()
  await expectToDecode(url)
  const whole = Buffer.from(await (await fetch(url)).arrayBuffer())
  expect(whole.length).toBe(size)
  const part = await fetch(url, { headers: { range: 'bytes=10-19' } })
  expect(part.status).toBe(206)
  expect(part.headers.get('content-range')).toBe(`bytes 10-19/${size}`)
  expect(Buffer.from(await part.arrayBuffer())).toEqual(whole.subarray(10, 20))
  const beyond = await fetch(url, { headers: { range: `bytes=${size}-` } })
  expect(beyond.headers.get('content-range')).toBe(`bytes */${size}`)
  expect(await beyond.json()).toMatchObject({ status: 416, code: 'range-not-satisfiable' })
  const head = await fetch(url, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(size)])
})

test('the doctor says whether it can be used, also in a shell that does not know its key', async () => {
  const here = await rig.installation.commandWith(s3.settings, 'doctor')
  expect(here.stdout).toContain(`${s3.url}/ can be written and read.`)
  const elsewhere = await rig.installation.command('doctor')
  expect(elsewhere.stdout).toContain('the key is not in the settings of this shell')
})

test('while the store is away streams are recorded on, and files wait; nothing is lost by a crash meanwhile', async () => {
  const { download_url: url } = await oldest()
  await s3.stop()
  const before = (await segments()).length
  await until(async () => {
    const { waiting_files: waiting, last_error: error } = await storeStatus()
    // Those that waited when it stopped, on a busy machine, are none of now.
    return waiting >= 2 && error !== null && (await segments()).length > before
  })
  expect((await storeStatus()).last_error!.message).toMatch(/^The object store .* cannot be reached: /)
  const metrics = await (await rig.service.call('GET', '/metrics')).text()
  expect(metrics).toMatch(/^aerie_object_store_waiting_files [1-9]/m)
  expect(metrics).toMatch(/^aerie_object_store_failing 1$/m)
  const refused = await fetch(url)
  expect(refused.headers.get('retry-after')).not.toBeNull()
  expect(await refused.json()).toMatchObject({ status: 503, code: 'object-store-unusable' })
  expect((await rig.service.call('GET', '/readyz')).status).toBe(200)

  const known = await segments()
  await rig.service.stop('SIGKILL')
  await rig.restart()
  expect((await segments()).length).toBeGreaterThanOrEqual(known.length)
  await s3.start()
  await until(async () => (await storeStatus()).waiting_files === 0)
  expect((await storeStatus()).last_error).toBeNull()
  for (const { download_url: each } of await segments()) expect((await fetch(each)).status).toBe(200)
})

test('an upload that is in the store only is fetched for its process, whose video goes there too', async () => {
  const sourceId = await rig.upload(await rig.cutClip(2), key)
  await until(async () => inStore('videos').length === 1 && onDisk('videos').length === 0)
  const { process_uuid: processId } = await rig.start(sourceId, { pace: 'fast' }, key)
  await until(async () => {
    const { state } = await rig.ask<{ state: string }>('GET', `/process/${processId}`, { key })
    return state === 'finished'
  })
  await until(async () => inStore('processed').length === 1 && onDisk('processed').length === 0)
  const processes = await rig.ask<{ process_uuid: string; video_url: string }[]>('GET', '/tracked_processes', { key })
  await expectToDecode(processes.find(({ process_uuid: id }) => id === processId)!.video_url)
})

test('where links are presigned, the store itself gives the file', async () => {
  await rig.service.stop()
  await rig.restart({ AERIE_OBJECT_STORE_LINKS: 'presigned' })
  const { download_url: url, size_bytes: size } = await oldest()
  const sent = await fetch(url, { redirect: 'manual' })
  expect(sent.status).toBe(302)
  expect(sent.headers.get('location')!.startsWith(s3.url)).toBe(true)
  const part = await fetch(url, { headers: { range: 'bytes=0-99' } })
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 0-99/${size}`])
  expect(rig.service.stderr()).not.toContain('X-Amz-Signature')
})

test('a purged key leaves nothing in the bucket, though the store was away when it was purged', async () => {
  await s3.stop()
  await rig.ask('DELETE', '/keys/pilot?purge=true')
  await until(async () => onDisk('recordings').length === 0)
  await s3.start()
  expect(s3.keys().length).toBeGreaterThan(3)
  await until(async () => s3.keys().length === 0, 60_000)
})
