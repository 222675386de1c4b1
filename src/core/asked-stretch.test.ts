import { expect, test } from 'vitest'
import { toAskedStretch } from './asked-stretch.ts'

const rules = { nowMs: 1_000, defaultMs: 60, maxMs: 100, tooLong: 'At most 100 ms.' }

test.each([
  { asked: {}, stretch: { from: 940, to: 1_000 } },
  { asked: { to: 500 }, stretch: { from: 440, to: 500 } },
  { asked: { from: 900 }, stretch: { from: 900, to: 1_000 } },
  { asked: { from: 1_200, to: 1_300 }, stretch: { from: 1_200, to: 1_300 } },
])('$asked is $stretch', ({ asked, stretch }) => expect(toAskedStretch(asked, rules)).toEqual(stretch))

test.each([
  { name: 'a beginning in the future without an end', asked: { from: 1_001 }, path: 'query.from', message: 'past' },
  { name: 'an end before the beginning', asked: { from: 50, to: 50 }, path: 'query.to', message: 'later than `from`' },
  { name: 'too much', asked: { from: 1, to: 102 }, path: 'query.to', message: 'At most 100 ms.' },
])('$name is refused by the name of what was sent', ({ asked, path, message }) => {
  const errors = [{ path, message: expect.stringContaining(message) }]
  expect(() => toAskedStretch(asked, rules)).toThrow(expect.objectContaining({ errors }))
})
