import { describe, expect, test } from 'vitest'
import { ageInWords, asSentence } from './sentences.ts'

describe('as sentence', () => {
  test.each([
    ['connection refused', 'connection refused.'],
    ['Connection refused.', 'Connection refused.'],
    ['is that a camera?', 'is that a camera?'],
    ['', ''],
  ])('“%s” is “%s”', (text, sentence) => expect(asSentence(text)).toBe(sentence))
})

describe('age in words', () => {
  test.each([
    [33_999, '33 s'],
    [119_999, '119 s'],
    [120_000, '2 min'],
    [7_199_000, '119 min'],
    [7_200_000, '2 h'],
    [47 * 3_600_000, '47 h'],
    [50 * 3_600_000, '2 days'],
  ])('%i ms is %s', (ms, words) => expect(ageInWords(ms)).toBe(words))
})
