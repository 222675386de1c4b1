import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { aPipelineOrder } from '../../test/builders/pipeline-order.ts'
import { createDeferred } from '../core/deferred.ts'
import { type FromWorker, type PipelineOrder } from './messages.ts'
import { startPipeline } from './run.ts'

vi.setConfig({ testTimeout: 60_000 })

const clip = 'assets/demo/people-walking.mp4'
/** Near the end of the clip, so that it is soon over. */
const playback = { pace: 'fast', startedAtMs: 1_000, resumeAfterSeconds: 23 } as const

let cacheDir: string
beforeEach(async () => void (cacheDir = await mkdtemp(join(tmpdir(), 'aerie-run-'))))
afterEach(() => rm(cacheDir, { recursive: true }))

function start(change: Partial<PipelineOrder>, path = clip) {
  const messages: FromWorker[] = []
  const seen = createDeferred()
  const pipeline = startPipeline(aPipelineOrder(path, cacheDir, { playback, ...change }), (message) => {
    messages.push(message)
    if (message.type === 'scene') seen.resolve()
  })
  return {
    pipeline,
    seen: seen.promise,
    scenes: () => messages.flatMap((one) => (one.type === 'scene' ? [one.scene] : [])),
    messages,
  }
}

test('a file goes on behind where an earlier worker was, with its moments and places', async () => {
  const values = {
    latitudeDeg: 1,
    longitudeDeg: 2,
    relAltitudeM: 50,
    cameraYawDeg: 0,
    cameraPitchDeg: -45,
    cameraRollDeg: 0,
    hfovDeg: 60,
    vfovDeg: 40,
  }
  const { pipeline, scenes, messages } = start({
    geolocation: { telemetry: { kind: 'fixed', values } },
    firstTrackId: 50,
  })
  await pipeline.ended
  const other = messages.filter(({ type }) => type !== 'stats')
  expect(other[0]).toMatchObject({ type: 'running', startedAtMs: 1_000, video: { codec: 'h264' } })
  expect(messages.at(-1)).toMatchObject({ type: 'stats' })
  const tracks = scenes().flatMap((scene) => scene.tracks)
  expect(Math.min(...scenes().map(({ frame }) => frame.ptsSeconds))).toBeGreaterThan(23)
  expect(Math.min(...tracks.map(({ id }) => id))).toBeGreaterThanOrEqual(50)
  expect(tracks.every(({ location }) => location !== undefined)).toBe(true)
})

test('one that begins paused waits for the command to go on', async () => {
  const { pipeline, seen, scenes } = start({ isPaused: true })
  pipeline.handle({ type: 'feed', isWanted: true })
  expect(scenes()).toEqual([])
  pipeline.handle({ type: 'resume' })
  await seen
  await pipeline.close()
})

test.each([
  { name: 'a file that is not there', path: 'no-such.mp4', change: {}, failure: 'source-unreadable' },
  { name: 'a model that is not there', path: clip, change: { model: 'no-such' }, failure: 'model-unusable' },
])('$name ends it with what it failed of', async ({ path, change, failure }) => {
  const { detection } = aPipelineOrder(path, cacheDir)
  const { pipeline } = start({ detection: { ...detection, ...change } }, path)
  await expect(pipeline.ended).rejects.toMatchObject({ failure })
  await pipeline.close()
})

test('a tile grid that cannot be used leaves no thread behind', async () => {
  const threads: Worker[] = []
  const onThread = (thread: Worker) => void threads.push(thread)
  process.on('worker', onThread)
  const { detection } = aPipelineOrder(clip, cacheDir)
  const { pipeline } = start({ detection: { ...detection, tiles: '9x9' } })
  await expect(pipeline.ended).rejects.toThrow('"9x9" is not a tile grid')
  process.off('worker', onThread)
  // Of a thread that has ended.
  expect(threads.map(({ threadId }) => threadId)).toEqual([-1])
})
