import { expect, test } from 'vitest'
import { createLastSeenTracker, newestSeen } from './last-seen.ts'

function setUp(initialAtMs: number | null = null) {
  const clock = { nowMs: 1_000_000, steadyMs: 0 }
  const tracker = createLastSeenTracker({ now: () => clock.nowMs, steady: () => clock.steadyMs }, initialAtMs)
  const wait = (ms: number) => {
    clock.nowMs += ms
    clock.steadyMs += ms
  }
  return { clock, tracker, wait }
}

test('before the first time there is nothing', () => {
  expect(setUp().tracker.last).toBeNull()
})

test('what came a moment ago is as old as that', () => {
  const { tracker, wait } = setUp()
  tracker.note(999_400)
  wait(1_000)
  expect(tracker.last).toEqual({ atMs: 999_400, ageMs: 1_600 })
  tracker.note()
  expect(tracker.last).toEqual({ atMs: 1_001_000, ageMs: 0 })
})

test('setting the wall clock changes no age, and what is said again is no news', () => {
  const { clock, tracker, wait } = setUp()
  tracker.note()
  wait(2_000)
  clock.nowMs += 3_600_000
  tracker.note(1_000_000)
  expect(tracker.last).toEqual({ atMs: 1_000_000, ageMs: 2_000 })
  clock.nowMs -= 7_200_000
  tracker.note()
  expect(tracker.last).toEqual({ atMs: clock.nowMs, ageMs: 0 })
})

test.each([
  { name: 'what is known from before has an age by the wall clock', atMs: 940_000, ageMs: 60_000 },
  { name: 'a time ahead of ours is now', atMs: 1_060_000, ageMs: 0 },
])('$name', ({ atMs, ageMs }) => expect(setUp(atMs).tracker.last).toEqual({ atMs, ageMs }))

test('of several the newest counts', () => {
  const [old, young] = [
    { atMs: 1, ageMs: 9 },
    { atMs: 5, ageMs: 5 },
  ]
  expect(newestSeen([null, old, young, null])).toBe(young)
  expect(newestSeen([null])).toBeNull()
})
