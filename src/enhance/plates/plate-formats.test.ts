import { expect, test } from 'vitest'
import { type ReadCharacter } from './ctc.ts'
import { settleLookalikes } from './plate-formats.ts'
import { plateLikeness } from './plate-likeness.ts'

const read = (text: string, doubts: Readonly<Record<string, string | undefined>> = {}) =>
  [...text].map((character): ReadCharacter => ({
    character,
    confidence: 0.8,
    alternatives: [
      { character, confidence: 0.8 },
      ...(doubts[character] ? [{ character: doubts[character], confidence: 0.2 }] : []),
    ],
    position: 0,
  }))
const settled = (...args: Parameters<typeof read>) =>
  settleLookalikes(read(...args))
    .map(({ character }) => character)
    .join('')

test.each([
  { name: 'a zero among letters becomes an O', text: 'KX6ZW0R', doubts: { Z: '2' }, becomes: 'KX62WOR' },
  { name: 'an O among digits becomes a zero', text: 'AB1O3CD', becomes: 'AB103CD' },
  { name: 'what has a known format stays', text: 'AB103CD', doubts: { B: '8' }, becomes: 'AB103CD' },
  { name: 'what was not in doubt stays', text: 'A8123CDE9', becomes: 'A8123CDE9' },
  { name: 'a word stays a word', text: 'TOYOTA', becomes: 'TOYOTA' },
  { name: 'letters in doubt make digits', text: 'BAOOXYW', doubts: { O: '0' }, becomes: 'BA00XYW' },
])('$name', ({ text, doubts, becomes }) => expect(settled(text, doubts)).toBe(becomes))

test('what reads like a registration number comes before everything else that is written on a vehicle', () => {
  const ranked = ['AB123CD', '1287960', '2801', 'TOYOTA', '2009']
  const scores = ranked.map((text) => plateLikeness(text, text))
  expect(scores).toEqual([...scores].sort((a, b) => b - a))
  expect(new Set(scores).size).toBe(ranked.length)
})

test.each([
  ['three characters', 'A12', 'A12'],
  ['ten characters in no known format', 'A1B2C3D4E5', 'A1B2C3D4E5'],
])('%s are no plate', (_name, text, raw) => expect(plateLikeness(text, raw)).toBe(0))

test.each([
  ['small letters', 'Brekke26'],
  ['many foreign characters', '□AB□12□3'],
  ['a date', '20 14 05 12 A'],
])('%s are less like a plate', (_name, raw) => {
  const text = raw.toUpperCase().replace(/[^A-Z0-9]/g, '')
  expect(plateLikeness(text, raw)).toBeLessThan(plateLikeness(text, text))
})

test.each(['20TDI', '320D', 'XC90', '16HDI'])('%s on the back of a car counts less than a plate', (emblem) => {
  expect(plateLikeness(emblem, emblem)).toBeLessThan(0.3 * plateLikeness('KX62WTR', 'KX62 WTR'))
})
