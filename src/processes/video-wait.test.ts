import { beforeEach, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
import { aProcess } from '../../test/builders/process.ts'
import { type ProcessCondition } from './process-status.ts'
import { startVideoWait, type VideoWait } from './video-wait.ts'

let clock: FakeClock
let condition: ProcessCondition
let rests: number
let launched: () => void
let wait: VideoWait
let isVideoThere: boolean
beforeEach(() => {
  clock = createFakeClock()
  condition = { link: 'waiting', trouble: null, isPaused: false }
  rests = 0
  isVideoThere = false
  launched = () => {
    throw new Error('nothing was woken')
  }
  const { options } = aProcess()
  wait = startVideoWait({
    record: { current: aProcess({ state: 'waiting', options: { ...options, begins: 'each-time-live' } }) },
    status: {
      get condition() {
        return condition
      },
      update: (change) => void (condition = { ...condition, ...change }),
    },
    workers: {
      wake: (onLaunched) => void (launched = () => onLaunched?.()),
      rest: async () => void (rests += 1),
    },
    isVideoThere: () => isVideoThere,
    clock,
    signal: new AbortController().signal,
  })
})

test('the time for the first picture begins with the worker, which may have waited for its turn', async () => {
  wait.onVideo()
  await clock.advance(60_000)
  expect(condition.link).toBe('starting')
  isVideoThere = true
  launched()
  await clock.advance(29_999)
  expect(condition.link).toBe('starting')
  await clock.advance(1)
  expect([condition.link, rests]).toEqual(['waiting', 1])
})

test('the time for the first picture begins anew after a crash before it', async () => {
  wait.onVideo()
  launched()
  await clock.advance(20_000)
  condition = { ...condition, link: 'reconnecting' }
  launched()
  await clock.advance(20_000)
  expect(condition.link).toBe('reconnecting')
  await clock.advance(10_000)
  expect([condition.link, rests]).toEqual(['waiting', 1])
})

test('after the first picture a crash leaves the process reconnecting, without a time limit', async () => {
  wait.onVideo()
  launched()
  wait.onPicture()
  condition = { ...condition, link: 'reconnecting' }
  launched()
  await clock.advance(600_000)
  expect([condition.link, rests]).toEqual(['reconnecting', 0])
})

test('a worker that waits for its turn after a crash is left there', async () => {
  wait.onVideo()
  launched()
  await clock.advance(20_000)
  wait.onWorkerLost()
  condition = { ...condition, link: 'reconnecting' }
  await clock.advance(60_000)
  expect([condition.link, rests]).toEqual(['reconnecting', 0])
})

test.each([
  ['goes before its first picture is waited for again, without a word', false, null],
  ['shows no picture is said to be so', true, expect.stringMatching(/^No picture/) as string],
])('video that %s', async (_what, isThere, trouble) => {
  wait.onVideo()
  launched()
  isVideoThere = isThere
  await clock.advance(30_000)
  expect(condition).toMatchObject({ link: 'waiting', trouble })
})
