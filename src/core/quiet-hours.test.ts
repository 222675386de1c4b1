import { describe, expect, test } from 'vitest'
import { type QuietHours } from './contact.ts'
import { isQuiet, isTimeZone, timeOfDay } from './quiet-hours.ts'

const night: QuietHours = { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' }
const noon: QuietHours = { from: '12:00', to: '13:30', timeZone: 'Asia/Kathmandu' }
/** Nights that begin on Friday or Saturday. 2026-11-20 is a Friday. */
const weekend: QuietHours = { ...night, days: [5, 6] }
const sundays: QuietHours = { ...night, days: [7] }

test.each<[name: string, quiet: QuietHours | null, at: string, isIt: boolean]>([
  ['without any', null, '2026-11-20T02:00:00Z', false],
  ['the minute before they begin', night, '2026-11-20T20:59:59Z', false],
  ['as they begin', night, '2026-11-20T21:00:00Z', true],
  ['at midnight', night, '2026-11-20T23:00:00Z', true],
  ['the last second', night, '2026-11-21T05:59:59Z', true],
  ['as they end', night, '2026-11-21T06:00:00Z', false],
  ['in summer an hour earlier by UTC', night, '2026-07-20T20:00:00Z', true],
  ['in summer they have ended an hour earlier', night, '2026-07-20T05:00:00Z', false],
  ['the night in which the clock is put forward, before', night, '2026-03-29T00:59:59Z', true],
  ['the night in which the clock is put forward, until seven by the new time', night, '2026-03-29T04:59:59Z', true],
  ['and no longer', night, '2026-03-29T05:00:00Z', false],
  ['the night in which it is put back, until seven by the new time', night, '2026-10-25T05:59:59Z', true],
  ['and not after that', night, '2026-10-25T06:00:00Z', false],
  ['a zone of three quarters of an hour, before', noon, '2026-11-20T06:14:59Z', false],
  ['a zone of three quarters of an hour, within', noon, '2026-11-20T06:15:00Z', true],
  ['a zone of three quarters of an hour, after', noon, '2026-11-20T07:45:00Z', false],
  ['the night to Friday', weekend, '2026-11-20T03:00:00Z', false],
  ['the night from Friday, before midnight', weekend, '2026-11-20T22:00:00Z', true],
  ['the night from Friday, after midnight', weekend, '2026-11-21T03:00:00Z', true],
  ['the night from Saturday, after midnight', weekend, '2026-11-22T03:00:00Z', true],
  ['the night from Sunday', weekend, '2026-11-22T22:00:00Z', false],
  ['Monday morning belongs to Sunday', sundays, '2026-11-23T03:00:00Z', true],
  ['Sunday morning belongs to Saturday', sundays, '2026-11-22T03:00:00Z', false],
  ['no days are all days', { ...night, days: [] }, '2026-11-22T22:00:00Z', true],
])('quiet hours: %s', (_name, quiet, at, isIt) => {
  expect(isQuiet(quiet, Date.parse(at))).toBe(isIt)
})

describe('zones', () => {
  test.each([
    ['Europe/Berlin', true],
    ['UTC', true],
    ['Mars/Olympus', false],
    ['', false],
    ['+02:00', false],
  ])('%s', (name, isOne) => expect(isTimeZone(name)).toBe(isOne))

  test('midnight is 00:00', () => expect(timeOfDay('Europe/Berlin', Date.parse('2026-11-20T23:00:00Z'))).toBe('00:00'))
})
