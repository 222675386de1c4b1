import { expect, test } from 'vitest'
import { MAX_AHEAD_MS } from '../stream-lead.ts'
import { createStreamClock } from './stream-clock.ts'

/** One frame a row: when it arrives, and its own time. Answers where each stands, from the first one's own time on. */
function place(frames: readonly (readonly [arrivedAtMs: number, ptsMs: number])[], openingMs = 0): number[] {
  let nowMs = 0
  const clock = createStreamClock(openingMs, () => nowMs)
  return frames.map(([arrivedAtMs, ptsMs]) => {
    nowMs = arrivedAtMs
    return ptsMs + clock.shiftOf(0, ptsMs) - frames[0]![1]
  })
}

test.each([
  {
    name: 'a stream in step keeps its own times',
    frames: [
      [0, 5000],
      [40, 5040],
      [85, 5080],
    ],
    at: [0, 40, 80],
  },
  {
    name: 'a stall and what comes after it too',
    frames: [
      [0, 0],
      [9000, 40],
      [9000, 9000],
    ],
    at: [0, 40, 9000],
  },
  {
    name: 'a clock that is set forward goes on where it was',
    frames: [
      [0, 0],
      [40, 3_600_000],
      [80, 3_600_040],
    ],
    at: [0, 40, 80],
  },
  {
    name: 'and so does one that is set back',
    frames: [
      [0, 9e6],
      [40, 0],
      [80, 40],
    ],
    at: [0, 40, 80],
  },
  {
    name: 'pictures that are shown in another order are no break',
    frames: [
      [0, 0],
      [40, 120],
      [80, 40],
    ],
    at: [0, 120, 40],
  },
  {
    name: 'a time that stands still stands still',
    frames: [
      [0, 0],
      [1000, 0],
      [2000, 0],
    ],
    at: [0, 0, 0],
  },
] as const)('$name', ({ frames, at }) => expect(place(frames)).toEqual(at))

test('what the last keyframe began comes at once, and is as long as it is', () => {
  const opening = Array.from({ length: 100 }, (_, i) => [0, i * 400] as const)
  expect(place(opening, 40_000)).toEqual(opening.map(([, ptsMs]) => ptsMs))
})

test('a time that jumps with every frame is never further than what has passed', () => {
  const frames = Array.from({ length: 2_000 }, (_, i) => [i * 10, i * 70_000] as const)
  for (const [i, at] of place(frames).entries()) expect(at).toBeLessThanOrEqual(i * 10 + MAX_AHEAD_MS)
})

test('nor does one that goes back and forth', () => {
  const frames = Array.from({ length: 2_000 }, (_, i) => [i * 10, (i % 2) * 70_000] as const)
  for (const [i, at] of place(frames).entries()) expect(at).toBeLessThanOrEqual(i * 10 + MAX_AHEAD_MS)
})

test('a stream that stood still for a segment does not make up for it in the next', () => {
  let nowMs = 0
  const clock = createStreamClock(0, () => nowMs)
  clock.beginSegment()
  clock.shiftOf(0, 0)
  nowMs = 3_600_000
  clock.shiftOf(0, 0)
  clock.beginSegment()
  expect(3_600_000 + clock.shiftOf(0, 3_600_000)).toBeLessThanOrEqual(MAX_AHEAD_MS)
})

test('picture and sound are set right each by itself, and stay together', () => {
  let nowMs = 0
  const clock = createStreamClock(0, () => nowMs)
  for (const track of [0, 1]) clock.shiftOf(track, 0)
  nowMs = 20
  const far = 3_600_000
  const [picture, sound] = [0, 1].map((track) => far + clock.shiftOf(track, far))
  expect([picture, sound]).toEqual([20, 20])
})

test('a clock that runs a little fast is left alone, for a day', () => {
  let nowMs = 0
  const clock = createStreamClock(0, () => nowMs)
  clock.beginSegment()
  for (; nowMs < 86_400_000; nowMs += 1_000) expect(clock.shiftOf(0, nowMs * 1.001)).toBe(0)
})
