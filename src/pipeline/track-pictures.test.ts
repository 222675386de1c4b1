import '../av/polyfill.ts'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AVCOL_RANGE_JPEG, AVCOL_SPC_BT709, type Frame } from 'node-av'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { decodedJpeg, withJpeg } from '../../test/support/decoded-jpeg.ts'
import { paintedFrame } from '../../test/builders/painted-frame.ts'
import { aPipelineOrder } from '../../test/builders/pipeline-order.ts'
import { type Box, type Size } from '../core/detection.ts'
import { type SceneTrack } from '../core/scene.ts'
import { type TrackPicture } from '../core/track-picture.ts'
import { createScaler } from './decode/scaler.ts'
import { createDetector } from './detect/detector.ts'
import { createPictureDetector } from './detect/picture-detector.ts'
import { type FromWorker, type PipelineOrder } from './messages.ts'
import { type Picture } from './picture.ts'
import { startPipeline } from './run.ts'
import { createTrackPictures } from './track-pictures.ts'

// Real models and a real clip: a small or busy machine needs its time.
vi.setConfig({ testTimeout: 120_000 })

const size = { width: 480, height: 360 }
const red = [200, 30, 30] as const
const green = [40, 150, 60] as const

/** Red where the object is, green around it. */
function frameWith(format: string, box: Box, shown: Size = size, filter?: string): Frame {
  const coded = { width: shown.width + (shown.width % 2), height: shown.height + (shown.height % 2) }
  return paintedFrame(
    format,
    shown,
    (u, v) => {
      const [x, y] = [u * coded.width, v * coded.height]
      const isInside = x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height
      return isInside ? red : green
    },
    filter,
  )
}

function pictureOf(frame: Frame, timeMs = 0): Picture {
  const { width, height } = frame
  const decoded = { frame, width, height, isDamaged: false } as Picture['decoded']
  return { decoded, timeMs, takenAtMs: timeMs, arrivedMs: 0, ptsSeconds: 0, rtpTimestamp: null, breaks: 0 }
}

function trackAt(box: Box, className = 'car'): SceneTrack {
  return { id: 7, classId: 3, className, box, confidence: 0.8 }
}

/** What is sent of one track in one frame. */
async function picturesOf(frame: Frame, track: SceneTrack): Promise<TrackPicture[]> {
  const sent: TrackPicture[] = []
  const pictures = createTrackPictures((message) => {
    if (message.type === 'track-pictures') sent.push(...message.pictures)
  })
  pictures.see(pictureOf(frame), [track], [track.id])
  // Nothing of the frame is needed any more.
  frame.free()
  await pictures.close()
  return sent
}

function expectColour(seen: readonly number[], wanted: readonly number[], tolerance: number): void {
  for (const [channel, value] of wanted.entries())
    expect(Math.abs(seen[channel]! - value), `${seen.join()} for ${wanted.join()}`).toBeLessThanOrEqual(tolerance)
}

describe('createTrackPictures', () => {
  test.each([
    'yuv420p',
    'yuv422p',
    'yuv444p',
    'yuv420p10le',
    'nv12',
    'p010le',
    'rgb24',
    'bgr24',
    'rgba',
    'rgb48be',
    'yuv440p',
  ])('a red object stays red and stands in the middle (%s)', async (format) => {
    const box = { x: 123, y: 77, width: 81, height: 120 }
    const [patch, crop] = await picturesOf(frameWith(format, box), trackAt(box))
    expect([patch, crop]).toMatchObject([{ role: 'patch' }, { role: 'crop' }])
    for (const { jpeg } of [patch!, crop!]) {
      const { width, height, rgbAt } = await decodedJpeg(jpeg)
      expect({ width, height }).toEqual({ width: 100, height: 146 })
      expectColour(rgbAt(width >> 1, height >> 1), red, 8)
      for (const [x, y] of [
        [1, 1],
        [width - 2, 1],
        [1, height - 2],
        [width - 2, height - 2],
      ] as const)
        expectColour(rgbAt(x, y), green, 8)
      // The object begins and ends where it should.
      expectColour(rgbAt(5, height >> 1), green, 25)
      expectColour(rgbAt(13, height >> 1), red, 25)
    }
  })

  test('colours of HD video and of full range, which are stored in other ways, stay what they are', async () => {
    const box = { x: 100, y: 80, width: 80, height: 80 }
    const hd = frameWith('yuv420p', box, size, 'scale=out_color_matrix=bt709')
    hd.colorSpace = AVCOL_SPC_BT709
    const full = frameWith('yuv420p', box, size, 'scale=out_range=full')
    full.colorRange = AVCOL_RANGE_JPEG
    for (const frame of [hd, full]) {
      const [patch] = await picturesOf(frame, trackAt(box, 'person'))
      const { width, height, rgbAt } = await decodedJpeg(patch!.jpeg)
      expectColour(rgbAt(width >> 1, height >> 1), red, 8)
    }
  })

  test.each([
    { at: 'the upper left', box: { x: 0, y: 0, width: 51, height: 33 } },
    { at: 'the lower right', box: { x: 430, y: 301, width: 50, height: 59 } },
    {
      at: 'the border of an odd picture',
      box: { x: 431, y: 300, width: 50, height: 59 },
      shown: { width: 481, height: 359 },
    },
    { at: 'nearly nowhere, tiny', box: { x: 201.4, y: 99.6, width: 3.2, height: 2.1 } },
    { at: 'everywhere', box: { x: 0, y: 0, width: 480, height: 360 } },
  ])('an object at $at has its picture', async ({ box, shown }) => {
    const [patch] = await picturesOf(frameWith('yuv420p', box, shown), trackAt(box, 'person'))
    const { width, height, rgbAt } = await decodedJpeg(patch!.jpeg)
    expect(Math.max(width, height)).toBeLessThanOrEqual(256)
    expect(width / height).toBeCloseTo(box.width / box.height, 0)
    if (box.width > 10) expectColour(rgbAt(width >> 1, height >> 1), red, 8)
  })

  test('a large vehicle has a small patch and a larger crop', async () => {
    const large = { width: 1920, height: 1080 }
    const box = { x: 301, y: 100, width: 1000, height: 800 }
    const [patch, crop] = await picturesOf(frameWith('yuv420p', box, large), trackAt(box))
    expect(await decodedJpeg(patch!.jpeg)).toMatchObject({ width: 256, height: 204 })
    expect(await decodedJpeg(crop!.jpeg)).toMatchObject({ width: 736, height: 590 })
  })
})

