import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CameraMotion } from './camera-motion.ts'
import { type TrackerInput } from './live-track.ts'
import { type Track } from './track.ts'
import { createTracker } from './tracker.ts'

const person = (x: number, y: number, confidence = 0.9): TrackerInput => ({
  box: { x, y, width: 40, height: 100 },
  confidence,
  classId: 0,
  className: 'person',
})

const activeOf = (tracks: readonly Track[]): Track[] =>
  tracks.filter(({ isConfirmed, matchedNow }) => isConfirmed && matchedNow)
const idsOf = (tracks: readonly Track[]): number[] => activeOf(tracks).map(({ id }) => id)

/** Feeds frames at a rate; `scene` gives the detections at a time in seconds. Answers the tracks of each frame. */
function follow(
  times: readonly number[],
  scene: (seconds: number, frame: number) => TrackerInput[],
  tracker = createTracker(),
) {
  return times.map((seconds, frame) => tracker.update({ timeMs: seconds * 1000, detections: scene(seconds, frame) }))
}

const atRate = (fps: number, seconds: number): number[] =>
  Array.from({ length: Math.round(fps * seconds) }, (_, frame) => frame / fps)

test('nothing comes of nothing', () => {
  expect(follow(atRate(10, 2), () => []).flat()).toEqual([])
  expect(createTracker().predictAt(0)).toEqual([])
})

test('a confident object is confirmed at its second detection, a single flash never', () => {
  const walking = follow(atRate(10, 1), (t) => [person(100 + 50 * t, 100)])
  expect(walking.map((tracks) => idsOf(tracks).length).slice(0, 3)).toEqual([0, 1, 1])
  const flash = follow(atRate(10, 2), (_, frame) => (frame === 3 ? [person(100, 100, 0.99)] : []))
  expect(flash.flat()).toEqual([])
})

test('a faint object takes more detections than a bright one', () => {
  const seenAfter = (confidence: number) =>
    follow(atRate(10, 4), () => [person(100, 100, confidence)]).findIndex((tracks) => tracks.length > 0)
  expect(seenAfter(0.45)).toBeGreaterThan(seenAfter(0.9))
  expect(seenAfter(0.45)).toBeLessThan(40)
})

test.each([0.5, 1, 3, 10, 25, 60])('a walker keeps one id at %d frames a second', (fps) => {
  // 0.3 of a body height a second: about what a person does, seen from a distance.
  const result = follow(atRate(fps, 30), (t) => [person(100 + 30 * t, 100 + 5 * t)])
  expect(new Set(result.flatMap(idsOf))).toEqual(new Set([1]))
})

test('uneven frames, some lost, change nothing about identity', () => {
  let state = 7
  const random = () => (state = (state * 16807) % 2147483647) / 2147483647
  const times: number[] = []
  for (let t = 0; t < 30; t += random() < 0.1 ? 0.6 * random() : 0.02 + 0.1 * random()) times.push(t)
  const result = follow(times, (t) => [person(100 + 60 * t, 100), person(900 - 20 * t, 300)])
  expect(new Set(result.flatMap(idsOf))).toEqual(new Set([1, 2]))
})

test('people who cross keep their ids, though one is hidden meanwhile', () => {
  const scene = (t: number): TrackerInput[] => {
    const right = person(100 + 80 * t, 100)
    const left = person(500 - 80 * t, 104)
    // Where they overlap by more than half the detector sees only the one in front.
    return Math.abs(right.box.x - left.box.x) < 22 ? [right] : [right, left]
  }
  const result = follow(atRate(10, 5), scene)
  const early = activeOf(result[10]!)
  const late = activeOf(result.at(-1)!)
  expect(early).toHaveLength(2)
  for (const { id, box } of early) {
    const after = late.find((track) => track.id === id)!
    expect(Math.sign(after.box.x - box.x)).toBe(box.x < 300 ? 1 : -1)
  }
  expect(new Set(result.flatMap(idsOf)).size).toBe(2)
})

test('a track that coasts is found again where it was heading', () => {
  const result = follow(atRate(10, 6), (t) => (t > 2 && t < 3.2 ? [] : [person(100 + 60 * t, 100)]))
  const hidden = result[26]!
  expect(hidden).toMatchObject([{ id: 1, matchedNow: false }])
  expect(hidden[0]!.missingMs).toBeCloseTo(600)
  expect(Math.abs(hidden[0]!.box.x - 256)).toBeLessThan(12)
  expect(new Set(result.flatMap(idsOf))).toEqual(new Set([1]))
})

