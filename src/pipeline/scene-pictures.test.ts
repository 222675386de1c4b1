import '../av/polyfill.ts'
import { type Frame } from 'node-av'
import { expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { paintedFrame } from '../../test/builders/painted-frame.ts'
import { watchAllocatedFrames } from '../../test/support/allocated-frames.ts'
import { decodedJpeg } from '../../test/support/decoded-jpeg.ts'
import { type Box, type Size } from '../core/detection.ts'
import { type SceneTrack } from '../core/scene.ts'
import { type ScenePicture } from '../core/track-picture.ts'
import { type Picture } from './picture.ts'
import { createScenePictures } from './scene-pictures.ts'

const size = { width: 1280, height: 720 }
/** Many of these are painted sooner. */
const small = { width: 320, height: 180 }
const box = { x: 400, y: 200, width: 200, height: 300 }

/** As red as the frame is late. */
const frameOf = (red: number, shown: Size = size) => paintedFrame('yuv420p', shown, () => [red, 120, 120] as const)

function pictureOf(frame: Frame, takenAtMs: number): Picture {
  const { width, height } = frame
  const decoded = { frame, width, height, isDamaged: false } as Picture['decoded']
  return { decoded, timeMs: takenAtMs, takenAtMs, arrivedMs: 0, ptsSeconds: 0, rtpTimestamp: null, breaks: 0 }
}

const trackOf = (id: number, at: Box = box): SceneTrack => ({
  id,
  classId: 1,
  className: 'person',
  box: at,
  confidence: 0.8,
})

function createRig() {
  const clock = createFakeClock()
  const sent: ScenePicture[] = []
  const scenes = createScenePictures(
    (message) => {
      if (message.type === 'scene-picture') sent.push(message.picture)
    },
    false,
    clock,
  )
  /** A frame each 200 ms, the first at `fromMs`, with these tracks. */
  async function see(count: number, tracks: readonly SceneTrack[], fromMs = 0, shown = size): Promise<void> {
    for (let index = 0; index < count; index++) {
      const frame = frameOf(20 + 10 * index, shown)
      scenes.see(pictureOf(frame, fromMs + 200 * index), tracks)
      // Nothing of the frame is needed any more.
      frame.free()
      await clock.advance(200)
    }
  }
  /** Lets what is under way come to its end. */
  async function untilSent(count: number): Promise<void> {
    while (sent.length < count) {
      await new Promise((resolve) => setImmediate(resolve))
      await clock.advance(50)
    }
  }
  return { clock, sent, scenes, see, untilSent }
}

test('the frame that is asked for comes small, with the box of the track', async () => {
  const { sent, scenes, see, untilSent } = createRig()
  scenes.setWanted(true)
  await see(5, [trackOf(7), trackOf(8, { x: 900, y: 100, width: 100, height: 100 })])
  scenes.request(7, 410)
  await untilSent(1)
  expect(sent).toMatchObject([{ trackId: 7, takenAtMs: 410 }])
  const { width, height, rgbAt } = await decodedJpeg(sent[0]!.jpeg!)
  expect({ width, height }).toEqual({ width: 640, height: 360 })
  // The third frame: nothing but its own colour where no box is, also around the other track.
  for (const [x, y] of [
    [20, 20],
    [250, 180],
    [475, 50],
  ] as const)
    // prettier-ignore
    expect(Math.abs(rgbAt(x, y)[0]! - 40), `${x} ${y}`).toBeLessThan(12)
  const edge = Array.from({ length: 9 }, (_, index) => rgbAt(196 + index, 180)[0]!)
  expect(Math.max(...edge.map((red) => Math.abs(red - 40)))).toBeGreaterThan(30)
  await scenes.close()
})

test('whoever has just come is shown, also between the frames that are held', async () => {
  const { clock, sent, scenes, see, untilSent } = createRig()
  scenes.setWanted(true)
  await see(1, [trackOf(7)])
  const frames = [frameOf(90), frameOf(150)]
  scenes.see(pictureOf(frames[0]!, 200), [trackOf(7)])
  await clock.advance(50)
  scenes.see(pictureOf(frames[1]!, 250), [trackOf(7), trackOf(8, { x: 900, y: 100, width: 100, height: 100 })])
  for (const frame of frames) frame.free()
  scenes.request(8, 250)
  await untilSent(1)
  const { rgbAt } = await decodedJpeg(sent[0]!.jpeg!)
  expect(Math.abs(rgbAt(20, 20)[0]! - 150)).toBeLessThan(12)
  await scenes.close()
})

test('asked for without a track, it has the boxes of all, also where nothing is tracked', async () => {
  const { sent, scenes, see, untilSent } = createRig()
  scenes.setWanted(true)
  const [left, right] = [trackOf(0), trackOf(0, { x: 900, y: 100, width: 100, height: 100 })]
  await see(2, [left, right])
  // When nothing was seen any more: it is the last frame in which something was.
  scenes.request(null, 5_000)
  await untilSent(1)
  expect(sent).toMatchObject([{ trackId: null, takenAtMs: 5_000 }])
  const { rgbAt } = await decodedJpeg(sent[0]!.jpeg!)
  const differs = (x: number, y: number) => Math.abs(rgbAt(x, y)[0]! - 30) > 30
  const edgeAt = (x: number, y: number) =>
    Array.from({ length: 9 }, (_, index) => differs(x - 4 + index, y)).some(Boolean)
  expect([edgeAt(200, 180), edgeAt(450, 75), edgeAt(100, 180)]).toEqual([true, true, false])
  await scenes.close()
})

test('nothing is held while nobody may ask, and nothing comes of what is gone or was never seen', async () => {
  const { sent, scenes, see, untilSent } = createRig()
  const seven = trackOf(7, { x: 100, y: 50, width: 50, height: 60 })
  await see(2, [seven], 0, small)
  scenes.request(7, 0)
  scenes.setWanted(true)
  await see(20, [seven], 1_000, small)
  scenes.request(9, 1_000)
  scenes.request(7, 1_000)
  await untilSent(3)
  expect(sent.map(({ trackId, jpeg }) => [trackId, jpeg !== null])).toEqual([
    [7, false],
    [9, false],
    [7, true],
  ])
  // The first frames have left the ring: it is the oldest that is held.
  const { rgbAt } = await decodedJpeg(sent[2]!.jpeg!)
  expect(Math.abs(rgbAt(20, 20)[0]! - 120)).toBeLessThan(12)
  scenes.setWanted(false)
  scenes.request(7, 4_800)
  expect(sent.at(-1)).toEqual({ trackId: 7, takenAtMs: 4_800, jpeg: null })
  await scenes.close()
  expect(sent).toHaveLength(4)
})

test('what is asked for is encoded five times a second, and no more waits than can be held', async () => {
  const { clock, sent, scenes, see, untilSent } = createRig()
  scenes.setWanted(true)
  await see(1, [trackOf(7)])
  for (let index = 0; index < 100; index++) scenes.request(7, index)
  const startedAt = clock.steady()
  await untilSent(100)
  expect(sent.filter(({ jpeg }) => jpeg !== null)).toHaveLength(17)
  expect(clock.steady() - startedAt).toBeGreaterThanOrEqual(16 * 200)
  await clock.advance(10_000)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(sent).toHaveLength(100)
  await scenes.close()
})

test('a small picture stays as large as it is, and what waits at the end is given up', async () => {
  const { sent, scenes, untilSent } = createRig()
  scenes.setWanted(true)
  const frame = frameOf(90, { width: 320, height: 240 })
  scenes.see(pictureOf(frame, 0), [trackOf(7, { x: 10, y: 10, width: 50, height: 50 })])
  frame.free()
  for (let index = 0; index < 3; index++) scenes.request(7, 0)
  await untilSent(1)
  await scenes.close()
  expect(await decodedJpeg(sent[0]!.jpeg!)).toMatchObject({ width: 320, height: 240 })
  expect(sent.length).toBeLessThan(3)
})

test('the memory of what waits at the end is given back', async () => {
  const allocated = watchAllocatedFrames()
  const { scenes, see, clock, untilSent } = createRig()
  scenes.setWanted(true)
  await see(1, [trackOf(7)])
  const sleeping = clock.nextSleep()
  for (let index = 0; index < 3; index++) scenes.request(7, 0)
  await untilSent(1)
  await sleeping
  await scenes.close()
  expect(allocated()).toBe(0)
})
