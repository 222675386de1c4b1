import { describe, expect, test } from 'vitest'
import { type Frame } from './stream-writer.ts'
import { createWaitingFrames } from './waiting-frames.ts'

const sound = (presentationMs = 0, arrivedAtMs = 0): Frame => ({
  kind: 'audio',
  unit: Buffer.of(1),
  presentationMs,
  arrivedAtMs,
})
const picture = (units: number): Frame => ({
  kind: 'video',
  unit: Array.from({ length: units }, () => Buffer.of(1)),
  presentationMs: 0,
  arrivedAtMs: 0,
})

test.each([
  { name: 'nothing', frames: [], spanMs: 0 },
  { name: 'one frame', frames: [sound(70, 90)], spanMs: 0 },
  { name: 'a live stream that arrives late', frames: [sound(0, 0), sound(20, 30), sound(40, 500)], spanMs: 500 },
  { name: 'a file that is sent at once', frames: [sound(0, 0), sound(700, 5)], spanMs: 700 },
])('$name spans $spanMs ms', ({ frames, spanMs }) => {
  const waiting = createWaitingFrames()
  for (const frame of frames) waiting.add(frame, 1)
  expect(waiting.spanMs).toBe(spanMs)
})

describe('it is full', () => {
  test.each([
    { name: 'at 500 frames', count: 500, frame: sound(), bytes: 1 },
    { name: 'at 8 MB', count: 2, frame: picture(1), bytes: 4 * 1024 * 1024 },
    { name: 'at 16384 NAL units', count: 16, frame: picture(1024), bytes: 1024 },
  ])('$name, and empty again when it is drained', ({ count, frame, bytes }) => {
    const waiting = createWaitingFrames()
    for (let added = 0; added < count; added++) {
      expect(waiting.isFull).toBe(false)
      waiting.add(frame, bytes)
    }
    expect(waiting.isFull).toBe(true)
    expect(waiting.drain()).toHaveLength(count)
    expect(waiting.isFull).toBe(false)
    expect(waiting.drain()).toEqual([])
  })
})
