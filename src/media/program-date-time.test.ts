import { expect, test } from 'vitest'
import { createProgramDateTime } from './program-date-time.ts'

const NOON = Date.UTC(2026, 5, 1, 12)

test('a burst of older pictures is dated by the picture that waited least', () => {
  const clock = createProgramDateTime()
  for (const pts of [0, 0.5, 1]) clock.observe(pts, NOON, undefined)
  expect(clock.at(0)).toBe(NOON - 1000)
  expect(clock.at(2)).toBe(NOON + 1000)
})

test('the sender’s clock wins, unless it is far off', () => {
  const clock = createProgramDateTime()
  clock.observe(0, NOON, NOON - 250)
  expect(clock.at(0)).toBe(NOON - 250)
  clock.observe(1, NOON + 1000, NOON - 3_600_000)
  expect(clock.at(1)).toBe(NOON + 750)
})

test('a clock that is five minutes off dates playlists as it dates scenes', () => {
  const clock = createProgramDateTime()
  clock.observe(0, NOON, NOON - 300_000)
  expect(clock.at(0)).toBe(NOON - 300_000)
})

test('a drifting source is followed', () => {
  const clock = createProgramDateTime()
  clock.observe(0, NOON, undefined)
  for (let second = 1; second <= 30; second++) clock.observe(second, NOON + second * 1010, undefined)
  expect(clock.at(30)).toBeGreaterThan(NOON + 30_050)
})

test('also after our own clock was set back', () => {
  const clock = createProgramDateTime()
  clock.observe(0, NOON, undefined)
  const set = NOON - 3_600_000
  for (let second = 1; second <= 30; second++) clock.observe(second, set + second * 1010, undefined)
  expect(clock.at(30)).toBeGreaterThan(set + 30_050)
})
