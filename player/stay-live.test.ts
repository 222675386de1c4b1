import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { stayLive } from './stay-live.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function watch(latency: number, targetLatency: number | null = 1) {
  const video = { paused: false, currentTime: 40 }
  const hls = { latency, targetLatency, liveSyncPosition: 60 }
  const leaving = new AbortController()
  stayLive(hls, video as HTMLVideoElement, leaving.signal)
  return { video, hls, leaving }
}

test('a viewer who is far behind is brought to what is new', async () => {
  const { video, leaving } = watch(3.1)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(video.currentTime).toBe(60)
  leaving.abort()
  expect(vi.getTimerCount()).toBe(0)
})

test.each([
  ['one who is a little behind', 2.9, 1],
  ['one of whom nobody knows yet how late to be', 9, null],
])('%s is left to hls.js', async (_who, latency, targetLatency) => {
  const { video, leaving } = watch(latency, targetLatency)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(video.currentTime).toBe(40)
  leaving.abort()
})

test('a video that is paused stays where it is, until it goes on', async () => {
  const { video, leaving } = watch(9)
  video.paused = true
  await vi.advanceTimersByTimeAsync(10_000)
  expect(video.currentTime).toBe(40)
  video.paused = false
  await vi.advanceTimersByTimeAsync(2_000)
  expect(video.currentTime).toBe(60)
  leaving.abort()
})
