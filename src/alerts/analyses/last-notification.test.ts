import { expect, test } from 'vitest'
import { createLastNotification, eitherOf } from './last-notification.ts'

test.each([
  ['the same frame', 50_000, true],
  ['one before it, which another process saw later', 49_500, true],
  ['within the time', 59_999, true],
  ['after it', 60_000, false],
  ['a clock that was set back', 20_000, false],
])('is a frame within the cooldown: %s', (_what, takenAtMs, isWithin) => {
  const last = createLastNotification()
  expect(last.isWithin(10_000, takenAtMs)).toBe(false)
  last.note(50_000)
  expect(last.isWithin(10_000, takenAtMs)).toBe(isWithin)
})

test('of two each counts, and each is noted', () => {
  const [own, shared] = [createLastNotification(), createLastNotification()]
  const both = eitherOf(own, shared)
  both.note(50_000)
  // Another process, at another place of the same file.
  shared.note(300_000)
  expect(both.isWithin(10_000, 55_000)).toBe(true)
  expect(both.isWithin(10_000, 305_000)).toBe(true)
  expect(both.isWithin(10_000, 100_000)).toBe(false)
})
