import { expect, test } from 'vitest'
import { parseTimestamp } from './timestamp.ts'

test.each([
  { name: 'seconds', value: 1763168400, ms: 1763168400000 },
  { name: 'seconds with a fraction', value: 1763168400.123, ms: 1763168400123 },
  { name: 'zero', value: 0, ms: 0 },
  { name: 'seconds since the drone was switched on', value: 12.5, ms: 12_500 },
  { name: 'milliseconds', value: 1763168400123, ms: 1763168400123 },
  { name: 'microseconds', value: 1763168400123000, ms: 1763168400123 },
  { name: 'ISO 8601 in Zulu', value: '2025-11-15T01:00:00.123Z', ms: 1763168400123 },
  { name: 'ISO 8601 in another zone', value: '2025-11-15T02:00:00.123+01:00', ms: 1763168400123 },
  { name: 'a zone without a colon', value: '2025-11-15T02:00:00+0100', ms: 1763168400000 },
  { name: 'ISO 8601 without a zone', value: '2025-11-15 01:00:00.123456', ms: 1763168400123 },
])('$name', ({ value, ms }) => expect(parseTimestamp(value)).toBeCloseTo(ms, -0.3))

test.each([
  ['nothing', undefined],
  ['null', null],
  ['a negative number', -5],
  ['not a number', NaN],
  ['endless', Infinity],
  ['nanoseconds', 1763168400123000000],
  ['a number as text', '1763168400'],
  ['a day without a time', '2025-11-15'],
  ['the 32nd', '2025-11-32T01:00:00Z'],
  ['a word', 'yesterday'],
  ['an object', {}],
])('%s is no time', (_name, value) => expect(parseTimestamp(value)).toBeUndefined())
