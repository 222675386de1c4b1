import { expect, test } from 'vitest'
import { toGrid } from './steps.ts'

const NOW = Date.UTC(2026, 10, 16, 3, 30, 30, 500)
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

test.each([
  { name: 'a minute', range: { from: NOW - MINUTE }, step: 1, steps: 61 },
  { name: 'an hour', range: { from: NOW - HOUR }, step: 5, steps: 721 },
  { name: 'an hour and a little', range: { from: NOW - HOUR - 1 }, step: 60, steps: 61 },
  { name: 'a day, as by default', range: {}, step: 120, steps: 721 },
  { name: 'a week', range: { from: NOW - 7 * DAY }, step: 1800, steps: 337 },
  { name: 'a month', range: { from: NOW - 31 * DAY }, step: 3600, steps: 745 },
])('$name has steps of $step s', ({ range, step, steps }) => {
  const grid = toGrid(range, undefined, NOW)
  expect(grid).toMatchObject({ stepMs: step * 1000, steps })
  expect([grid.from % grid.stepMs, grid.to % grid.stepMs]).toEqual([0, 0])
  expect(grid.from).toBeLessThanOrEqual(range.from ?? NOW - DAY)
  expect(grid.to).toBeGreaterThanOrEqual(NOW)
})

test('what is asked for counts, and whole steps are not widened', () => {
  const to = Date.UTC(2026, 10, 16, 4)
  expect(toGrid({ from: to - DAY, to }, 7200, NOW)).toEqual({ from: to - DAY, to, stepMs: 7_200_000, steps: 12 })
  expect(toGrid({ from: to - HOUR, to }, 1, NOW)).toMatchObject({ steps: 3_600 })
})

test.each([
  [{ from: NOW, to: NOW }, undefined, 'query.to', '`to` must be later than `from`.'],
  [{ from: NOW + 1 }, undefined, 'query.from', 'Without `to` it ends now, so `from` must be in the past.'],
  [{ from: NOW - 31 * DAY - 1 }, undefined, 'query.to', 'Ask for at most 31 days at a time.'],
  [{}, 5, 'query.step_seconds', 'Steps of less than a minute are for at most an hour: ask for less time, or for longer steps.'], // prettier-ignore
  [{ from: NOW - 3 * DAY }, 60, 'query.step_seconds', 'There may be at most 3600 steps: ask for less time, or for longer steps.'], // prettier-ignore
])('%o in steps of %s is refused by a sentence', (range, step, path, message) => {
  expect(() => toGrid(range, step, NOW)).toThrow(expect.objectContaining({ errors: [{ path, message }] }) as Error)
})
