import { beforeEach, expect, test, vi } from 'vitest'
import { aPicture, createHandFed, type FakePicture, turn } from '../../test/builders/picture.ts'
import { createPauseSwitch, keepPace } from './pause.ts'
import { type Picture } from './picture.ts'

/** Pulls what comes out of a stage as fast as it comes. */
function collect(pictures: AsyncIterable<Picture>) {
  const times: number[] = []
  const done = (async () => {
    for await (const { timeMs } of pictures) times.push(timeMs)
  })()
  return { times, done }
}

test('a switch that is on from the beginning lets nothing through until it is turned off', async () => {
  const pause = createPauseSwitch(true)
  let isResumed = false
  const resumed = pause.resumed().then(() => void (isResumed = true))
  await turn()
  expect([pause.isPaused, isResumed]).toEqual([true, false])
  pause.set(false)
  await resumed
  expect(pause.isPaused).toBe(false)
})

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
/** A file with a picture every 100 ms. */
function aFile(count: number) {
  const source = createHandFed<FakePicture>()
  for (let index = 0; index < count; index++) source.put(aPicture({ timeMs: index * 100 }))
  source.end()
  return source
}

async function pass(ms: number): Promise<void> {
  for (let at = 0; at < ms; at += 10) {
    await vi.advanceTimersByTimeAsync(10)
    await turn()
  }
}

test('files: in real time each picture comes when its time has come', async () => {
  const { times } = collect(keepPace('realtime', createPauseSwitch(false), new AbortController().signal)(aFile(5)))
  await pass(250)
  expect(times).toEqual([0, 100, 200])
  await pass(200)
  expect(times).toEqual([0, 100, 200, 300, 400])
})

test('files: fast waits for nothing', async () => {
  const { times, done } = collect(keepPace('fast', createPauseSwitch(false), new AbortController().signal)(aFile(5)))
  await done
  expect(times).toHaveLength(5)
})

test('files: after a pause they go on at their picture and their pace', async () => {
  const pause = createPauseSwitch(false)
  const { times } = collect(keepPace('realtime', pause, new AbortController().signal)(aFile(6)))
  await pass(150)
  pause.set(true)
  await pass(1_000)
  // The picture whose time was being waited for still came.
  expect(times).toEqual([0, 100, 200])
  pause.set(false)
  await pass(50)
  expect(times).toEqual([0, 100, 200, 300])
  await pass(100)
  expect(times).toEqual([0, 100, 200, 300, 400])
})

test('files: a stop does not wait for the next picture', async () => {
  const stopping = new AbortController()
  const { times, done } = collect(keepPace('realtime', createPauseSwitch(false), stopping.signal)(aFile(3)))
  await pass(20)
  stopping.abort()
  await done
  expect(times).toEqual([0, 100, 200])
})
