import { beforeEach, expect, test, vi } from 'vitest'
import { createFrameGroup, type Frame } from './frame.ts'
import { createPacedQueue } from './paced-queue.ts'
import { createSharedTurns } from './shared-turns.ts'

beforeEach(() => void vi.useFakeTimers())
const frame = (timestamp: number, bytes = 10_000, isKeyframe = false): Frame => ({
  track: 0,
  timestamp,
  packets: [],
  bytes,
  isKeyframe,
})

function createRig() {
  const sent: number[] = []
  const queue = createPacedQueue(
    (_frame, timestamp) => void sent.push(timestamp),
    createSharedTurns(),
    () => Date.now(),
  )
  return { sent, queue }
}

test('frames one at a time go at once', () => {
  const { sent, queue } = createRig()
  for (let i = 0; i < 5; i++) {
    queue.push(frame(i), i)
    expect(sent.length).toBe(i + 1)
    vi.advanceTimersByTime(33)
  }
})

test('many at once go a little at a time, in order, and those that come meanwhile behind them', () => {
  const { sent, queue } = createRig()
  for (let i = 0; i < 10; i++) queue.push(frame(i), i)
  expect(sent).toEqual([0, 1])
  vi.advanceTimersByTime(10)
  expect(sent).toEqual([0, 1, 2, 3])
  queue.push(frame(10), 10)
  vi.advanceTimersByTime(100)
  expect(sent).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  expect(queue.isEmpty).toBe(true)
  expect(vi.getTimerCount()).toBe(0)
})

test('a great heap is gone within a second or so', () => {
  const { sent, queue } = createRig()
  for (let i = 0; i < 150; i++) queue.push(frame(i, 100_000), i)
  vi.advanceTimersByTime(2_500)
  expect(sent.length).toBe(150)
})

test('what is too much is dropped whole, and said', () => {
  const { queue } = createRig()
  const outcomes = Array.from({ length: 20 }, (_, i) => queue.push(frame(i, 1_000_000), i))
  expect(outcomes.indexOf(false)).toBe(17)
  expect(vi.getTimerCount()).toBeLessThanOrEqual(1)
  queue.clear()
})

test('a group begins with a keyframe and is dropped when it grows too large', () => {
  const group = createFrameGroup(25_000)
  group.add(frame(1))
  expect(group.frames()).toEqual([])
  group.add(frame(2, 10_000, true))
  group.add(frame(3))
  expect(group.frames().map(({ timestamp }) => timestamp)).toEqual([2, 3])
  group.add(frame(4))
  expect(group.frames()).toEqual([])
  group.add(frame(5, 10_000, true))
  expect(group.frames().map(({ timestamp }) => timestamp)).toEqual([5])
})