test('a loss of the stream under two seconds keeps ids, a longer one gives new ones, never old ones again', () => {
  const tracker = createTracker()
  const standing = () => [person(100, 100), person(400, 100)]
  const ids = (from: number) =>
    new Set(
      follow(
        atRate(10, 2).map((t) => t + from),
        standing,
        tracker,
      ).flatMap(idsOf),
    )
  expect(ids(0)).toEqual(new Set([1, 2]))
  expect(ids(3.8)).toEqual(new Set([1, 2]))
  expect(ids(10)).toEqual(new Set([3, 4]))
})

test('time that starts anew, as a file played again, starts new tracks', () => {
  const tracker = createTracker()
  const ids = () => new Set(follow(atRate(10, 3), () => [person(100, 100)], tracker).flatMap(idsOf))
  expect(ids()).toEqual(new Set([1]))
  expect(ids()).toEqual(new Set([2]))
})

test('the same frame time twice and small steps back do no harm', () => {
  const result = follow([0, 0.1, 0.1, 0.2, 0.15, 0.3, 0.4], (t) => [person(100 + 40 * t, 100)])
  expect(idsOf(result.at(-1)!)).toEqual([1])
})

test('a time that is no number is refused', () => {
  expect(() => createTracker().update({ timeMs: NaN, detections: [] })).toThrow(/frame's time/)
})

test('confusions of car and truck neither split a track nor change its name back and forth', () => {
  const vehicle = (t: number, frame: number): TrackerInput[] => {
    const isTruck = frame % 3 === 2
    return [
      {
        ...person(100 + 90 * t, 100, isTruck ? 0.6 : 0.8),
        classId: isTruck ? 7 : 2,
        className: isTruck ? 'truck' : 'car',
      },
    ]
  }
  const result = follow(atRate(10, 5), vehicle).flatMap(activeOf)
  expect(new Set(result.map(({ id }) => id))).toEqual(new Set([1]))
  expect(new Set(result.map(({ className }) => className))).toEqual(new Set(['car']))
})

test('one object that the detector names twice is one track', () => {
  const twice = (t: number) => [
    person(100 + 50 * t, 100),
    { ...person(101 + 50 * t, 101, 0.7), classId: 7, className: 'truck' },
  ]
  expect(new Set(follow(atRate(10, 3), twice).flatMap((tracks) => tracks.map(({ id }) => id)))).toEqual(new Set([1]))
})

test('weak detections carry a track on, but never start one', () => {
  const fading = follow(atRate(10, 3), (t) => [person(100 + 40 * t, 100, t > 1 && t < 2 ? 0.45 : 0.9)])
  expect(fading.slice(2).every((tracks) => idsOf(tracks).length === 1)).toBe(true)
  expect(follow(atRate(10, 5), () => [person(100, 100, 0.25)]).flat()).toEqual([])
})

test('boxes that no object can have are passed over', () => {
  const odd = [
    { x: NaN, y: 1, width: 5, height: 5 },
    { x: 1, y: 1, width: Infinity, height: 5 },
    { x: 1, y: 1, width: 0, height: 5 },
    { x: 9, y: 9, width: -5, height: -5 },
  ].map((box) => ({ ...person(0, 0), box }))
  const result = follow(atRate(10, 2), (t) => [...odd, person(100 + 40 * t, 100), person(50, 50, NaN)])
  expect(new Set(result.flatMap((tracks) => tracks.map(({ id }) => id)))).toEqual(new Set([1]))
})

test('tracks are predicted between detections, coasting ones too', () => {
  const tracker = createTracker()
  follow(atRate(10, 3), (t) => [person(100 + 60 * t, 100), ...(t < 2.5 ? [person(400, 300 - 30 * t)] : [])], tracker)
  const predicted = tracker.predictAt(3100)
  expect(predicted.map(({ id }) => id)).toEqual([1, 2])
  expect(Math.abs(predicted[0]!.box.x - 286)).toBeLessThan(5)
  expect(Math.abs(predicted[1]!.box.y - 207)).toBeLessThan(8)
})

/** The view moves by `dx` pixels between two frames. */
const shift = (dx: number): CameraMotion => ({ transform: [1, 0, dx, 0, 1, 0, 0, 0, 1], confidence: 1, isCut: false })

test('a jerk of the camera is made good by its motion, and costs the ids without', () => {
  const jerked = (cameraMotion: boolean) => {
    const tracker = createTracker()
    const ids = new Set<number>()
    for (let frame = 0; frame < 40; frame++) {
      const offset = frame < 20 ? 0 : 90
      const detections = [person(100 + offset, 100), person(160 + offset, 100), person(400 + offset, 120)]
      const motion = cameraMotion ? { cameraMotion: shift(frame === 20 ? 90 : 0) } : {}
      idsOf(tracker.update({ timeMs: frame * 100, detections, ...motion })).forEach((id) => ids.add(id))
    }
    return ids.size
  }
  expect(jerked(true)).toBe(3)
  expect(jerked(false)).toBeGreaterThan(3)
})

test('with a panning camera, predictions go along with the picture', () => {
  const tracker = createTracker()
  for (let frame = 0; frame < 20; frame++) {
    tracker.update({ timeMs: frame * 100, detections: [person(600 - 20 * frame, 100)], cameraMotion: shift(-20) })
  }
  const [track] = tracker.predictAt(1950)
  expect(Math.abs(track!.box.x - 210)).toBeLessThan(4)
})

test('a cut ends all tracks', () => {
  const tracker = createTracker()
  follow(atRate(10, 2), () => [person(100, 100)], tracker)
  const cut: CameraMotion = { ...shift(0), isCut: true }
  const after = tracker.update({ timeMs: 2000, detections: [person(100, 100)], cameraMotion: cut })
  expect(after).toEqual([])
  expect(idsOf(tracker.update({ timeMs: 2100, detections: [person(100, 100)] }))).toEqual([2])
})

test('whatever comes, ids start at 1, are never used twice, and no two tracks share one', () => {
  const detection = fc.record({
    box: fc.record({
      x: fc.nat(600),
      y: fc.nat(400),
      width: fc.integer({ min: -5, max: 200 }),
      height: fc.integer({ min: 0, max: 200 }),
    }),
    confidence: fc.double({ min: 0, max: 1 }),
    classId: fc.nat(2),
    className: fc.constant('thing'),
  })
  const frame = fc.record({
    stepMs: fc.integer({ min: -20, max: 900 }),
    detections: fc.array(detection, { maxLength: 6 }),
  })
  fc.assert(
    fc.property(fc.array(frame, { maxLength: 30 }), (frames) => {
      const tracker = createTracker()
      const gone = new Set<number>()
      let alive = new Set<number>()
      let timeMs = 0
      for (const { stepMs, detections } of frames) {
        timeMs += stepMs
        const tracks = tracker.update({ timeMs, detections })
        const ids = new Set(tracks.map(({ id }) => id))
        expect(ids.size).toBe(tracks.length)
        for (const id of ids) expect(Number.isInteger(id) && id >= 1 && !gone.has(id)).toBe(true)
        for (const { box } of tracks) expect(Object.values(box).every(Number.isFinite)).toBe(true)
        for (const id of alive) if (!ids.has(id)) gone.add(id)
        alive = ids
      }
    }),
  )
})

test('a person among 200 costs not much more than one among 20', () => {
  const costOf = (people: number) => {
    const crowd = (t: number) =>
      Array.from({ length: people }, (_, i) => person(70 * (i % 20) + 10 * t, 110 * Math.floor(i / 20)))
    const tracker = createTracker()
    follow(atRate(10, 1), crowd, tracker)
    const before = process.cpuUsage()
    follow(
      atRate(10, 2000 / people).map((t) => t + 1),
      crowd,
      tracker,
    )
    const { user, system } = process.cpuUsage(before)
    return user + system
  }
  const cheapestOf = (people: number) => Math.min(...Array.from({ length: 3 }, () => costOf(people)))
  // So many more pictures that both have as many people to follow; ten times as much each would be the square. The least is what
  // it costs: a collection of garbage that others left comes on top.
  expect(cheapestOf(200) / cheapestOf(20)).toBeLessThan(10)
})

test('1000 boxes on one heap stay bounded', () => {
  const heap = (t: number) => Array.from({ length: 1200 }, (_, i) => person(((i * 37) % 400) + t, (i * 91) % 300))
  const tracks = follow(atRate(10, 0.4), heap).at(-1)!
  expect(tracks.length).toBeLessThanOrEqual(1000)
}, 20_000)

test('time in which nothing changes has not passed', () => {
  const tracker = createTracker()
  follow(atRate(10, 1), () => [person(100, 100)], tracker)
  for (let seconds = 1; seconds < 60; seconds++) tracker.hold(seconds * 1000)
  expect(idsOf(tracker.update({ timeMs: 60_000, detections: [person(100, 100)] }))).toEqual([1])
  const [expected] = tracker.predictAt(60_500)
  expect(expected!.box.x).toBeCloseTo(100, 0)
})
