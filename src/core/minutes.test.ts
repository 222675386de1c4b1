import { describe, expect, test } from 'vitest'
import { forecastMinutes, isWarningNew, toMinutesLowFields } from './minutes.ts'

describe('minutes forecast', () => {
  const DAY = 86_400

  test.each([
    { name: 'nothing runs', remaining: 60, running: 0, lasts: null, isLow: false },
    { name: 'nothing runs, and nothing can', remaining: 0, running: 0, lasts: 0, isLow: true },
    { name: 'a day for one', remaining: DAY, running: 1, lasts: DAY, isLow: false },
    { name: 'just less', remaining: DAY - 1, running: 1, lasts: DAY - 1, isLow: true },
    { name: 'four share them', remaining: 3 * DAY, running: 4, lasts: 64_800, isLow: true },
    { name: 'a small debt', remaining: -5, running: 1, lasts: 0, isLow: true },
    { name: 'unlimited', remaining: 0, running: 4, isUnlimited: true, lasts: null, isLow: false },
  ])('$name', ({ remaining, running, isUnlimited = false, lasts, isLow }) => {
    const balance = { isUnlimited, remainingSeconds: remaining, consumedSeconds: 0, pendingSeconds: 0 }
    expect(forecastMinutes(balance, running)).toEqual({
      remainingSeconds: remaining,
      runningProcesses: running,
      lastsSeconds: lasts,
      isLow,
    })
  })
})

describe('minutes low', () => {
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
})
