import { expect, test } from 'vitest'
import { moveBy, toEarthFrame } from '../../core/wgs84.ts'
import { createTrackMotion, type GroundMotion, type TrackMotion } from './track-motion.ts'

const start = { latitudeDeg: 51.4, longitudeDeg: -0.9, altitudeM: 80 }

function createRandom(seed: number): () => number {
  let state = seed
  return () => (state = (state * 16807) % 2147483647) / 2147483647
}

function step(motions: TrackMotion, timeMs: number, eastM: number, northM: number, id = 1, from = start) {
  const point = moveBy(from, eastM, northM)
  return motions.update(id, timeMs, point, toEarthFrame(point), 'ground')
}

test('a walk to the east has its speed and course, once it lasted half a second', () => {
  const motions = createTrackMotion()
  const motion = [0, 1, 2, 3, 4, 5, 6].map((i) => step(motions, i * 140, i * 0.14 * 1.4, 0))
  expect(motion.slice(0, 4)).toEqual([undefined, undefined, undefined, undefined])
  expect(motion.at(-1)!.speedMps).toBeCloseTo(1.4, 3)
  expect(motion.at(-1)!.courseDeg!).toBeCloseTo(90, 1)
})

test('jitter of 0.3 m does not shake a walk, and one wild point neither', () => {
  const motions = createTrackMotion()
  const random = createRandom(7)
  let motion: GroundMotion | undefined
  for (let i = 0; i <= 60; i++) {
    const wild = i === 55 ? 8 : 0
    const northM = -1.5 * i * 0.1 + (random() - 0.5) * 0.6 + wild
    motion = step(motions, i * 100, (random() - 0.5) * 0.6, northM)
  }
  expect(motion!.speedMps).toBeGreaterThan(1.2)
  expect(motion!.speedMps).toBeLessThan(1.8)
  expect(Math.abs(motion!.courseDeg! - 180)).toBeLessThan(12)
})

test('something that stands has no course', () => {
  const motions = createTrackMotion()
  const random = createRandom(3)
  let motion: GroundMotion | undefined
  for (let i = 0; i <= 30; i++) motion = step(motions, i * 100, random() * 0.3, random() * 0.3)
  expect(motion!.speedMps).toBeLessThan(0.2)
  expect(motion).not.toHaveProperty('courseDeg')
})

test('a way over the antimeridian is a short one', () => {
  const motions = createTrackMotion()
  const from = { latitudeDeg: 0, longitudeDeg: 179.99999, altitudeM: 0 }
  let motion: GroundMotion | undefined
  for (let i = 0; i <= 10; i++) motion = step(motions, i * 100, i, 0, 1, from)
  expect(motion!.speedMps).toBeCloseTo(10, 2)
})

test('time that runs back, or a long absence, begins anew', () => {
  const motions = createTrackMotion()
  for (let i = 0; i <= 10; i++) step(motions, i * 100, i, 0)
  expect(step(motions, 500, 20, 0)).toBeUndefined()
  for (let i = 0; i <= 10; i++) step(motions, 1000 + i * 100, i, 0)
  expect(step(motions, 60_000, 500, 0)).toBeUndefined()
})

test('a flood of tracks does not fill the memory', () => {
  const motions = createTrackMotion()
  const all = (first: number, last: number, i: number) => {
    for (let id = first; id <= last; id++) step(motions, i * 100, i, 0, id)
  }
  for (let i = 0; i < 8; i++) all(1, 500, i)
  all(501, 1100, 8)
  // A thousand fit: those that were seen longest ago have no past any more.
  expect(step(motions, 900, 9, 0, 500)).toBeDefined()
  expect(step(motions, 900, 9, 0, 1)).toBeUndefined()
})
