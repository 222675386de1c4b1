import { expect, test } from 'vitest'
import { createLastNotification } from './last-notification.ts'

test.each([
  ['the same frame', 50_000, true],
  ['one before it, which another process saw later', 49_500, true],
  ['within the time', 59_999, true],
  ['after it', 60_000, false],
  ['a clock that was set back', 20_000, false],
])('%s', (_what, takenAtMs, isWithin) => {
  const last = createLastNotification()
  expect(last.isWithin(10_000, takenAtMs)).toBe(false)
  last.note(50_000)
  expect(last.isWithin(10_000, takenAtMs)).toBe(isWithin)
})
