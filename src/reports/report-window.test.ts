import { expect, test } from 'vitest'
import { openReportOf } from '../../test/builders/report.ts'
import { isTrackLive, windowStart } from './report-window.ts'

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
  expect(windowStart({ ...report, ...change }, 3, NOON + 500)).toBe(until - 3 * MINUTE)
})

test('a track is live while its process is, and it was seen within two seconds', () => {
  const live = { ...report, isLive: true, lastFrame: { takenAt: 10_000, heardAt: 50_000 } }
  expect(isTrackLive(live, 9_000, 51_000)).toBe(true)
  expect(isTrackLive(live, 9_000, 51_001)).toBe(false)
  expect(isTrackLive({ ...live, isLive: false }, 10_000, 50_000)).toBe(false)
})
