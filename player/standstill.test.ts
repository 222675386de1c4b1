import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { standstill } from './standstill.js'

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', { visibilityState: 'visible' })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function watch() {
  const video = { paused: false, frames: 0, getVideoPlaybackQuality: () => ({ totalVideoFrames: video.frames }) }
  const leaving = new AbortController()
  const onEnd = vi.fn()
  void standstill(video as unknown as HTMLVideoElement, leaving.signal).then(onEnd)
  return { video, leaving, onEnd }
}

test('a picture that stands still for eight seconds is over; one that moves is not', async () => {
  const { video, onEnd } = watch()
  for (let second = 0; second < 20; second++) {
    video.frames++
    await vi.advanceTimersByTimeAsync(1_000)
  }
  await vi.advanceTimersByTimeAsync(7_000)
  expect(onEnd).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(onEnd).toHaveBeenCalledOnce()
})

test('a clock that is set ends nothing', async () => {
  const { leaving, onEnd } = watch()
  await vi.advanceTimersByTimeAsync(1_000)
  vi.setSystemTime(Date.now() + 3_600_000)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(onEnd).not.toHaveBeenCalled()
  leaving.abort()
})

test('a video that is paused may stand still', async () => {
  const { video, leaving, onEnd } = watch()
  video.paused = true
  await vi.advanceTimersByTimeAsync(60_000)
  expect(onEnd).not.toHaveBeenCalled()
  leaving.abort()
  await vi.advanceTimersByTimeAsync(0)
  expect(vi.getTimerCount()).toBe(0)
})
