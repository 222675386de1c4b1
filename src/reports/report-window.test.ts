import { expect, test } from 'vitest'
import { openReportOf } from '../../test/builders/report.ts'
import { isTrackLive, windowOf } from './report-window.ts'

const { report } = openReportOf()
const MINUTE = 60_000
const NOON = 43_200_000

test.each([
  {
    name: 'of a live process: up to now',
    change: { isLive: true, lastFrame: { takenAt: NOON, heardAt: NOON } },
    until: NOON + 500,
  },
  {
    name: 'by the stream’s own clock, if that is off',
    change: { isLive: true, lastFrame: { takenAt: NOON - 3_600_000, heardAt: NOON } },
    until: NOON - 3_600_000 + 500,
  },
  {
    name: 'of one that saw nothing yet: up to now',
    change: { isLive: true, lastFrame: null, stoppedAt: null },
    until: NOON + 500,
  },
  {
    name: 'of one that has ended: up to its last frame',
    change: { lastFrame: { takenAt: 99, heardAt: 5 } },
    until: 99,
  },
  { name: 'of one that ended without a frame: up to its end', change: { lastFrame: null, stoppedAt: 77 }, until: 77 },
])('the window $name', ({ change, until }) => {
  const window = windowOf({ ...report, ...change }, { minutes: 3 }, NOON + 500)
  expect(window).toEqual({ from: until - 3 * MINUTE, to: null, minutes: 3 })
})

const NIGHT = NOON + 3_600_000
test.each([
  { name: 'between two moments', requested: { from: NOON, to: NOON + 90_000 }, minutes: 2 },
  { name: 'from a moment on, up to the end', requested: { from: NIGHT - 5 * MINUTE }, minutes: 5 },
  { name: 'up to a moment, from the start', requested: { to: NOON + 7 * MINUTE }, minutes: 7 },
  { name: 'after the end', requested: { from: NIGHT + MINUTE }, minutes: 1 },
])('a window $name has so many minutes', ({ requested, minutes }) => {
  const night = { ...report, startedAt: NOON, lastFrame: { takenAt: NIGHT, heardAt: 5 } }
  expect(windowOf(night, requested, 0)).toEqual({ from: null, to: null, ...requested, minutes })
})

test('a track is live while its process is, and it was seen within two seconds', () => {
  const live = { ...report, isLive: true, lastFrame: { takenAt: 10_000, heardAt: 50_000 } }
  expect(isTrackLive(live, 9_000, 51_000)).toBe(true)
  expect(isTrackLive(live, 9_000, 51_001)).toBe(false)
  expect(isTrackLive({ ...live, isLive: false }, 10_000, 50_000)).toBe(false)
})
