import { openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { dataFiles } from '../support/data-files.ts'
import { start as startTool } from '../support/ffmpeg.ts'
import { createClientProject } from '../support/packed-client.ts'
import { clip, createProcessRig, type ProcessRig } from '../support/process-rig.ts'
import { until } from '../support/until.ts'

let rig: ProcessRig
let shortClip: string
beforeAll(async () => {
  rig = await createProcessRig()
  shortClip = await makeVideo('short.mp4', '-i', clip, '-t', '4', '-c', 'copy')
})
afterEach(() => rig.clear())
afterAll(() => rig.remove())

async function makeVideo(name: string, ...args: string[]): Promise<string> {
  const file = join(rig.folder, name)
  const { code, complaints } = await startTool('ffmpeg', ['-y', ...args, file]).finished
  if (code !== 0) throw new Error(complaints)
  return file
}

async function countFrames(file: string): Promise<number> {
  const args = ['-count_frames', '-show_entries', 'stream=nb_read_frames', '-of', 'csv=p=0', file]
  return Number((await startTool('ffprobe', args).finished).output)
}

/** Runs a whole file and resolves with what was sent of it. */
async function run(sourceId: string, query: Record<string, string>) {
  const started = await rig.start(sourceId, query)
  const socket = await rig.connect(started)
  expect(await socket.closed).toBe('process finished')
  expect(rig.workers()).toEqual([])
  return { messages: socket.messages, info: await rig.info(started.process_uuid) }
}

test('with pace=fast every frame of a file is looked at once', async () => {
  const { messages, info } = await run(await rig.upload(clip), { pace: 'fast' })
  expect(info).toMatchObject({ state: 'finished', stop_reason: 'source-ended', error: null, pace: 'fast' })
  const tookMs = Date.parse(info.stopped_at!) - Date.parse(info.started_at!)
  expect(messages.at(-1)!.sequence).toBe(await countFrames(clip))
  expect(info.stats).toMatchObject({ dropped_frames: 0, decode_errors: 0 })
  for (const { sequence, frame, timestamp } of messages) {
    expect(frame.pts).toBeCloseTo((sequence - 1) / 7, 3)
    const fromStartMs = Date.parse(timestamp) - Date.parse(info.started_at!)
    expect(Math.abs(fromStartMs - frame.pts * 1000)).toBeLessThanOrEqual(2)
  }
  // Whole seconds are reported, and it takes a moment to end.
  expect(Math.abs(info.stats.consumed_seconds + 0.5 - tookMs / 1000)).toBeLessThanOrEqual(1)
  expect(messages.some(({ active_tracks: tracks }) => tracks.length >= 4)).toBe(true)

  const models = await rig.ask<Record<string, unknown>[]>('GET', '/models')
  expect(models.map(({ name }) => name)).toEqual(['fast', 'balanced', 'accurate', 'airborne', 'thermal', 'overhead'])
  const [fast, balanced] = models
  expect(fast).toMatchObject({
    is_default: true,
    licence: 'Apache-2.0',
    classes: expect.arrayContaining([{ class_id: 1, class_name: 'person' }]) as unknown,
    speed: { inference_ms_p50: expect.any(Number) as number, threads: 1 },
  })
  expect(balanced).toMatchObject({ is_default: false, speed: null })
})

test('in real time a file takes as long as it lasts', async () => {
  const { messages, info } = await run(await rig.upload(shortClip), {})
  expect(messages.at(-1)!.sequence).toBe(28)
  const tookMs = Date.parse(info.stopped_at!) - Date.parse(info.started_at!)
  expect(tookMs).toBeGreaterThan(3_700)
  // Every frame is looked at, so that others on the machine may make it longer.
  expect(tookMs).toBeLessThan(8_000)
})

test('the client’s package is installed elsewhere, and its examples run with it as they stand', async () => {
  const project = await createClientProject(join(rig.folder, 'project'))
  const env = { AERIE_URL: rig.service.url, AERIE_KEY: rig.installation.masterKey }
  const video = await makeVideo('shorter.mp4', '-i', clip, '-t', '2', '-c', 'copy')
  const { alias } = await rig.ask<{ alias: string }>('GET', `/source/${await rig.upload(video)}`)
  const [watched, uploaded] = await Promise.all([
    project.run('watch.ts', [alias], env),
    project.run('upload.ts', [video], env),
  ])
  expect(watched.stdout).toMatch(/^\d{4}-\d\d-\d\dT\S+Z .*person \d+/m)
  expect(uploaded.stdout).toMatch(/^finished; [\d.]+ s of video, 0 frames that could not be read$/m)
})

test('a file waits at its frame during a pause', async () => {
  const started = await rig.start(await rig.upload(shortClip))
  const socket = await rig.connect(started)
  await socket.more(3)
  await rig.ask('POST', `/process/${started.process_uuid}/pause`)
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  const [last] = socket.messages.slice(-1)
  await rig.ask('POST', `/process/${started.process_uuid}/resume`)
  expect(await socket.closed).toBe('process finished')
  const rest = socket.messages.filter(({ sequence }) => sequence > last!.sequence)
  expect(rest[0]!.frame.pts - last!.frame.pts).toBeCloseTo(1 / 7, 3)
  expect(rest.at(-1)!.sequence).toBe(28)
  const info = await rig.info(started.process_uuid)
  const tookMs = Date.parse(info.stopped_at!) - Date.parse(info.started_at!)
  expect(tookMs).toBeGreaterThan(5_200)
  // The pause costs nothing; what counts is whole seconds.
  expect(info.stats.consumed_seconds).toBeLessThan(tookMs / 1000 - 1)
})

test('classes, confidence, tracking and tiles are as asked for', async () => {
  const sourceId = await rig.upload(shortClip)
  const untracked = await run(sourceId, { pace: 'fast', tracking: 'false', confidence: '60', classes: 'person' })
  const found = untracked.messages.flatMap(({ active_tracks: tracks }) => tracks)
  expect(found.length).toBeGreaterThan(20)
  for (const { track_id: id, class_name: name, confidence } of found) {
    expect([id, name]).toEqual([0, 'person'])
    expect(confidence).toBeGreaterThanOrEqual(60)
  }
  expect(untracked.info).toMatchObject({ tracking: false, confidence: 60, classes: ['person'], tiles: '1x1' })

  const tracked = await run(sourceId, { pace: 'fast', confidence: '60' })
  const seen = tracked.messages.flatMap(({ active_tracks: tracks }) => tracks)
  expect(seen.length).toBeGreaterThan(10)
  for (const { confidence } of seen) expect(confidence).toBeGreaterThanOrEqual(60)

  const tiled = await run(sourceId, { pace: 'fast', tracking: 'false', tiles: '2x2', classes: 'person' })
  expect(tiled.messages.at(-1)!.sequence).toBe(28)
  const perFrame = tiled.messages.map(({ active_tracks: tracks }) => tracks.length)
  expect(Math.min(...perFrame)).toBeGreaterThanOrEqual(4)
})

test.each([
  ['query.model', { model: 'huge' }, /fast, balanced, accurate/],
  ['query.classes', { classes: 'person,unicorn' }, /unicorn/],
  ['query.tiles', { tiles: '9x9' }, /2x2/],
  ['query.confidence', { confidence: '101' }, /100/],
  ['query.pace', { pace: 'slow' }, /realtime/],
  ['query.tracking', { tracking: 'maybe' }, /true/],
])('%s that makes no sense is told of', async (path, query, message) => {
  const answer = await rig.tryStart(await rig.upload(shortClip), query)
  expect(answer).toMatchObject({ status: 422, code: 'input-invalid' })
  expect(answer.errors).toMatchObject([{ path, message: expect.stringMatching(message) as string }])
})

test('a file with one frame is finished at once', async () => {
  const file = await makeVideo('one.mp4', '-i', clip, '-frames:v', '1', '-c', 'copy')
  const { process_uuid: id } = await rig.start(await rig.upload(file))
  const info = await rig.untilState(id, 'finished', 3_000)
  expect(info).toMatchObject({ stop_reason: 'source-ended', error: null })
})

test('a file that is gone, or no video any more, is told of', async () => {
  const file = await makeVideo('spoilt.mp4', '-i', clip, '-t', '6', '-c', 'copy', '-movflags', '+faststart')
  const sourceId = await rig.upload(file)
  const stored = findStored(statSync(file).size)
  const whole = readFileSync(stored)

  // The pictures of its second half are overwritten, the table of contents is whole.
  overwrite(stored, Math.floor(whole.length / 2), Buffer.alloc(Math.floor(whole.length / 3), 0x55))
  const { info } = await run(sourceId, { pace: 'fast' })
  expect(info).toMatchObject({ state: 'finished' })
  expect(info.stats.decode_errors).toBeGreaterThan(0)

  overwrite(stored, 0, Buffer.alloc(whole.length, 0x55))
  expect(await rig.tryStart(sourceId)).toMatchObject({
    status: 503,
    code: 'source-unreadable',
    detail: expect.stringContaining('The file cannot be opened') as string,
  })
  rmSync(stored)
  expect(await rig.tryStart(sourceId)).toMatchObject({ status: 404, code: 'source-file-missing' })
  expect(rig.workers()).toEqual([])
  // A start that came to nothing leaves nothing.
  expect(await rig.ask<unknown[]>('GET', '/processes?state=failed')).toEqual([])
})

/** Where the service keeps the upload of this size. */
function findStored(size: number): string {
  const found = dataFiles(rig.installation).find((path) => statSync(path).size === size)
  if (found === undefined) throw new Error('the upload was not found')
  return found
}

function overwrite(file: string, at: number, bytes: Buffer): void {
  writeSync(openSync(file, 'r+'), bytes, 0, bytes.length, at)
}

test('a converted model that is damaged is made again', async () => {
  const sealed = dataFiles(rig.installation, 'models').filter((name) => name.endsWith('.sealed'))
  expect(sealed.length).toBeGreaterThan(0)
  for (const file of sealed) overwrite(file, 1000, Buffer.from('damaged'))
  const { messages } = await run(await rig.upload(shortClip), { pace: 'fast' })
  await until(async () => messages.at(-1)?.sequence === 28, 1_000)
  for (const file of sealed) expect(readFileSync(file).includes('damaged')).toBe(false)
})
