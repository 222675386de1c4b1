import { expect, test } from 'vitest'
import { forecastMinutes } from './minutes-forecast.ts'

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
