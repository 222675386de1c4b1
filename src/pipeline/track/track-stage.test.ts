import { expect, test } from 'vitest'
import { aPicture, type FakePicture } from '../../../test/builders/picture.ts'
import { type Detection } from '../../core/detection.ts'
import { type SeenPicture, type TrackedPicture } from '../picture.ts'
import { createStageTracker, track, type Unsettled, withoutTracking } from './track-stage.ts'

const person = (confidence: number, change: Partial<Detection['box']> = {}): Detection => ({
  box: { x: 40, y: 20, width: 20, height: 50, ...change },
  confidence,
  classId: 1,
  className: 'person',
})

/** Ten pictures a second with these detections. */
async function run(
  stage: ReturnType<typeof track>,
  frames: readonly SeenPicture['detections'][],
  size = { width: 200, height: 100 },
) {
  async function* pictures(): AsyncGenerator<FakePicture> {
    for (const [index, detections] of frames.entries()) yield aPicture({ timeMs: index * 100, detections, ...size })
  }
  const out: TrackedPicture[] = []
  for await (const picture of stage(pictures())) out.push(picture)
  return out.map(({ tracks }) => tracks)
}

const greyOf = () => ({ width: 32, height: 16, stride: 32, data: new Uint8Array(32 * 16).fill(99) })
const unsettled: Unsettled[] = []
const tracking = (confidence: number | null, firstTrackId = 1) =>
  track({
    tracker: createStageTracker(firstTrackId, confidence),
    confidence,
    onCameraMotion: () => {},
    onUnsettled: (where) => unsettled.push(where),
    greyOf,
  })
const still = (confidence: number, count = 8) => Array.from({ length: count }, () => [person(confidence)])

test('who stays keeps the id, and the first id is the given one', async () => {
  const tracks = await run(tracking(null, 41), still(0.8))
  expect(new Set(tracks.flat().map(({ id }) => id))).toEqual(new Set([41]))
  expect(tracks.at(-1)).toMatchObject([{ id: 41, classId: 1, className: 'person', confidence: 0.8 }])
})

test('only what was matched in this picture is seen', async () => {
  const tracks = await run(tracking(null), [...still(0.8), [], [], [person(0.8)]])
  expect(tracks.slice(-4).map(({ length }) => length)).toEqual([1, 0, 0, 1])
})

test('what stands still is seen on, and is the same after any time', async () => {
  const stands = Array.from({ length: 300 }, () => 'unchanged' as const)
  const tracks = await run(tracking(null), [...still(0.8), ...stands, ...still(0.8)])
  expect(new Set(tracks.slice(8).map((seen) => seen.map(({ id }) => id).join()))).toEqual(new Set(['1']))
  const alone = await run(withoutTracking(0.3), [[person(0.9)], 'unchanged', []])
  expect(alone.map(({ length }) => length)).toEqual([1, 1, 0])
})

test('who stands still stays the same when pictures come only every two seconds', async () => {
  const pictures = [...still(0.8), ...Array.from({ length: 20 }, () => 'unchanged' as const), ...still(0.8)]
  async function* seldom(): AsyncGenerator<FakePicture> {
    for (const [index, detections] of pictures.entries()) {
      const timeMs = index * 100 + Math.max(0, Math.min(20, index - 8)) * 1_900
      yield aPicture({ timeMs, detections })
    }
  }
  const seen: string[] = []
  for await (const { tracks } of tracking(null)(seldom())) seen.push(tracks.map(({ id }) => id).join())
  expect(new Set(seen.slice(8))).toEqual(new Set(['1']))
})

test('it is said where something is not yet believed, moves, or is missed', async () => {
  unsettled.length = 0
  const walking = [42, 44, 46, 48, 50, 52].map((x) => [person(0.8, { x })])
  await run(tracking(null), [...still(0.8), ...walking, []])
  const settled = { restless: [], tentative: [] }
  expect(unsettled[0]).toMatchObject({ restless: [], tentative: [{ x: 40 }] })
  expect(unsettled[7]).toEqual(settled)
  expect(unsettled.at(-2)).toMatchObject({ restless: [{ x: expect.closeTo(52, 0) }], tentative: [] })
  expect(unsettled.at(-1)!.restless).toHaveLength(1)
})

test('what is less certain than asked for is followed but not seen', async () => {
  const tracks = await run(tracking(0.6), [...still(0.8), [person(0.5)], [person(0.8)]])
  expect(tracks.slice(-3).map((seen) => seen.map(({ id }) => id))).toEqual([[1], [], [1]])
  expect((await run(tracking(0.6), still(0.5))).flat()).toEqual([])
})

test('boxes are seen inside the picture', async () => {
  const outside = Array.from({ length: 8 }, () => [person(0.9, { x: -8, y: 80, height: 60 })])
  const [seen] = (await run(tracking(null), outside)).at(-1)!
  const { x, y, width, height } = seen!.box
  expect([x, y + height]).toEqual([0, 100])
  expect(width).toBeLessThan(20)
})

test('without tracking every id is 0, and everything stands for itself', async () => {
  const tracks = await run(withoutTracking(0.3), [[person(0.9, { x: 190 }), person(0.2), person(0.3)], []])
  expect(tracks[0]!.map(({ id, confidence }) => [id, confidence])).toEqual([
    [0, 0.9],
    [0, 0.3],
  ])
  expect(tracks[0]![0]!.box).toMatchObject({ x: 190, width: 10 })
  expect(tracks[1]).toEqual([])
})

test('what may be identified again at a distance is followed at two pictures a second', () => {
  const at = (x: number) => ({
    box: { x, y: 100, width: 30, height: 20 },
    confidence: 0.6,
    classId: 0,
    className: 'drone',
  })
  const idsWith = (reidentifyDistance?: number) => {
    const tracker = createStageTracker(1, null, { typicalConfidence: 0.65, reidentifyDistance })
    // Four of its sizes from picture to picture, back and forth.
    const xs = [100, 200, 300, 400, 300, 200, 100, 200]
    return xs.flatMap((x, index) => tracker.update({ timeMs: 500 * index, detections: [at(x)] }).map(({ id }) => id))
  }
  expect(new Set(idsWith(4))).toEqual(new Set([1]))
  expect(idsWith()).toEqual([])
})
