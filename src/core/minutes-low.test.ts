import { expect, test } from 'vitest'
import { isWarningNew, toMinutesLowFields } from './minutes-low.ts'

const aWarning = (remainingSeconds: number, consumedSeconds = 0) => ({
  accountId: 'a',
  processIds: ['p'],
  remainingSeconds,
  allottedSeconds: remainingSeconds + consumedSeconds,
  lastsSeconds: remainingSeconds,
})

test.each([
  { name: 'the first time', remaining: 86_390, consumed: 10, warnedAllotted: null, isNew: true },
  { name: 'while they are used up', remaining: 60, consumed: 86_340, warnedAllotted: 86_400, isNew: false },
  { name: 'after a pause', remaining: 86_390, consumed: 10, warnedAllotted: 86_400, isNew: false },
  { name: 'after more were given', remaining: 160, consumed: 100, warnedAllotted: 200, isNew: true },
  {
    name: 'after more were given, and used until as few are left as at the last warning',
    remaining: 86_390,
    consumed: 100_000,
    warnedAllotted: 86_400,
    isNew: true,
  },
])('a warning is new $name: $isNew', ({ remaining, consumed, warnedAllotted, isNew }) => {
  expect(isWarningNew(aWarning(remaining, consumed), warnedAllotted)).toBe(isNew)
})

test('who owes minutes has none left', () => {
  expect(toMinutesLowFields({ ...aWarning(-90), lastsSeconds: 0 })).toEqual({
    remaining_minutes: 0,
    lasts_minutes: 0,
    running_processes: 1,
  })
})
