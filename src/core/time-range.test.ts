import { expect, test } from 'vitest'
import { checkInput } from './check-input.ts'
import { checkTimeRange, TimeRangeQuery } from './time-range.ts'

const Query = TimeRangeQuery.superRefine(checkTimeRange)
const NOON = Date.UTC(2026, 10, 16, 12)

test.each([
  ['2026-11-16T12:00:00Z', NOON],
  ['2026-11-16T12:00:00.250Z', NOON + 250],
  ['2026-11-16T14:00:00+02:00', NOON],
  ['2026-11-16T06:30:00-05:30', NOON],
  // What is left of a plus that was not escaped.
  ['2026-11-16T14:00:00 02:00', NOON],
])('%s is a moment', (from, expected) => {
  expect(checkInput(Query, { from }, 'query').value).toEqual({ from: expected })
})

test.each([
  '2026-11-16',
  '2026-11-16T12:00:00',
  '2026-11-16T12:00Z',
  '2026-11-16 12:00:00Z',
  '2026-02-30T12:00:00Z',
  '2026-11-16T24:00:00Z',
  '2026-11-16T12:00:00+0200',
  '2026-11-16T12:00:00+25:00',
  '1794744000',
  'yesterday',
  '',
  `2026-11-16T12:00:00.${'0'.repeat(100)}Z`,
  ['2026-11-16T12:00:00Z', '2026-11-16T12:00:00Z'],
])('%j is none, and the sentence says what to write', (to) => {
  const { errors } = checkInput(Query, { to }, 'query')
  expect(errors).toMatchObject([{ path: 'query.to' }])
  expect(errors![0]!.message).toMatch(/^(Write date, time and time zone, as in|Give|Write at most)/)
})

test('a range ends after it begins, and may be open on either side', () => {
  const [earlier, later] = ['2026-11-16T12:00:00Z', '2026-11-16T12:00:00.001Z']
  expect(checkInput(Query, { from: earlier, to: later }, 'query').errors).toBeUndefined()
  for (const from of [earlier, later])
    expect(checkInput(Query, { from, to: earlier }, 'query').errors).toEqual([
      { path: 'query.to', message: '`to` must be later than `from`.' },
    ])
  expect(checkInput(Query, { to: earlier }, 'query').value).toEqual({ to: NOON })
  expect(checkInput(Query, {}, 'query').value).toEqual({})
})
