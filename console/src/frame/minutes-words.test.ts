import { expect, test } from 'vitest'
import { minutesWarning } from './minutes-words.ts'

test.each([
  [0.4, 'less than a minute'],
  [1.9, 'about 1 minute'],
  [119, 'about 119 minutes'],
  [1439, 'about 23 hours'],
])('minutes for %d more last “%s”', (lasts_minutes, words) => {
  expect(minutesWarning({ minutes_low: true, lasts_minutes })).toContain(`last ${words} at what runs now`)
})

test.each([null, 5000])('where they last, nothing is said', (lasts_minutes) => {
  expect(minutesWarning({ minutes_low: false, lasts_minutes })).toBe('')
})

test('where there are none, that is said, though nothing runs', () => {
  expect(minutesWarning({ minutes_low: true, lasts_minutes: 0 })).toContain('no minutes left')
})
