import { beforeEach, expect, test, vi } from 'vitest'
import { firstPicture } from './first-picture.js'

beforeEach(() => void vi.useFakeTimers())
const createVideo = () => new EventTarget() as HTMLVideoElement

test('a picture in time is waited for, and nothing stays behind', async () => {
  const video = createVideo()
  const picture = firstPicture(video, 6_000, new AbortController().signal)
  video.dispatchEvent(new Event('loadeddata'))
  await picture
  expect(vi.getTimerCount()).toBe(0)
})

test('without a picture it is over after the time that was given', async () => {
  const failure = expect(firstPicture(createVideo(), 6_000)).rejects.toThrow('No picture came through.')
  await vi.advanceTimersByTimeAsync(6_000)
  await failure
})

test('whoever lets go waits no longer', async () => {
  const leaving = new AbortController()
  const pending = expect(firstPicture(createVideo(), 6_000, leaving.signal)).rejects.toThrow()
  leaving.abort()
  await pending
  await expect(firstPicture(createVideo(), 6_000, leaving.signal)).rejects.toThrow()
  expect(vi.getTimerCount()).toBe(0)
})
