import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { checkInput } from './check-input.ts'
import { checkTimeRange, queryNumber, TimeRangeQuery, whyNotHttpUrl } from './request-fields.ts'

describe('query number', () => {
  const limit = queryNumber(z.coerce.number().int().min(0)).optional()

  test.each([
    ['5', 5],
    ['0', 0],
    [undefined, undefined],
  ])('%j is %j', (text, value) => expect(limit.parse(text)).toBe(value))

  test.each(['', ' ', 'x', '-1'])('%j is no number of these', (text) =>
    expect(limit.safeParse(text).success).toBe(false),
  )
})

describe('time range', () => {
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
})

describe('http url', () => {
  test.each([
    ['http://x', undefined],
    ['HTTPS://user:secret@example.org:8443/a?b=c', undefined],
    ['http://[::1]:80/', undefined],
    ['ftp://x', 'Write a URL that begins with http:// or https://, as in https://example.org/hook.'],
    ['nowhere', 'Write a URL that begins with http:// or https://, as in https://example.org/hook.'],
    ['http://', 'This is not a URL; write it as in https://example.org/hook.'],
    ['http://a b/', 'This is not a URL; write it as in https://example.org/hook.'],
  ])('%s: %s', (text, why) => expect(whyNotHttpUrl(text)).toBe(why))
})