describe('the demo clip', () => {
  let cacheDir: string
  beforeAll(async () => {
    cacheDir = await mkdtemp(join(tmpdir(), 'track-pictures-'))
  })
  afterAll(() => rm(cacheDir, { recursive: true }))

  function orderFor(change: Partial<PipelineOrder>): PipelineOrder {
    return aPipelineOrder('assets/demo/people-walking.mp4', cacheDir, {
      playback: { pace: 'fast', startedAtMs: 1000, resumeAfterSeconds: 12 },
      keepsPictures: true,
      ...change,
    })
  }

  async function run(change: Partial<PipelineOrder> = {}): Promise<FromWorker[]> {
    const messages: FromWorker[] = []
    const pipeline = startPipeline(orderFor(change), (message) => messages.push(message))
    await pipeline.ended
    await pipeline.close()
    return messages
  }

  test('every track has a patch, and in nearly every person’s the model finds a person again', async () => {
    const messages = await run()
    const seen = messages.flatMap((one) => (one.type === 'scene' ? one.scene.tracks : []))
    const classes = new Map(seen.map(({ id, className }) => [id, className]))
    const patches = new Map<number, TrackPicture>()
    for (const message of messages) {
      if (message.type !== 'track-pictures') continue
      for (const picture of message.pictures) {
        if (picture.role === 'crop') continue
        expect(picture.quality).toBeGreaterThan(patches.get(picture.trackId)?.quality ?? 0)
        patches.set(picture.trackId, picture)
      }
    }
    expect(classes.size).toBeGreaterThan(5)
    expect([...patches.keys()].sort()).toEqual([...classes.keys()].sort())

    const detector = await createDetector({ model: 'fast', cacheDir, confidence: 0.3 })
    const scaler = createScaler()
    const pictures = createPictureDetector({ detector, scaler, tiles: { columns: 1, rows: 1 } })
    const persons = [...patches.values()].filter(({ trackId }) => classes.get(trackId) === 'person')
    let found = 0
    for (const { jpeg } of persons) {
      const detections = await withJpeg(jpeg, ({ frame }) => pictures.detect(frame))
      if (detections.some(({ className }) => className === 'person')) found += 1
    }
    await detector.close()
    scaler.close()
    expect(found / persons.length).toBeGreaterThan(0.8)
  })

  test.each([{ keepsPictures: false }, { isTracking: false }])('nothing is kept with %o', async (change) => {
    const playback = { ...orderFor({}).playback, resumeAfterSeconds: 22 }
    const messages = await run({ playback, ...change })
    expect(messages.some(({ type }) => type === 'scene')).toBe(true)
    expect(messages.filter(({ type }) => type === 'track-pictures')).toEqual([])
  })

  test('a pipeline that is closed early sends what it has before it ends', async () => {
    const messages: FromWorker[] = []
    let pipeline!: ReturnType<typeof startPipeline>
    await new Promise<void>((resolve) => {
      pipeline = startPipeline(orderFor({}), (message) => {
        messages.push(message)
        if (message.type === 'scene' && message.scene.tracks.length > 0) resolve()
      })
    })
    await pipeline.close()
    const sent = messages.flatMap((one) => (one.type === 'track-pictures' ? one.pictures : []))
    expect(sent.length).toBeGreaterThan(0)
  })
})
