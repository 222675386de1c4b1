import { expect, test } from 'vitest'
import { agoWords, timeWords } from './time-words.ts'

const now = new Date(2026, 4, 17, 15, 0)
const moment = (...at: [number, number, number, number, number]) => new Date(...at).toISOString()

test('a moment of today is its time, another has its day', () => {
  expect(timeWords(moment(2026, 4, 17, 14, 3), now)).toMatch(/^(14|2):03( PM)?$/i)
  expect(timeWords(moment(2026, 4, 16, 14, 3), now)).toMatch(/16.*(14|2):03/)
})

test.each([
  [0, '0 s ago'],
  [33_400, '33 s ago'],
  [119_000, '119 s ago'],
  [125_000, '2 min ago'],
  [3_600_000, '60 min ago'],
  [2 * 3_600_000 + 60_000, '2 h ago'],
])('%i ms are %s', (ageMs, words) => expect(agoWords(ageMs)).toBe(words))
